"""The distribution page: rows equal to the concordances they open, dispersion, echo, states."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from factories import NOW, index_all, make_article, make_comment, make_publication
from pages import markup, texts

pytestmark = pytest.mark.django_db

BY = ("pub", "sec", "author", "lang", "weekday", "hour", "quarter", "kind")


def see(client, query=""):
    return client.get(f"/search/distribution/?{query}")


def record_of(client, query):
    return json.loads(see(client, f"{query}&export=json").content)


def tables_of(client, query):
    return {table["name"]: table["rows"] for table in record_of(client, query)["tables"]}


def total_at(client, address):
    response = client.get(address)
    assert response.status_code == 200
    found = re.search(r"<strong>([\d\u202f]+)</strong> hit", markup(response))
    return int(found[1].replace("\u202f", "")) if found else 0


@pytest.fixture
def corpus():
    """Two papers, three sections, comments that take up a word."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    first = make_article(
        "We braai on Saturday. The braai was cold. Nobody came to the braai.",
        section="Food: fire",
        authors=["A. Malgas"],
        dated_at=NOW - timedelta(days=3, hours=5),
    )
    make_article("They braai snoek.", cape, section="Sport", dated_at=NOW - timedelta(days=2))
    second = make_article("Rain fell on the dam.", cape, section="", dated_at=NOW)
    make_comment(first, "A gas braai is a stove.", posted_at=NOW - timedelta(days=3))
    make_comment(second, "We had to braai inside.", posted_at=NOW)
    make_comment(first, "Never.", posted_at=NOW - timedelta(days=1))
    index_all()
    return first


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize(
    "query", ["q=braai&in=both", "q=the&only=pub:karoo-courier", "q=braai&copies=all&sec=Sport"]
)
def test_every_row_opens_exactly_its_hits(reader, corpus, by, query):
    page = markup(see(reader, f"{query}&by={by}"))
    rows = tables_of(reader, f"{query}&by={by}")["distribution"]

    links = re.findall(r'<td class="num"[^>]*><a href="(/search/\?[^"]*)">([\d\u202f]+)</a>', page)
    assert len(links) == sum(row["hits"] > 0 for row in rows) > 0
    for address, n in links:
        assert total_at(reader, unescape(address)) == int(n), address


def test_rows_add_up_to_hits_and_base(reader, corpus):
    for by in BY:
        rows = tables_of(reader, f"q=braai&in=both&by={by}")["distribution"]
        assert sum(row["hits"] for row in rows) == 6
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        assert sum(row["tokens"] for row in rows) == 41


def test_strokes_of_the_barcode_open_their_hits(reader, corpus):
    page = markup(see(reader, "q=braai"))

    barcode = page[page.index('<svg class="chart barcode"') :]
    strokes = re.findall(
        r'<a href="([^"]*)" tabindex="-1"><rect class="bx[^>]*><title>(\d+) hits? here', barcode
    )
    assert len(strokes) == 4
    for address, n in strokes:
        assert total_at(reader, unescape(address)) == int(n)


def test_dispersion_is_measured_over_texts_papers_and_months(reader, corpus):
    rows = {row["parts"]: row for row in tables_of(reader, "q=braai")["dispersion"]}

    # 3 of 16 tokens in the first text, 1 of 4 in the second, none of 6 in the third
    assert (rows["texts"]["range"], rows["texts"]["n"]) == (2, 3)
    assert rows["texts"]["dp"] == pytest.approx(
        (abs(3 / 4 - 16 / 26) + abs(1 / 4 - 4 / 26) + 6 / 26) / 2
    )
    assert (rows["publications"]["range"], rows["publications"]["n"]) == (2, 2)
    assert (rows["months"]["n"], rows["months"]["dp"], rows["months"]["d"]) == (1, 0, None)
    assert float(record_of(reader, "q=braai")["about"]["average reduced frequency"].split()[0]) <= 4


def test_articles_are_set_against_their_comments(reader, corpus):
    tables = tables_of(reader, "q=braai&by=kind")
    page = see(reader, "q=braai&by=kind")

    assert [(row["where"], row["articles"]) for row in tables["who says it first"]] == [
        ("the article, then its comments", 1),
        ("the article only", 0),
        ("the comments only", 1),
        ("neither", 0),
    ]
    assert "5 h" in texts(page, ".fact .v")


def test_weekdays_stand_in_their_order(reader, corpus):
    rows = tables_of(reader, "q=braai&by=weekday")["distribution"]

    assert [row["value"] for row in rows][:2] == ["Monday", "Tuesday"]
    assert len(rows) == 7


def test_few_rows_are_shown_where_asked_for(reader, corpus):
    page = markup(see(reader, "q=braai&by=sec&n=1"))

    assert "The first 1 of 3 rows." in page


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("q=braai&by=colour", "By: “colour” is not among"),
        ("q=braai&n=0", "Rows: “0” is not a whole number from 1 to 1000."),
        ("q=braai&to=2026-02-30", "There is no day 2026-02-30"),
        ("q=braai&only=quarter:1", "Parts of texts are no base for this view."),
        ("q=[&ql=cql", "Character "),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(reader, corpus, query, message):
    response = see(reader, query)

    assert response.status_code == 400
    assert message in unescape(markup(response))


def test_no_query_no_hits_and_no_texts(reader):
    assert "Type a word" in markup(see(reader))
    assert "The corpus has no texts yet." in markup(see(reader, "q=braai"))
    make_article("Rain.")
    index_all()
    assert "No hits" in markup(see(reader, "q=braai"))
