"""Comments in the page itself: stored, brought up to date, never doubled."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from factories import make_article, make_comment
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import PARAGRAPHS, article_page

from extraction import extract
from extraction.models import Article, Comment, CommentThread, Extraction
from feeds.models import Page
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=2)
URL = "http://karoo.example/news/dredging-of-the-inner-basin"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def comment(number, text, author="Thandi", inside=""):
    return (
        f"<li class='comment' id='comment-{number}'><b class='fn'>{author}</b>"
        f"<time datetime='2026-11-{number:02}T10:00:00+02:00'>x</time>"
        f"<div class='comment-content'><p>{text}</p></div>{inside}</li>"
    )


def serve(web, *comments, script=""):
    body = article_page(after=f"<ol class='comment-list'>{''.join(comments)}</ol>{script}")
    web.routes["/news/dredging-of-the-inner-basin"] = answer(
        body, 200, (("Content-Type", "text/html; charset=utf-8"),)
    )


def visit(now):
    Page.objects.update(due_at=now)
    extract.register(crawl(now).next_ids["pages"], now)
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


def rows():
    return list(Comment.objects.order_by("posted_at"))


@pytest.fixture
def first(web):
    add_page(make_paper(NOW), URL, NOW)
    answered = comment(2, "One.", inside=f"<ol>{comment(3, 'Two.', 'Piet')}</ol>")
    serve(web, answered, comment(4, "Three."))
    return visit(NOW)


def test_comments_are_stored_as_a_tree_and_reported(first):
    article = Article.objects.get()
    one, two, three = rows()

    assert article.text == "\n".join(PARAGRAPHS)
    assert first.next_ids["comments"] == (one.pk, two.pk, three.pk)
    assert {row.system for row in rows()} == {"page"}
    assert [(row.text, row.author_name, row.depth) for row in rows()] == [
        ("One.", "Thandi", 0),
        ("Two.", "Piet", 1),
        ("Three.", "Thandi", 0),
    ]
    assert (two.parent, two.html) == (one, "<p>Two.</p>")
    assert one.posted_at == datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
    thread = CommentThread.objects.get()
    assert (thread.system, thread.n_posts, thread.page) == ("page", 3, None)


def test_extracting_again_changes_nothing(first):
    before = Comment.objects.values_list("pk", "updated_at")
    Extraction.objects.update(due_at=LATER)

    report = extract.run(20, Claim("tester", LATER, timedelta(seconds=60)))

    assert (report.done["articles"], report.next_ids["comments"]) == (1, ())
    assert list(Comment.objects.values_list("pk", "updated_at")) == list(before)


def test_changed_new_and_deleted_comments_are_brought_up_to_date(web, first):
    serve(web, comment(2, "One, I mean."), comment(4, "Three."), comment(5, "Four <b>&</b> more."))

    report = visit(LATER)

    one, two, three, four = rows()
    assert (one.text, one.is_edited) == ("One, I mean.", True)
    assert (two.text, two.html, two.is_deleted, two.n_words) == ("", "", True, 0)
    assert (three.is_edited, three.updated_at) == (False, NOW)
    assert (four.text, four.html) == ("Four & more.", "<p>Four &amp; more.</p>")
    assert set(report.next_ids["comments"]) == {one.pk, two.pk, four.pk}


def test_comments_beyond_those_shown_stay(web, first):
    serve(web, comment(4, "Three."), comment(5, "Four."))

    visit(LATER)

    assert [row.text for row in rows()] == ["One.", "Two.", "Three.", "Four."]


def test_page_without_comments_loses_none(web, first):
    serve(web)

    visit(LATER)

    assert [row.text for row in rows()] == ["One.", "Two.", "Three."]


def test_comments_beside_a_disqus_thread_are_its_copy(web):
    add_page(make_paper(NOW), URL, NOW)
    script = (
        "<div id='disqus_thread'></div><script>var disqus_shortname = 'karoo';</script>"
        "<script src='https://karoo.disqus.com/embed.js'></script>"
    )
    serve(web, comment(2, "One."), script=script)

    visit(NOW)

    assert (rows(), CommentThread.objects.get().system) == ([], "disqus")


def unnumbered(text, when, author="Thandi"):
    return (
        f"<li class='comment'><b class='fn'>{author}</b><span class='date'>{when}</span>"
        f"<div class='comment-content'><p>{text}</p></div></li>"
    )


def test_comments_without_ids_are_known_again_when_their_order_turns(web):
    add_page(make_paper(NOW), URL, NOW)
    one, two = unnumbered("One.", "2 hours ago"), unnumbered("Two.", "1 hour ago", "Piet")
    serve(web, one, two)
    visit(NOW)
    before = [(row.pk, row.text, row.posted_at) for row in rows()]

    serve(web, unnumbered("Two.", "3 days ago", "Piet"), unnumbered("One.", "3 days ago"))
    visit(LATER)

    assert [(row.pk, row.text, row.posted_at) for row in rows()] == before
    assert [text for _, text, _ in before] == ["One.", "Two."]


def test_comment_that_gets_an_id_stays_the_same_row(web):
    add_page(make_paper(NOW), URL, NOW)
    serve(web, unnumbered("One.", "2 November 2026 at 10:00"))
    visit(NOW)
    pk = Comment.objects.get().pk

    serve(web, comment(2, "One.", inside=f"<ol>{comment(3, 'Two.', 'Piet')}</ol>"))
    visit(LATER)

    assert [(row.text, row.parent_id) for row in rows()] == [("One.", None), ("Two.", pk)]


def test_number_that_the_page_names_is_kept_beside_those_that_stand_there(web):
    add_page(make_paper(NOW), URL, NOW)
    body = article_page(
        after="<div id='comments'><h2 class='comments-title'>134 Comments</h2>"
        f"<ol class='comment-list'>{comment(2, 'One.')}</ol></div>"
    )
    web.routes["/news/dredging-of-the-inner-basin"] = answer(
        body, 200, (("Content-Type", "text/html; charset=utf-8"),)
    )

    visit(NOW)

    assert (CommentThread.objects.get().n_posts, len(rows())) == (134, 1)


def without_time(text):
    return comment(2, text).replace("<time datetime='2026-11-02T10:00:00+02:00'>x</time>", "")


def test_a_comment_without_a_time_has_no_date_until_the_page_names_one(web):
    add_page(make_paper(NOW), URL, NOW)
    serve(web, without_time("Since when?"))
    visit(NOW)
    (before,) = rows()
    serve(web, comment(2, "Since when?"))
    visit(LATER)
    (after,) = rows()

    assert (before.is_undated, before.posted_at) == (True, NOW)
    assert (after.pk, after.is_undated) == (before.pk, False)
    assert after.posted_at == datetime(2026, 11, 2, 8, 0, tzinfo=UTC)


def test_a_date_stays_where_the_page_names_none_any_more(web):
    add_page(make_paper(NOW), URL, NOW)
    serve(web, comment(2, "Since when?"))
    visit(NOW)
    serve(web, without_time("Since when, then?"))
    visit(LATER)

    assert [row.is_undated for row in rows()] == [False]


def test_stored_comments_that_stand_under_the_moment_they_were_seen_are_marked():
    article = make_article()
    by_page = {"system": "page", "created_at": LATER}
    seen = make_comment(article, posted_at=LATER, **by_page)
    make_comment(article, posted_at=NOW, **by_page)
    make_comment(article, posted_at=LATER, created_at=LATER)  # a comment system says when
    migration = import_module("extraction.migrations.0034_undated_comments")

    migration.mark_undated(apps, SimpleNamespace(connection=connection))

    assert list(Comment.objects.filter(is_undated=True)) == [seen]
