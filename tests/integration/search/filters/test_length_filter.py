"""Texts of some length: the same ones on every page, in files and in answers of the API."""

from pathlib import Path

import pytest
from django.conf import settings
from factories import make_publication
from small_corpora import DAY_SECONDS, document, write

pytestmark = pytest.mark.django_db

TEXTS = {
    1: "rain",
    2: "rain and rain",
    3: "heavy rain , and rain | and rain",
    4: "rain and rain",  # a copy of 2
    5: "no rain here , no wind",
}
COPIES = {4: 2}
# Parameters, and the lengths they let through.
LENGTHS = [
    ("minwords=3", range(3, 100)),
    ("maxwords=3", range(4)),
    ("minwords=2&maxwords=6", range(2, 7)),
]
STATISTICS = ["frequency", "collocates", "ngrams", "trend", "distribution", "keyness"]


@pytest.fixture
def corpus():
    make_publication("karoo")
    write(
        Path(settings.INDEX_DIR),
        [
            document(key, text, published_seconds=key * DAY_SECONDS,
                     publication="karoo", duplicate_cluster=COPIES.get(key, 0))
            for key, text in TEXTS.items()
        ],
    )  # fmt: skip


def expected(lengths):
    """Hits, texts and tokens by a slow and obvious count; copies of what is kept count once."""
    kept = {
        key: words
        for key, text in TEXTS.items()
        if len(words := [word for word in text.split() if word != "|"]) in lengths
        and COPIES.get(key) not in TEXTS
    }
    hits = [words.count("rain") for words in kept.values()]
    return sum(hits), sum(map(bool, hits)), sum(map(len, kept.values()))


@pytest.mark.parametrize(("parameters", "lengths"), LENGTHS)
def test_the_concordance_and_its_base_are_of_these_texts(reader, corpus, parameters, lengths):
    page = reader.get(f"/search/?q=rain&{parameters}").context["page"]

    assert (page.total, page.n_texts, page.base_tokens) == expected(lengths)


@pytest.mark.parametrize("view", STATISTICS)
@pytest.mark.parametrize(("parameters", "lengths"), LENGTHS)
def test_every_statistic_has_the_same_base(reader, corpus, view, parameters, lengths):
    answer = reader.get(f"/api/search/{view}/?q=rain&ref=in%3Dboth&{parameters}").json()

    hits, texts, tokens = expected(lengths)
    assert answer["base"]["tokens"] == tokens
    assert (answer.get("hits", hits), answer.get("texts", texts)) == (hits, texts)


def test_a_copy_counts_where_its_original_is_too_short(reader, settings):
    write(
        Path(settings.INDEX_DIR),
        [document(1, "rain"), document(2, "rain again", duplicate_cluster=1)],
    )

    page = reader.get("/search/?q=rain&minwords=2").context["page"]

    assert [line.article_id for line in page.lines] == [2]
    assert (page.total, page.base_tokens) == (1, 2)


def test_chips_base_and_address_say_it(reader, corpus):
    response = reader.get("/search/?maxwords=9&q=rain&minwords=2")

    assert response.context["canonical"] == "/search/?q=rain&minwords=2&maxwords=9"
    assert [(chip.name, chip.value, chip.without) for chip in response.context["chips"]] == [
        ("Length in words", "at least 2", "/search/?q=rain&maxwords=9"),
        ("Length in words", "at most 9", "/search/?q=rain&minwords=2"),
    ]
    words = "articles of at least 2 words of at most 9 words, copies counted once"
    assert response.context["base_words"] == words


@pytest.mark.parametrize("value", ["0", "x", "10000001"])
def test_what_is_no_length_is_refused(reader, corpus, value):
    response = reader.get(f"/search/?q=rain&minwords={value}")

    assert response.status_code == 400
    (error,) = response.context["errors"]
    assert error.message.startswith("Write a whole number from 1 to")
    faults = reader.get(f"/api/search/?q=rain&minwords={value}").json()["error"]["faults"]
    assert [fault["parameter"] for fault in faults] == ["minwords"]


def test_a_greatest_length_below_the_least_is_refused(reader, corpus):
    response = reader.get("/search/?q=rain&minwords=6&maxwords=2")

    assert response.status_code == 400
    assert "The greatest length is below the least." in response.content.decode()


def test_the_document_of_the_api_and_the_controls_have_it(reader, corpus):
    document_ = reader.get("/api/openapi.json").json()

    for path in ("search", "search/frequency", "words"):
        taken = document_["paths"][f"/api/{path}/"]["get"]["parameters"]
        lengths = [row for row in taken if row["name"] == "minwords"]
        assert [row["schema"] for row in lengths] == [{"type": "integer"}]
    assert b'name="minwords"' in reader.get("/search/").content
    assert b'name="ref_minwords"' in reader.get("/search/keyness/").content
