"""The table of texts: a row for each, with exactly its hits, and all that a model needs."""

import csv
import io
import json
import re
from datetime import timedelta
from html import unescape

import pytest
from factories import NOW, index_all, make_article, make_comment, make_publication
from pages import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    """Three articles, one without hits, and two comments, one with a hit."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    first = make_article(
        "We braai. The braai was cold.",
        title="Cold fires",
        section="Food",
        authors=["A. Botha"],
        dated_at=NOW - timedelta(days=3),
    )
    make_article("They braai snoek.", cape, title="Snoek", dated_at=NOW - timedelta(days=2))
    make_article("Rain fell on the dam.", cape, title="Rain", dated_at=NOW - timedelta(days=1))
    comment = make_comment(first, "A gas braai is a stove.", posted_at=NOW)
    make_comment(first, "Never.", posted_at=NOW)
    index_all()
    return first, comment


def see(client, query):
    return client.get(f"/search/texts/?{query}")


def rows_of(client, query):
    (table,) = json.loads(see(client, f"{query}&export=json").content)["tables"]
    return table["rows"]


def total_at(client, address):
    found = re.search(r"<strong>([\d\u202f]+)</strong> hit", markup(client.get(address)))
    return int(found[1]) if found else 0


@pytest.mark.parametrize("query", ["q=braai", "q=braai&in=both&zeros=1", "q=the&in=both&order=new"])
def test_every_number_opens_exactly_its_hits(reader, corpus, query):
    page = markup(see(reader, query))

    links = re.findall(r'<a href="(/search/\?[^"]*only=text[^"]*)">(\d+)</a>', page)
    assert len(links) >= 2
    for address, n in links:
        assert total_at(reader, unescape(address)) == int(n), address


def test_texts_without_hits_are_rows_when_they_are_asked_for(reader, corpus):
    with_hits, every = rows_of(reader, "q=braai"), rows_of(reader, "q=braai&zeros=1")

    assert [(row["title"], row["hits"]) for row in with_hits] == [("Cold fires", 2), ("Snoek", 1)]
    assert [row["hits"] for row in every] == [2, 1, 0]
    assert sum(row["tokens"] for row in every) == 8 + 4 + 6


def test_a_file_has_what_a_model_needs(reader, corpus):
    first, comment = corpus
    text = see(reader, "q=braai&in=both&zeros=1&order=old&export=data.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))

    assert len(rows) == 5
    assert rows[0] == {
        "title": "Cold fires",
        "hits": "2",
        "per_million": "250000.0",
        "tokens": "8",
        "publication": "Karoo Courier",
        "published": "2026-11-17",
        "author": "A. Botha",
        "section": "Food",
        "language": "English",
        "kind": "article",
        "text": str(first.pk),
        "short_name": "karoo-courier",
        "changed": "no",
        "rights": "none",
        "original": first.url,
    }
    assert f"c{comment.pk}" in {row["text"] for row in rows}
    assert {row["kind"] for row in rows} == {"article", "comment"}


@pytest.mark.parametrize(
    ("order", "titles"),
    [
        ("hits", ["Cold fires", "Snoek", "Rain"]),
        ("rate", ["Cold fires", "Snoek", "Rain"]),
        ("new", ["Rain", "Snoek", "Cold fires"]),
        ("old", ["Cold fires", "Snoek", "Rain"]),
        ("long", ["Cold fires", "Rain", "Snoek"]),
    ],
)
def test_rows_are_sorted_as_asked(reader, corpus, order, titles):
    rows = rows_of(reader, f"q=braai&zeros=1&order={order}")

    assert [row["title"] for row in rows] == titles


def test_a_page_shows_the_first_rows_and_a_file_all(reader, corpus):
    page = markup(see(reader, "q=braai&zeros=1&n=1"))

    assert page.count("only=text") == 1
    assert "Snoek" not in page
    assert len(rows_of(reader, "q=braai&zeros=1&n=1")) == 3


def test_no_hits_and_no_query(reader, corpus):
    assert "No hits" in markup(see(reader, "q=nothing"))
    assert len(rows_of(reader, "q=nothing&zeros=1")) == 3
    assert "Type a word" in markup(see(reader, ""))
    assert see(reader, "q=braai&order=up").status_code == 400
