"""Columns of given files that are none of ours: filters, counts, tables and files of searches."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.utils import timezone
from factories import index_all, make_article, make_publication
from pages import markup, words

from corpus_site import pipeline
from extraction.models import Article, ArticleVersion, CollectedField
from extraction.status import texts_by_publication
from extraction.withdrawal.erasing import empty_articles
from feeds.work.leases import Claim
from search.models import TextImport

pytestmark = pytest.mark.django_db
HEAD = "id,text,date,register,birthplace"
ROWS = (
    "t1,We braai and we braai here.,1921-05-06,letter,Cape Town",
    "t2,They braai fish.,1921-05-07,letter,Knysna",
    "t3,I braai alone.,1922-01-01,diary,Knysna",
    "t4,No braai today.,1922-01-02,,",
)


def give(folder, *rows):
    path = folder / "texts.csv"
    path.write_text("\n".join((HEAD, *rows)) + "\n")
    out = io.StringIO()
    arguments = (str(path), "--collection", "My texts", "--language", "en", "--json")
    call_command("import_texts", *arguments, stdout=out, stderr=io.StringIO())
    told = json.loads(out.getvalue())
    while sum(
        pipeline.BY_NAME[name].run(Claim.make("w", timezone.now())).n_claimed
        for name in ("texts", "detect", "index")
    ):
        pass
    return told


@pytest.fixture
def given(tmp_path, linguist):
    """Four texts with columns of their own, and an article of a newspaper."""
    make_article("The mayor will braai.", make_publication())
    give(tmp_path, *ROWS)
    index_all(timezone.now())
    return linguist


def page_of(reader, query):
    return reader.get(f"/search/?q=braai&{query}").context["page"]


@pytest.mark.parametrize(
    ("query", "n_hits", "n_texts"),
    [
        ("", 6, 5),
        ("column=register:letter", 3, 2),
        ("column=register:letter&column=register:diary", 4, 3),
        ("column=register:letter&column=birthplace:Knysna", 1, 1),
        ("column=register:poem", 0, 0),
        ("column=register:letter&in=comments", 0, 0),
    ],
)
def test_texts_are_chosen_by_the_columns_of_their_file(given, query, n_hits, n_texts):
    page = page_of(given, query)

    assert (page.total, page.base_texts) == (n_hits, n_texts)


def test_a_chosen_column_is_a_chip_and_stands_in_the_base(given):
    shown = markup(given.get("/search/?q=braai&column=register:letter"))

    assert "Column <b>register: letter</b>" in shown
    assert "; only register “letter”" in shown
    assert ">register: letter (2 texts)</option>" in shown
    assert "“letter” is no column with its value" in markup(given.get("/search/?column=letter"))


def test_counts_beside_the_lines_open_their_hits(given):
    facets = {one.title: one for one in given.get("/search/?q=braai").context["facets"]}

    for name, counts in (
        ("register", {"letter": 3, "diary": 1}),
        ("birthplace", {"Cape Town": 2, "Knysna": 2}),
    ):
        assert {value.label: value.n for value in facets[name].values} == counts
        for value in facets[name].values:
            assert given.get(value.address).context["page"].total == value.n


def test_the_table_of_texts_has_them_as_columns(given):
    rows = list(
        csv.DictReader(
            io.StringIO(given.get("/search/texts/?q=braai&export=data.csv").content.decode())
        )
    )

    assert sorted((row["hits"], row["register"], row["birthplace"]) for row in rows) == [
        ("1", "", ""),
        ("1", "", ""),
        ("1", "diary", "Knysna"),
        ("1", "letter", "Knysna"),
        ("2", "letter", "Cape Town"),
    ]


def test_files_of_lines_have_them_behind_all_others(given):
    answer = given.get("/search/export/?q=braai&format=data.csv")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    manifest = given.get("/search/manifest/?q=braai").json()

    assert list(rows[0])[-2:] == manifest["columns"][-2:] == ["birthplace", "register"]
    assert sorted(row["register"] for row in rows) == [
        "",
        "",
        "diary",
        "letter",
        "letter",
        "letter",
    ]
    newspapers = given.get("/search/manifest/?q=braai&origin=newspapers").json()
    assert newspapers["columns"][-1] == "seen"


def test_the_page_of_a_text_shows_them(given):
    article = Article.objects.get(text__startswith="They")

    shown = markup(given.get(f"/articles/{article.pk}/")).replace("> <", "><")

    assert "<dt>birthplace</dt><dd>Knysna</dd>" in shown


def test_columns_given_later_are_no_new_text(tmp_path, given):
    """Files that were given before columns were kept are given again."""
    CollectedField.objects.all().delete()
    assert page_of(given, "column=register:letter").total == 0

    told = give(tmp_path, *(row.replace("diary", "journal") for row in ROWS))

    assert (told["new"], Article.objects.count(), ArticleVersion.objects.count()) == (0, 5, 0)
    assert told["changed"] == 1
    assert page_of(given, "column=register:journal").total == 1


def test_what_is_erased_keeps_no_columns(given):
    article = Article.objects.get(text__startswith="They")

    empty_articles([article.pk], timezone.now())

    assert not CollectedField.objects.filter(article=article).exists()
    assert page_of(given, "column=birthplace:Knysna").total == 1


def test_a_text_without_a_date_has_none_in_lines_tables_and_files(given):
    """It stands under the day on which it was given, which is no day of its own."""
    article = Article.objects.get(text__startswith="They")
    Article.objects.filter(pk=article.pk).update(published_at=None)
    index_all(timezone.now())
    asked = "q=braai&column=birthplace:Knysna&column=register:letter"

    shown = markup(given.get(f"/search/?{asked}"))
    [line] = csv.DictReader(
        io.StringIO(given.get(f"/search/export/?{asked}&format=data.csv").getvalue().decode())
    )
    [row] = csv.DictReader(
        io.StringIO(given.get(f"/search/texts/?{asked}&export=data.csv").content.decode())
    )
    [found] = given.get(f"/api/search?{asked}").json()["lines"]

    assert "no date <b>My texts</b>" in shown
    assert (line["published"], row["published"], found["published"]) == ("", "", None)
    dated = markup(given.get("/search/?q=braai&column=register:diary"))
    assert "no date <b>" not in dated


def test_a_text_without_a_date_gives_none_to_lists_and_to_its_collection(given):
    rows = Article.objects.filter(publication__slug="my-texts")
    first, *others = rows.order_by("dated_at")
    rows.exclude(pk=first.pk).update(published_at=None)

    listed = words(given.get("/articles/?pub=my-texts"))
    told = words(given.get("/collections/my-texts/"))

    assert listed.count("no date") == len(others)
    assert "6 May 1921 – 6 May 1921" in told
    rows.update(published_at=None)
    sums = texts_by_publication([first.publication_id])[first.publication_id]
    assert (sums.n_articles, sums.first_at, sums.last_at) == (len(ROWS), None, None)


@pytest.mark.parametrize("n_between", [0, 300], ids=["one slice", "slices apart"])
def test_texts_of_the_same_words_with_other_columns_are_all_kept(tmp_path, n_between):
    path = tmp_path / "answers.csv"
    others = [f"Speaker {n};Answer number {n}." for n in range(n_between)]
    rows = ["speaker;text", "Ann;Yes.", *others, "Ben;Yes.", "Cas;Yes.", "Cas;Yes."]
    path.write_text("\n".join(rows) + "\n")
    told = []
    for _ in range(2):
        arguments = (str(path), "--collection", "Answers", "--language", "en", "--json")
        call_command("import_texts", *arguments, stdout=(out := io.StringIO()))
        told.append(json.loads(out.getvalue()))
        while pipeline.BY_NAME["texts"].run(Claim.make("w", timezone.now())).n_claimed:
            pass

    fields = CollectedField.objects.filter(article__text="Yes.", name="speaker")
    assert sorted(fields.values_list("value", flat=True)) == ["Ann", "Ben", "Cas"]
    assert Article.objects.count() == n_between + 3
    assert not TextImport.objects.exclude(last_error="").exists()
