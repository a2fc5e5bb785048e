"""Keyness against words counted elsewhere: numbers by hand, size and source, what is refused."""

import math

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from factories import index_all, make_article
from pages import markup, parsed

from feeds.crawler.documents.limited_work import TOO_MUCH_OF_FILE, Limits
from search.asking.reference_lists import read_list, words_of
from search.collecting import forms
from search.models import ReferenceList

pytestmark = pytest.mark.django_db
# Of 1,000 tokens elsewhere; "unseen" is nowhere here.
LIST = "word\tfreq\nThe\t40\nthe\t20\nsea\t1\nunseen\t500\n!\t9\nbroken\n"


@pytest.fixture
def corpus():
    for number in range(4):
        make_article(f"The sea is cold. The sea is here, says number {number}.")
    index_all()


@pytest.fixture
def given(editor):
    def give(text=LIST, **said):
        fields = {"name": "elsewhere", "source": "Made up by hand", "n_tokens": 1000, **said}
        file = SimpleUploadedFile("list.tsv", text.encode())
        return editor.post("/reference-lists/give/", {"file": file, **fields}, follow=True)

    return give


def see(client, query="", **headers):
    return client.get(
        f"/search/keyness/?ref=list:elsewhere&error=1&min=1&texts=1{query}", **headers
    )


def test_scores_are_those_of_both_counts(reader, corpus, given):
    assert "1 line left out: Line 7: no word and its frequency." in markup(given())
    base = see(reader).context["page"].selection.base.n_tokens
    rows = {row["form"]: row for row in reader.get(
        "/api/search/keyness?ref=list:elsewhere&error=1&min=1&texts=1&measure=logratio"
    ).json()["tables"][0]["rows"]}  # fmt: skip
    sea = rows["sea"]
    assert (sea["hits"], sea["hits_there"], sea["texts"]) == (8, 1, 4)
    assert sea["rate_there"] == pytest.approx(1000)
    assert sea["ratio"] == pytest.approx(math.log2((8 / base) / (1 / 1000)), abs=0.01)
    assert "texts_there" not in sea
    # In lower case "the" stands 60 times there: 8 of so few here are more.
    assert (rows["the"]["hits"], rows["the"]["hits_there"]) == (8, 60)
    assert rows["cold"]["hits_there"] == 0


def test_the_other_side_names_words_that_the_corpus_has_not(reader, corpus, given):
    given()
    answer = reader.get("/api/search/keyness?ref=list:elsewhere&error=1&min=1&side=there").json()
    rows = {row["form"]: row for row in answer["tables"][0]["rows"]}
    assert (rows["unseen"]["hits"], rows["unseen"]["hits_there"]) == (0, 500)
    assert "!" not in rows
    assert answer["notes"]["source of the reference"] == "Made up by hand"


def test_the_page_says_size_and_source_and_offers_the_list(reader, corpus, given):
    given()
    page = markup(see(reader))
    assert "the list elsewhere, 5 words of a corpus of" in page
    assert "Source: Made up by hand" in page
    assert "or a reference list" in page
    form = reader.get("/search/keyness/?in=articles&ref_in=articles&ref_list=elsewhere")
    assert "ref=list:elsewhere" in form.url
    by_lemma = see(reader, "&by=lemma")
    assert by_lemma.status_code == 200
    assert "count lower case, word or lemma" in markup(see(reader, "&by=pos"))
    assert "There is no reference list “nowhere”" in markup(
        reader.get("/search/keyness/?ref=list:nowhere")
    )


def test_a_list_is_kept_once_until_it_is_deleted(editor, browse, corpus, given):
    linguist = browse("linguist")
    given()
    assert "already exists" in markup(given())
    row = ReferenceList.objects.get()
    listed = words_of(row)
    assert (row.n_words, row.n_tokens, row.owner is not None) == (5, 1000, True)
    assert dict(zip(listed.words, listed.counts, strict=True))["unseen"] == 500
    assert linguist.post("/reference-lists/elsewhere/remove/").status_code == 403
    assert "Made up by hand" in markup(linguist.get("/collections/"))
    [form] = parsed(editor.get("/collections/")).cssselect("form[action$='/elsewhere/remove/']")
    assert form.getparent().get("class") == "ask"
    editor.post("/reference-lists/elsewhere/remove/")
    assert not ReferenceList.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The file is empty"),
        ("one two three\nfour\nfive", "No list of words: 2 lines are none"),
        ("word\tfreq\n", "There is no word with a frequency"),
        ("a\t0.5\nb\t12.5\nc\t-1\n", "No list of words"),
    ],
)
def test_what_is_no_list_is_refused(given, text, said):
    answer = given(text)
    assert answer.status_code == 400
    assert said in markup(answer)
    assert not ReferenceList.objects.exists()


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("the\t1,234", ("the", 1234)),
        ("1;the;99", ("the", 99)),
        ("the,7", ("the", 7)),
        ("the 7", ("the", 7)),
        ("New York\t12\tNP", ("New York", 12)),
        ("e\u0301t\u00e9\t3", ("\u00e9t\u00e9", 3)),
    ],
)
def test_lines_of_lists_are_read(line, entry):
    assert read_list([(1, line)]).counts == dict([entry])


@pytest.mark.django_db
def test_a_list_that_takes_too_much_to_read_is_given_up(given, monkeypatch):
    monkeypatch.setattr(forms, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))

    assert TOO_MUCH_OF_FILE in markup(given())
    assert not ReferenceList.objects.exists()
