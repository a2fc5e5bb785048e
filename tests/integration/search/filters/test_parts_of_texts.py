"""Parts of texts on pages and in the API: searched alone, together, counted and compared.

Two articles and a comment; all numbers are counted by hand from the words below.
"""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from factories import make_article, make_comment

from feeds.work import leases
from search import indexing

NOW = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db

# Bodies: 4 + 4 + 3 (caption) = 11 and 3 + 3 = 6 tokens. Headlines: 4 + 3 = 7. Standfirst: 3.
# “rain”: 2 in headlines, 1 in the standfirst, 2 in bodies (1 of them a quote), 1 in the comment.


@pytest.fixture
def corpus(db):
    first = make_article(
        "Farmers danced today.\nThe rain came!", title="Rain makes farmers dance",
        standfirst="The rain fell", captions="A full dam",
        blocks=[["paragraph", 0, 21], ["quote", 22, 36], ["caption", 37, 47]],
    )  # fmt: skip
    second = make_article(
        "It rained.\nRain fell.", title="More rain tomorrow",
        blocks=[["paragraph", 0, 10], ["paragraph", 11, 21]],
    )  # fmt: skip
    comment = make_comment(first, "Rain at last")
    indexing.pending(1000, NOW)
    indexing.run(1000, leases.Claim("one", NOW, timedelta(seconds=60)))
    return first, second, comment


def figures(reader, **query):
    """Hits, texts, tokens of the base and texts of the base, by the API."""
    answer = reader.get("/api/search/", {"q": "rain", **query}).json()
    base = answer["base"]
    return answer["hits"], answer["texts"], base["tokens"], base["texts"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, (2, 2, 17, 2)),
        ({"part": "body"}, (2, 2, 17, 2)),
        ({"part": "headline"}, (2, 2, 7, 2)),
        ({"part": "standfirst"}, (1, 1, 3, 1)),
        ({"part": "quote"}, (1, 1, 4, 1)),
        ({"part": "caption"}, (0, 0, 3, 1)),
        ({"part": "list_item"}, (0, 0, 0, 0)),
        ({"part": ["headline", "standfirst"]}, (3, 3, 10, 3)),
        ({"part": ["headline", "body"]}, (4, 4, 24, 4)),
        ({"part": ["quote", "body"]}, (2, 2, 17, 2)),
        ({"part": "headline", "in": "both"}, (3, 3, 10, 3)),
        ({"in": "both"}, (3, 3, 20, 3)),
        ({"part": "headline", "in": "comments"}, (1, 1, 3, 1)),
        ({"q": '"rain"%c within headline', "ql": "cql"}, (2, 2, 7, 2)),
        ({"q": '"rain"%c within quote', "ql": "cql"}, (1, 1, 17, 2)),
        ({"q": '<text> "rain"%c', "ql": "cql", "part": "headline"}, (1, 1, 7, 2)),
    ],
)
def test_numbers_of_parts(reader, corpus, query, expected):
    assert figures(reader, **query) == expected


def test_a_wrong_part_is_named(reader, corpus):
    answer = reader.get(reverse("search"), {"q": "rain", "part": "footer"})

    assert answer.status_code == 400
    assert "“footer” is no part of the text" in answer.content.decode()


def test_hits_are_counted_by_part_beside_the_lines_and_lead_there(reader, corpus):
    page = reader.get(reverse("search"), {"q": "rain"})

    facet = next(facet for facet in page.context["facets"] if facet.title == "Part of the text")
    counts = {value.label: value.n for value in facet.values}
    assert counts == {"Body": 2, "Headlines": 2, "Standfirsts": 1, "Quotes": 1}
    [headlines] = [value for value in facet.values if value.label == "Headlines"]
    there = reader.get(headlines.address)
    assert (there.context["page"].total, there.context["base_words"]) == (
        2, "headlines of articles, copies counted once",
    )  # fmt: skip


def test_a_phrase_of_a_headline_is_not_lost_on_who_looks_in_bodies(reader, corpus):
    page = reader.get(reverse("search"), {"q": '"more rain tomorrow"'})

    [way] = page.context["other_parts"]
    assert (page.context["page"].total, way.label, way.n) == (0, "Headlines", 1)
    assert reader.get(way.address).context["page"].total == 1


def test_a_page_says_that_bodies_alone_count_where_they_do(reader, corpus):
    bodies, headlines = (
        reader.get(reverse("search"), {"q": "rain", "part": part}).content.decode()
        for part in ("", "headline")
    )

    assert "Bodies alone</a>, without headlines" in bodies
    assert "Bodies alone" not in headlines


def test_a_query_that_names_the_headline_looks_there_and_says_so(reader, corpus):
    page = reader.get(reverse("search"), {"q": '[word="Rain"] within headline', "ql": "cql"})

    assert [line.node for line in page.context["page"].lines] == ["Rain"]
    assert page.context["base_words"].startswith("headlines of articles")
    assert "headline</span>" in page.content.decode()


def test_a_hit_in_a_quote_is_found_in_its_article(reader, corpus):
    page = reader.get(reverse("search"), {"q": "rain", "part": "quote"})

    [row] = page.context["lines"]
    article = reader.get(row.address.partition("#")[0]).content.decode()
    assert row.hit == f"q{corpus[0].pk}-1"
    assert f'id="h{row.hit}"' in article
    assert (row.wide.before, row.wide.left, row.wide.node) == (
        "Farmers danced today.",
        "The ",
        "rain",
    )


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("frequency", {"q": "rain", "by": "lower"}),
        ("distribution", {"q": "rain", "by": "pub"}),
        ("trend", {"q": "rain", "by": "year"}),
    ],
)
def test_statistics_of_hits_rest_on_the_part(reader, corpus, path, query):
    answer = reader.get(f"/api/search/{path}/", query | {"part": "headline"}).json()

    assert answer["base"]["tokens"] == 7
    row = answer["tables"][0]["rows"][0]
    assert (row["hits"], row["rate"]) == (2, pytest.approx(2e6 / 7))


def test_key_words_of_headlines_against_the_bodies(reader, corpus):
    query = {"part": "headline", "ref": "in=articles", "min": 1, "texts": 1, "error": 1}

    answer = reader.get("/api/search/keyness/", query).json()

    rows = {row["form"]: row for row in answer["tables"][0]["rows"]}
    assert (rows["rain"]["hits"], rows["rain"]["hits_there"]) == (2, 2)
    assert (rows["farmers"]["hits"], rows["farmers"]["hits_there"]) == (1, 1)
    assert (rows["tomorrow"]["hits"], rows["tomorrow"]["hits_there"]) == (1, 0)
    # 2 of 7 tokens, and 2 of 17.
    assert rows["rain"]["rate"] == pytest.approx(2e6 / 7)
    assert rows["rain"]["rate_there"] == pytest.approx(2e6 / 17)


def test_every_statistic_takes_parts(reader, corpus):
    for path in ("collocates", "ngrams", "words", "zipf"):
        query = {"q": "rain", "part": ["headline", "standfirst"], "n": 2, "min": 1}
        page = reader.get(reverse(path), query)
        assert page.status_code == 200, path
        assert "headlines and standfirsts of articles" in page.content.decode(), path
