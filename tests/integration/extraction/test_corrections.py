"""Editors' words on one article: they outlive every later reading, and can be taken back."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_article, make_publication, make_user
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import PARAGRAPHS, TITLE, article_page, paragraphs_html

from extraction import extract
from extraction.correcting import Editor, EmptyTitleError, correct, take, undo
from extraction.models import Article, ArticleCorrection, CorrectionChange, Extraction
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
SITE = "http://karoo.example"
DATE = datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


@pytest.fixture
def word():
    return Editor(make_user("editor").pk, LATER)


def page_of(title=TITLE, author="Register Here"):
    return article_page(head=f"<meta name='author' content='{author}'>", title=title)


def read(now=NOW):
    Extraction.objects.update(due_at=now)
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


@pytest.fixture
def stored(web, paper):
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    web.routes["/news/fire"] = answer(page_of(), 200, headers)
    add_page(paper, f"{SITE}/news/fire", NOW)
    extract.register(crawl(NOW).next_ids["pages"], NOW)
    read()
    return Article.objects.get()


def again():
    return Article.objects.get()


def test_a_correction_outlives_a_reading(stored, word):
    values = {"title": "Fire at the quay", "authors": ["Anne Jacobs"], "published_at": DATE}

    assert correct(stored.pk, values, word)
    read(LATER)

    row = again()
    assert (row.title, row.authors) == ("Fire at the quay", ["Anne Jacobs"])
    assert (row.published_at, row.dated_at, row.published_offset) == (DATE, DATE, 0)
    assert {row.sources[name] for name in values} == {"editor"}
    assert row.disagreements["title"][0] == ["page", TITLE]


@pytest.mark.parametrize("empty", ["", " \t\n", "\u200b", "\xad\u2060 "])
def test_no_title_is_corrected_to_nothing(stored, word, empty):
    with pytest.raises(EmptyTitleError, match="An article keeps a title"):
        correct(stored.pk, {"title": empty, "section": "Harbour"}, word)

    row = again()
    assert (row.title, row.section) == (TITLE, stored.section)
    assert not CorrectionChange.objects.exists()


def test_article_that_was_read_without_a_title_may_have_none_again(word):
    article = make_article(title="")

    correct(article.pk, {"title": "!"}, word)
    undo(article.pk, ["title"], word)
    assert not correct(article.pk, {"title": ""}, word)

    assert again().title == ""


def test_what_a_later_reading_says_is_shown_and_not_applied(stored, word, web):
    correct(stored.pk, {"title": "Fire at the quay"}, word)
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    web.routes["/news/fire"] = answer(page_of(title="Harbour fire put out"), 200, headers)
    stored.page.__class__.objects.filter(pk=stored.page_id).reschedule(LATER)
    extract.register(crawl(LATER).next_ids["pages"], LATER)
    read(LATER)

    row = again()
    assert row.title == "Fire at the quay"
    assert row.disagreements["title"] == [["page", "Harbour fire put out"]]
    undo(row.pk, ["title"], word)
    assert (again().title, again().sources["title"]) == ("Harbour fire put out", "page")


@pytest.mark.parametrize(
    "values",
    [
        {"title": "Fire"},
        {"authors": []},
        {"agencies": ["AFP"]},
        {"published_at": DATE},
        {"section": "Harbour"},
    ],
    ids=lambda values: next(iter(values)),
)
def test_undoing_gives_the_row_back_as_it_was(values, stored, word):
    columns = (
        "title",
        "authors",
        "agencies",
        "published_at",
        "published_offset",
        "dated_at",
        "section",
    )
    columns += ("sources", "disagreements", "in_corpus", "kind")
    before = Article.objects.values(*columns).get()

    correct(stored.pk, values, word)
    between = Article.objects.values(*columns).get()
    undo(stored.pk, list(values), word)

    assert between != before
    assert Article.objects.values(*columns).get() == before
    assert ArticleCorrection.objects.get().corrected == []


def test_agencies_by_hand_outlive_a_reading(stored, word):
    correct(stored.pk, {"authors": ["Anne Jacobs"], "agencies": ["AFP", "Nampa"]}, word)
    read(LATER)

    assert (again().authors, again().agencies) == (["Anne Jacobs"], ["AFP", "Nampa"])
    assert again().sources["agencies"] == "editor"


def test_a_field_can_be_corrected_to_nothing(stored, word):
    assert stored.authors == ["Register Here"]
    correct(stored.pk, {"authors": []}, word)
    read(LATER)

    assert again().authors == []


def test_writing_what_was_read_ends_the_correction(stored, word):
    correct(stored.pk, {"title": "Fire"}, word)

    assert correct(stored.pk, {"title": TITLE}, word)
    assert (again().title, again().sources["title"]) == (TITLE, "page")
    kinds = CorrectionChange.objects.order_by("pk").values_list("kind", "before", "after")
    assert list(kinds) == [("corrected", TITLE, "Fire"), ("undone", "Fire", TITLE)]


def test_what_changes_nothing_is_not_written(stored, word):
    assert not correct(stored.pk, {"title": TITLE, "authors": ["Register Here"]}, word)
    assert not undo(stored.pk, ["title"], word)
    assert not take(stored.pk, is_taken=False, editor=word)
    assert again().updated_at == NOW
    assert not CorrectionChange.objects.exists()


def test_an_article_is_taken_anyway_until_it_is_left_out_again(web, paper, word):
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    body = article_page(paragraphs_html(PARAGRAPHS[:1]))
    web.routes["/news/notice"] = answer(body, 200, headers)
    add_page(paper, f"{SITE}/news/notice", NOW)
    extract.register(crawl(NOW).next_ids["pages"], NOW)
    read()

    assert take(again().pk, is_taken=True, editor=word)
    read(LATER)
    taken = again()
    assert take(taken.pk, is_taken=False, editor=word)

    assert (taken.in_corpus, taken.reason, taken.kind) == (True, "", "short")
    assert (again().in_corpus, again().reason) == (
        False,
        "Its text is shorter than 500 characters.",
    )


def test_taking_puts_no_withdrawn_article_back(word):
    article = make_article("Rain.", withdrawn_at=NOW, in_corpus=False, reason="Withdrawn: wish")

    take(article.pk, is_taken=True, editor=word)

    article.refresh_from_db()
    assert (article.in_corpus, article.reason) == (False, "Withdrawn: wish")


def test_a_slug_twin_is_taken_anyway(word):
    publication = make_publication()
    text = "The harbour was quiet all night. " * 20
    first = make_article(text, publication, kind="text")
    twin = make_article(
        text, publication, slug_twin=first, in_corpus=False, reason="under the same name"
    )

    take(twin.pk, is_taken=True, editor=word)

    twin.refresh_from_db()
    assert (twin.in_corpus, twin.slug_twin) == (True, first)
