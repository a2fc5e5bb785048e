"""The network of collocates: each of its words, lines and numbers opens exactly its hits."""

import json
import re
from html import unescape

import pytest
from factories import index_all, make_article
from pages import markup

pytestmark = pytest.mark.django_db
QUERY = "q=rain&min=3&net=1"


@pytest.fixture
def corpus():
    """Heavy and dam stand near the same hits, fire and wind near others."""
    for number in range(12):
        make_article(f"Heavy rain filled the dam {number}. No fire, rain or wind {number} came.")
    make_article("The rain fell. The dam is full.")
    index_all()


def see(client, query):
    return client.get(f"/search/collocates/?{query}")


def total_at(client, address):
    found = re.search(r"<strong>([\d\u202f]+)</strong> hit", markup(client.get(unescape(address))))
    return int(found[1].replace("\u202f", "")) if found else 0


def pairs_of(client, query=QUERY):
    tables = json.loads(see(client, f"{query}&export=json").content)["tables"]
    return next(table["rows"] for table in tables if table["name"] == "pairs")


@pytest.mark.parametrize("query", [QUERY, f"{QUERY}&by=word&win=3,3", f"{QUERY}&words=content"])
def test_words_and_lines_open_their_hits(reader, corpus, query):
    page = markup(see(reader, query))

    dot = r'<a href="([^"]*)" tabindex="-1"><circle class="pt[^>]*><title>[^<]*: (\d+) hits? with'
    line = r'<a href="([^"]*)" tabindex="-1"><line class="link"[^>]*><title>[^<]*: (\d+) hits? with'
    for mark in (dot, line):
        found = re.findall(mark, page)
        assert len(found) >= 2
        for address, n in found:
            assert total_at(reader, address) == int(n), address


def test_what_was_counted_before_is_of_the_same_texts_and_settings(reader, corpus):
    queries = (QUERY, f"{QUERY}&win=1,1", f"{QUERY}&by=lemma", f"{QUERY}&min=4")
    first = [pairs_of(reader, query) for query in queries]

    assert [pairs_of(reader, query) for query in reversed(queries)] == first[::-1]
    assert first[0] != first[1]
    make_article("Heavy rain filled the dam again.")
    index_all()
    assert pairs_of(reader) != first[0]


def test_pairs_are_those_of_one_sentence(reader, corpus):
    rows = pairs_of(reader, f"{QUERY}&words=content")

    both = {(row["first"], row["second"]): row["both"] for row in rows}
    assert {frozenset(pair) for pair in both} == {
        frozenset(pair)
        for pair in (
            ("heavy", "dam"),
            ("heavy", "fill"),
            ("dam", "fill"),
            ("fire", "wind"),
            ("fire", "come"),
            ("wind", "come"),
        )
    }
    assert set(both.values()) == {12}
    assert all(row["expected"] < row["both"] for row in rows)


def test_the_network_is_drawn_only_when_it_is_asked_for(reader, corpus):
    page = markup(see(reader, "q=rain&min=3"))

    assert "chart network" not in page
    assert 'name="net"' in page
    assert "chart network" in markup(see(reader, QUERY))


def test_without_collocates_nothing_is_drawn(reader, corpus):
    response = see(reader, "q=rain&min=1000&net=1")

    assert response.status_code == 200
    assert "chart network" not in markup(response)
    assert "No word stands there often enough" in markup(response)


@pytest.mark.parametrize(
    "address",
    ["/search/collocates/?q=rain", "/search/ngrams/?q=rain", "/words/sketch/?lemma=rain"],
)
def test_an_empty_list_offers_half_of_its_least_down_to_one(reader, corpus, address):
    """Followed to its end the offer leads to whatever there is."""
    response, least = reader.get(f"{address}&min=1000"), 1000
    while offered := re.search(r'<a href="([^"]+)">At least (\d+)</a>', markup(response)):
        assert int(offered[2]) == least // 2
        response, least = reader.get(unescape(offered[1])), least // 2

    assert response.status_code == 200
    assert least < 1000
