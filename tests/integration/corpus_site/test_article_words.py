"""The page that corrects one article by hand, and the button that takes it anyway."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from factories import NOW, index_all, make_article, make_publication
from pages import parsed, words

from dedup.models import Detection
from extraction.correcting import Editor, correct, take
from extraction.models import Article, CorrectionChange
from search.articles.timeline import timeline
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.models import IndexedArticle

pytestmark = pytest.mark.django_db

LONG = "The harbour was quiet all night. " * 20


@pytest.fixture
def article():
    article = make_article(LONG, sources={"title": "page", "authors": "meta"})
    index_all()
    return article


def address(article, page="correct"):
    return f"/articles/{article.pk}/{page}/"


def shown(editor, article):
    """What a browser would send back: each field with the value that it was shown with."""
    form = editor.get(address(article)).context["form"]
    values = {}
    for field in form:
        value = field.field.widget.format_value(field.value())
        values |= {field.html_name: value or "", field.html_initial_name: value or ""}
    return values


def test_the_page_shows_what_stands_there(editor, article):
    page = editor.get(address(article)).content.decode()

    assert "Maas for all" in page
    assert "A. Botha" in page
    assert "2026-11-20T12:30:00" in page


def test_a_saved_correction_reaches_article_index_and_history(editor, article):
    values = shown(editor, article) | {"title": "Maas for some", "authors": "B. Adams\nC. Brink"}

    answer = editor.post(address(article), values, follow=True)

    row = Article.objects.get()
    assert (row.title, row.authors, row.published_at) == (
        "Maas for some",
        ["B. Adams", "C. Brink"],
        article.published_at,
    )
    assert row.sources == {"title": "editor", "authors": "editor"}
    assert IndexedArticle.objects.get().due_at is not None
    assert "2 fields are corrected by hand" in answer.content.decode()
    assert "Title corrected" in [step.name for step in timeline(row)]


def test_what_was_not_touched_is_no_correction(editor, article):
    values = shown(editor, article)
    correct(article.pk, {"title": "Of somebody else"}, Editor(None, NOW))

    editor.post(address(article), values | {"section": "Food"})

    row = Article.objects.get()
    assert (row.title, row.section, row.published_at) == (
        "Of somebody else",
        "Food",
        article.published_at,
    )


def test_what_both_have_changed_is_asked_for_once_more(editor, article):
    mine = {
        "title": "Mine",
        "authors": "Ann Lee\r\nBen Moyo",
        "published_at": "2026-11-01T10:00:00",
    }
    values = shown(editor, article) | mine
    theirs = {"title": "Theirs", "authors": ["Sipho"], "published_at": NOW - timedelta(days=2)}
    correct(article.pk, theirs, Editor(None, NOW))

    refused = editor.post(address(article), values)
    between = Article.objects.get()
    form = parsed(refused).cssselect("main form")[0]
    again = editor.post(address(article), {**dict(form.form_values()), **mine})

    assert (refused.status_code, between.title, between.authors) == (400, "Theirs", ["Sipho"])
    assert "This is “Theirs” since; saved once more, yours takes its place." in words(refused)
    assert again.status_code == 302
    row = Article.objects.get()
    assert (row.title, row.authors) == ("Mine", ["Ann Lee", "Ben Moyo"])
    assert timezone.localtime(row.published_at).day == 1


def test_a_corrected_field_is_undone_by_its_button(editor, article):
    correct(article.pk, {"title": "Maas for some"}, Editor(None, NOW))
    before = editor.get(address(article)).content.decode()

    editor.post(address(article), {"undo": "title"})

    assert "Undo: title as read" in before
    assert "“Maas for all”" in before
    assert Article.objects.get().title == "Maas for all"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"published_at": "soon"}, "This is no date"),
        ({"published_at": "2062-11-20T10:00:00"}, "This day is still to come"),
        ({"published_at": "0202-11-20T10:00:00"}, "No article is older than 1600"),
        ({"title": "x" * 1001}, "at most 1000 characters"),
        ({"title": " "}, "An article keeps a title: write one"),
        ({"title": "\u200b"}, "An article keeps a title: write one"),
        (
            {"authors": "Jane Doe, John Smith and Anne Jacobs"},
            "“Jane Doe, John Smith and Anne Jacobs” looks like 3 names: write one a line",
        ),
        ({"authors": "B. Adams\nJane Doe & Piet van Wyk"}, "looks like 2 names"),
        (
            {"authors": "Jane Doe, Cape Town"},
            "looks like 2 names: write one a line, without places",
        ),
    ],
)
def test_what_can_be_no_value_is_refused(values, said, editor, article):
    answer = editor.post(address(article), shown(editor, article) | values)

    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not CorrectionChange.objects.exists()


@pytest.mark.parametrize(
    "line",
    ["Martin Luther King, Jr.", "Science and Technology Desk", "Doe, Jane", "Smith and Sons"],
)
def test_one_name_with_a_comma_or_an_and_is_one_author(line, editor, article):
    editor.post(address(article), shown(editor, article) | {"authors": line})

    assert Article.objects.get().authors == [line]


def test_names_that_were_read_in_one_line_do_not_hinder_another_correction(editor):
    article = make_article(LONG, authors=["Jane Doe, Cape Town"])

    editor.post(address(article), shown(editor, article) | {"title": "Maas for some"})

    assert Article.objects.get().title == "Maas for some"


def test_a_left_out_article_is_taken_by_its_button_and_back(editor):
    article = make_article("Rain.", kind="short", in_corpus=False, reason="Its text is shorter")
    before = editor.get(address(article, "")[:-1]).content.decode()

    taken = editor.post(address(article, "take"), {"take": "yes"}, follow=True).content.decode()
    is_taken = Article.objects.get().in_corpus
    editor.post(address(article, "take"), {"take": "no"})

    assert "Take it anyway" in before
    assert "would leave it out: Its text is shorter than 500 characters." in " ".join(taken.split())
    assert "Leave it out again" in taken
    assert (is_taken, Article.objects.get().in_corpus) == (True, False)
    assert Detection.objects.get().due_at is not None


def test_only_editors_correct_and_take(linguist, article):
    answers = [
        linguist.get(address(article)),
        linguist.post(address(article), {"title": "x"}),
        linguist.post(address(article, "take"), {"take": "yes"}),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert "Correct by hand" not in linguist.get(f"/articles/{article.pk}/").content.decode()


def test_an_unknown_article_is_not_found(editor):
    assert editor.get("/articles/77/correct/").status_code == 404
    assert editor.post("/articles/77/take/", {"take": "yes"}).status_code == 404


def test_what_is_taken_says_so_to_readers(linguist):
    article = make_article("Rain.", make_publication(), in_corpus=False, reason="Short")
    take(article.pk, is_taken=True, editor=Editor(None, NOW))

    assert (
        "In the corpus by the word of" in linguist.get(f"/articles/{article.pk}/").content.decode()
    )


def test_searches_lists_and_programs_go_by_the_correction(editor, article, settings):
    values = shown(editor, article) | {
        "title": "Quiet",
        "section": "Harbour",
        "authors": "Anne Jacobs",
        "published_at": "2026-11-18T08:00:00",
    }
    editor.post(address(article), values)
    index_all(timezone.now())

    document = IndexReader(settings.INDEX_DIR).snapshot.document(DocumentKind.ARTICLE, article.pk)
    by_day = editor.get("/articles/?day=2026-11-18").content.decode()
    told = editor.get(f"/api/articles/{article.pk}/").json()

    assert (document.info.section, document.info.author) == ("Harbour", "Anne Jacobs")
    assert document.info.day == date(2026, 11, 18)
    assert "Quiet" in by_day
    assert (told["title"], told["authors"], told["section"]) == (
        "Quiet",
        ["Anne Jacobs"],
        "Harbour",
    )
