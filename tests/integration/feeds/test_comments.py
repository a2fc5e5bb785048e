"""Threads in the frontier: first look, put off while open, kept when closed, open time learnt."""

import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from feeds import comments
from feeds.comments import CommentVisit
from feeds.crawler.documents.comment_systems import ThreadReference, embed_url
from feeds.frontier import NewPage, add_pages
from feeds.models import Page, PageKind, Publication

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
THREAD = ThreadReference("disqus", "karoo", "17", "https://karoo.example/a")
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def article() -> Page:
    publication = Publication.objects.create(
        name="Karoo Courier", slug="karoo", home_url="https://karoo.example/", created_at=NOW
    )
    page = NewPage(
        url="https://karoo.example/a",
        key="karoo.example/a",
        host="karoo.example",
        kind=PageKind.ARTICLE,
        publication_id=publication.pk,
        published_at=NOW,
    )
    add_pages([page], NOW)
    return Page.objects.get()


@pytest.fixture
def thread_page(article) -> Page:
    return Page.objects.get(pk=comments.register(article, THREAD, NOW))


def answer(*, is_closed, n_posts=3, has_more=False, created_at=NOW):
    thread = {
        "id": "7",
        "isClosed": is_closed,
        "posts": n_posts,
        "createdAt": created_at.isoformat(),
    }
    cursor = {"hasNext": has_more, "next": "2:0:0" if has_more else None}
    document = {"code": 0, "cursor": cursor, "response": {"thread": thread, "posts": []}}
    return json.dumps(document).encode()


def posts(cursor):
    document = {"code": 0, "response": [], "cursor": {"hasNext": bool(cursor), "next": cursor}}
    return json.dumps(document).encode()


def learn(publication_id, days):
    Publication.objects.filter(pk=publication_id).update(comments_open_days=days)


def test_thread_is_registered_below_article_for_a_look_in_a_day(article, thread_page):
    assert (thread_page.kind, thread_page.parent, thread_page.url) == (
        PageKind.COMMENTS,
        article,
        embed_url(THREAD),
    )
    assert (thread_page.due_at, thread_page.due_reason) == (
        NOW + DAY,
        "first look at the comments, 1 d after the article",
    )


def test_thread_is_registered_once(article, thread_page):
    assert comments.register(article, THREAD, NOW + DAY) == thread_page.pk


def test_thread_waits_for_the_usual_open_time(article):
    learn(article.publication_id, 14.0)
    article.refresh_from_db()

    page = Page.objects.get(pk=comments.register(article, THREAD, NOW))

    assert (page.due_at, page.due_reason) == (
        NOW + 14 * DAY,
        "threads here usually close after 14.0 days",
    )


def test_open_thread_is_put_off_and_not_kept(thread_page):
    assert comments.record(thread_page, answer(is_closed=False), NOW + DAY) == CommentVisit(
        is_kept=False, due_at=NOW + 2 * DAY, due_reason="the thread is open with 3 comments"
    )


def test_open_thread_of_100_days_is_looked_at_after_ten_more(thread_page):
    visit = comments.record(thread_page, answer(is_closed=False), NOW + 100 * DAY)

    assert visit.due_at == NOW + 110 * DAY


def test_unchanged_thread_is_put_off(thread_page):
    assert comments.unchanged(thread_page, NOW + DAY) == CommentVisit(
        is_kept=False,
        due_at=NOW + 2 * DAY,
        due_reason="the thread is still open; looked at every 1 d",
    )


def test_closed_thread_is_kept_and_done(thread_page):
    assert comments.record(thread_page, answer(is_closed=True), NOW + DAY) == CommentVisit(
        is_kept=True, due_at=None, due_reason="the thread has closed with 3 comments"
    )
    assert Publication.objects.get().comments_open_days is None


def test_thread_seen_open_and_then_closed_teaches_open_time(thread_page):
    thread_page.outcome = "ok"
    thread_page.visited_at = NOW + 4 * DAY

    comments.record(thread_page, answer(is_closed=True), NOW + 6 * DAY)

    assert Publication.objects.get().comments_open_days == 5.0


def test_open_time_is_a_running_mean(thread_page):
    learn(thread_page.publication_id, 9.0)
    thread_page.publication.refresh_from_db()
    thread_page.outcome = "ok"
    thread_page.visited_at = NOW + 5 * DAY

    comments.record(thread_page, answer(is_closed=True), NOW + 5 * DAY)

    assert Publication.objects.get().comments_open_days == 8.0


def test_long_closed_thread_goes_on_page_by_page(thread_page, article, settings):
    settings.CRAWL_DISQUS_API_KEY = "key"

    first = comments.record(thread_page, answer(is_closed=True, has_more=True), NOW)
    rest = Page.objects.get(url__contains="listPosts")
    second = comments.record(rest, posts("9:0:0"), NOW)
    last = Page.objects.get(url__contains="cursor=9")
    third = comments.record(last, posts(""), NOW)

    assert [first.is_kept, second.is_kept, third.is_kept] == [True, True, True]
    assert [rest.parent, last.parent] == [article, article]
    assert (rest.due_at, last.due_at, third.due_at) == (NOW, NOW, None)
    assert Page.objects.filter(kind=PageKind.COMMENTS).count() == 3


def test_long_closed_thread_without_key_says_what_is_missing(thread_page):
    visit = comments.record(thread_page, answer(is_closed=True, n_posts=90, has_more=True), NOW)

    assert visit.due_reason == (
        "the thread has closed with 90 comments, of which 0 are kept: no key for the rest is set"
    )


def test_thread_that_nobody_opened_is_looked_at_until_given_up(thread_page):
    body = b'{"code": 2, "response": "Thread not found"}'

    soon = comments.record(thread_page, body, NOW + DAY)
    late = comments.record(thread_page, body, NOW + 61 * DAY)

    assert soon == CommentVisit(
        is_kept=False,
        due_at=NOW + 2 * DAY,
        due_reason="The comment system says: Thread not found",
    )
    assert (late.is_kept, late.due_at) == (False, None)


def test_threads_of_a_month_are_looked_at_now_unless_they_are_kept(thread_page):
    Page.objects.filter(pk=thread_page.pk).update(due_at=None, quarantined_at=NOW)

    none = look_at("2026-10")
    one = look_at("2026-11", publication="karoo")
    Page.objects.filter(pk=thread_page.pk).update(content_digest="kept", due_at=None)
    kept = look_at("2026-11")

    assert [text.split()[0] for text in (none, one, kept)] == ["0", "1", "0"]
    assert not Page.objects.filter(pk=thread_page.pk, quarantined_at__isnull=False).exists()


def look_at(month, **options):
    out = io.StringIO()
    call_command("comments", month=month, stdout=out, **options)
    return out.getvalue()


@pytest.mark.parametrize("options", [{"month": "2026-13"}, {"month": "x"}, {"publication": "no"}])
def test_month_or_publication_that_is_none_is_refused(options):
    with pytest.raises(CommandError):
        call_command("comments", **{"month": "2026-11"} | options)
