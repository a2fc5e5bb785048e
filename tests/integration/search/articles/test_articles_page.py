"""The list of articles: filters, pages, states."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from factories import NOW, make_article, make_comment, make_publication
from pages import links, markup, words

from search.articles.browsing import PAGE_SIZE, browse
from search.articles.filters import BrowseRequest

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_an_empty_corpus_says_what_will_be_here(reader):
    page = markup(reader.get("/articles/"))

    assert "No articles yet" in page
    assert "Ask an editor" in page
    assert "<table" not in page


def test_an_editor_is_offered_the_first_step(editor):
    assert "Add a publication" in markup(editor.get("/articles/"))


def test_articles_stand_newest_first_with_their_notes(reader):
    make_article(title="Older", dated_at=NOW - timedelta(days=1))
    newer = make_article(title="Newer", kind="gallery")
    make_comment(newer)
    make_article(title="Left out", in_corpus=False, reason="not English")

    page = markup(reader.get("/articles/"))

    assert page.index("Left out") < page.index("Newer") < page.index("Older")
    assert "gallery" in page
    assert "not in the corpus" in page
    assert f'<a href="/articles/{newer.pk}/comments/">1</a>' in page


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("pub=cape-meridian", {"A"}),
        ("kind=video", {"B"}),
        ("lang=af", {"C"}),
        ("day=2026-11-20", {"A", "B", "C"}),
        ("day=2026-11-21", {"D"}),
        ("pub=cape-meridian&lang=af", set()),
        ("rights=reserved", {"A"}),
        ("rights=granted", {"B"}),
        ("rights=none", {"C", "D"}),
        ("rights=", {"A", "B", "C", "D"}),
        ("rights=granted&lang=af", set()),
    ],
)
def test_filters_let_through(reader, query, titles):
    cape = make_publication("cape-meridian")
    make_article(title="Title A", publication=cape, rights="reserved")
    make_article(title="Title B", kind="video", rights="granted")
    make_article(title="Title C", language="af")
    # 23:30 in UTC is the next day in Johannesburg.
    make_article(title="Title D", dated_at=NOW.replace(hour=23))

    page = reader.get(f"/articles/?{query}")

    shown = {link_words for link_words, _ in links(page)}
    assert {title for title in "ABCD" if f"Title {title}" in shown} == titles
    assert ("No article fits" in words(page)) == (not titles)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("day=tomorrow", "This is no day"),
        ("pub=nobody", "No publication has the short name “nobody”"),
        ("pub=%27%22%3E", "Enter a valid"),
        ("kind=poem", "“poem” is no kind of text"),
        ("lang=xx", "“xx” is no language"),
        ("rights=mine", "“mine” are no rights: reserved, granted or none."),
        ("after=abc", "The place in the list is not one of ours"),
        ("after=" + "9" * 40 + ".1", "The place in the list is not one of ours"),
    ],
)
def test_a_wrong_filter_is_named(reader, query, message):
    make_article()

    response = reader.get(f"/articles/?{query}")

    assert response.status_code == 400
    assert message in markup(response)


def test_unknown_parameters_are_named(reader):
    assert "left out: aaa, zzz" in markup(reader.get("/articles/?zzz=1&aaa=2"))


def test_pages_hold_every_article_once_also_at_one_moment():
    for number in range(2 * PAGE_SIZE + 3):
        make_article(title=str(number))

    seen, after = [], None
    while True:
        page = browse(BrowseRequest(after=after))
        seen += [row.article.pk for row in page.rows]
        after = page.next_after
        if after is None:
            break

    assert len(seen) == 2 * PAGE_SIZE + 3
    assert seen == sorted(set(seen), reverse=True)


def test_the_next_page_keeps_the_filters(reader):
    for _ in range(PAGE_SIZE + 1):
        make_article()

    first = reader.get("/articles/?kind=text")
    second = reader.get("/articles/?" + first.context["next_query"])

    assert first.context["next_query"].startswith("kind=text&after=")
    assert len(second.context["page"].rows) == 1
    assert "To the newest" in markup(second)


def test_one_row_and_three_need_the_same_number_of_queries(reader):
    counts = []
    for _ in range(2):
        make_comment(make_article())
        with CaptureQueriesContext(connection) as queries:
            reader.get("/articles/")
        counts.append(len(queries))
        make_article()

    assert counts[0] == counts[1]
