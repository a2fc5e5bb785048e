"""Frequency, collocates and n-grams: every cell opens as many hits as it says."""

import json
import re
from html import unescape
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from factories import make_publication, make_user
from pages import markup, rows
from shown_numbers import assert_numbers_open_their_hits
from small_corpora import DAY_SECONDS, document, write

from search.engine.index.documents import DocumentKind
from search.models import Subcorpus

pytestmark = pytest.mark.django_db

ODD = (
    'a.b/a.b/NN "/"/`` c*/c*/NN a.b/a.b/NN back\\slash/back\\slash/NN (/(/-LRB- $5/$5/CD '
    "[x]/[x]/NN it's/it's/NN a|b/a|b/NN ,/,/, Café/café/NN Rain/rain/NNP ?/?/. "
    "a+b/a+b/NN c^d/c^d/NN"
)


@pytest.fixture
def corpus():
    """Two papers, a copy, a comment, and words that look like patterns."""
    make_publication("karoo", name="Karoo Courier")
    make_publication("cape", name="Cape Star")
    rain = (
        "heavy/heavy/JJ rain/rain/NN fell/fall/VBD | "
        "the/the/DT rain/rain/NN and/and/CC the/the/DT rain/rain/NN"
    )
    days = [n * DAY_SECONDS for n in (1, 20, 40, 60, 61)]
    documents = [
        document(1, rain, publication="karoo", section="News", published_seconds=days[0]),
        document(2, rain, publication="cape", duplicate_cluster=1, published_seconds=days[1]),
        document(
            3, "Rain/rain/NN rained/rain/VBD the/the/DT day/day/NN", publication="cape",
            author="A. N. Other: x", published_seconds=days[2],
        ),
        document(4, f"{ODD} | rain/rain/NN {ODD} rain/rain/NN", publication="karoo",
                 published_seconds=days[3]),
        document(
            5, "no/no/DT rain/rain/NN here/here/RB", kind=DocumentKind.COMMENT,
            publication="karoo", parent_key=1, published_seconds=days[4],
        ),
    ]  # fmt: skip
    write(Path(settings.INDEX_DIR), documents)


def total_at(client, address):
    response = client.get(address)
    assert response.status_code == 200, address
    found = re.search(
        r"<strong>([\d\u202f]+)</strong> hit", " ".join(response.content.decode().split())
    )
    return int(found[1].replace("\u202f", "")) if found else 0


@pytest.mark.parametrize("query", ["q=rain", "q=the+rain", "q=rain&copies=all&in=both"])
def test_facets_of_the_concordance_open_the_hits_they_count(reader, corpus, query):
    facets = reader.get(f"/search/?{query}").context["facets"]

    linked = [value for facet in facets for value in facet.values if not value.is_chosen]
    assert [total_at(reader, value.address) for value in linked] == [value.n for value in linked]
    assert {facet.title for facet in facets} == {"Text", "Publication", "Month", "Form"}


def linked_counts(response):
    """Addresses in the cells of the table, and the number each bears."""
    page = response.content.decode()
    found = re.findall(
        r'<td class="num[^>]*><a href="(/search/\?[^"]*)">\s*([\d\u202f]+)\s*</a>', page
    )
    return [(unescape(address), int(n.replace("\u202f", ""))) for address, n in found]


def check_links(client, address, least=1):
    response = client.get(address)
    assert response.status_code == 200
    cells = linked_counts(response)
    assert len(cells) >= least
    for link, n in cells:
        assert total_at(client, link) == n, link


def cql(query):
    return f"q={quote(query)}&ql=cql"


EVERY_WORD = cql("[]")
RAIN = cql('[lemma="rain"]')
PHRASE = cql('[pos="DT|JJ"]? [lemma="rain"]+')


@pytest.mark.parametrize(
    "by",
    ["", "by=word", "by=folded", "by=lemma", "by=pos", "by=lemma%2Bpos", "by=r1.lower",
     "by=l2.lemma", "by=pub", "by=sec", "by=author", "by=month", "by=year", "by=in", "by=lang",
     "by=lemma&by2=pub&form=list", "by=l1.lower&by2=r1.pos&by3=month", "by=word&order=value",
     "by=lower&order=texts&copies=all&in=both"],
)  # fmt: skip
@pytest.mark.parametrize("query", [EVERY_WORD, RAIN, PHRASE])
def test_frequency_cells_open_their_hits(reader, corpus, by, query):
    check_links(reader, f"/search/frequency/?{query}&in=both&{by}")


@pytest.mark.parametrize(
    "by", ["by=lower&by2=pub", "by=pos&by2=month", "by=r1.lower&by2=l1.lower", "by=in&by2=pub"]
)
def test_cross_cells_open_their_hits(reader, corpus, by):
    check_links(reader, f"/search/frequency/?{EVERY_WORD}&in=both&{by}", least=3)


def test_heads_and_margins_of_a_cross_table_open_their_hits(reader, corpus):
    address = f"/search/frequency/?{EVERY_WORD}&in=both&by=lower&by2=pub&n=3"
    cross = reader.get(address).context["cross"]

    margins = [(row.head.address, row.total) for row in cross.rows]
    margins += [(head.address, total) for head, total in cross.margins]
    assert [total_at(reader, link) for link, _ in margins] == [total for _, total in margins]
    page = unescape(reader.get(address).content.decode())
    assert all(page.count(f'href="{link}"') >= 2 for link, _ in margins)


@pytest.mark.parametrize(
    "how",
    ["", "by=lower&win=2,3", "by=word&win=l1", "by=pos&punct=1", "by=lemma%2Bpos&win=0,1",
     "measure=ll&more=1&near=the", "copies=all&in=both&only=pub:cape"],
)  # fmt: skip
def test_collocate_cells_open_their_hits(reader, corpus, how):
    check_links(reader, f"/search/collocates/?{RAIN}&min=1&punct=1&n=200&{how}", least=2)


def test_compared_collocates_open_their_hits(reader, corpus):
    address = f"/search/collocates/?{RAIN}&min=1&q2=%22the%22&in2=articles"

    assert "Beside them: those of “&quot;the&quot;” in articles." in markup(reader.get(address))
    check_links(reader, address, least=4)


def test_a_comparison_asked_again_is_that_of_its_other_side(reader, corpus):
    others = ("q2=the", "q2=day", "pub2=cape", "in2=comments", "q2=the&by=pos")
    addresses = [f"/search/collocates/?q=rain&min=1&{other}" for other in others]

    first = [rows(reader.get(address)) for address in addresses]

    assert [rows(reader.get(address)) for address in addresses] == first
    assert all(one != other for one, other in combinations(first, 2))


@pytest.mark.parametrize(
    "how",
    ["size=2&min=1", "size=3&min=1&punct=1", "size=1&min=1&by=word&punct=1", "by=lemma&min=1",
     "size=2&by=pos&min=1&punct=1", "pattern=the+*&min=1", "size=2&skip=1&min=1",
     "size=3&skip=2&min=2", "size=2&min=1&copies=all&in=both&only=pub:karoo"],
)  # fmt: skip
def test_ngram_cells_open_their_hits(reader, corpus, how):
    check_links(reader, f"/search/ngrams/?{how}&n=200")


@pytest.mark.parametrize(
    "how",
    ["size=2", "size=3&around=starting", "size=2&around=starting&skip=2", "size=2&around=all"],
)
def test_ngrams_around_hits_open_their_hits(reader, corpus, how):
    check_links(reader, f"/search/ngrams/?{RAIN}&min=1&{how}")


def record_of(client, address):
    return json.loads(client.get(f"{address}&export=json").content)


def test_frequency_rows_hold_all_figures(reader, corpus):
    record = record_of(reader, f"/search/frequency/?{RAIN}&by=pub")

    first = record["tables"][0]["rows"][0]
    assert first == {
        "rank": 1, "value0": "Karoo Courier", "hits": 7, "rate": pytest.approx(7e6 / 46),
        "share": pytest.approx(7 / 9), "texts": 2, "publications": 1, "dp": first["dp"],
    }  # fmt: skip
    assert "Per million tokens of the texts of the same publication." in str(record)


@pytest.mark.parametrize("view", ["frequency/?q=*&by=lower", "ngrams/?size=2&around=all&min=1"])
def test_a_file_holds_all_rows_or_says_how_many_it_holds(reader, corpus, view, monkeypatch):
    address = f"/search/{view}&n=2"
    page = markup(reader.get(address))
    whole = record_of(reader, address)["tables"][0]
    monkeypatch.setattr("search.views.statistics.statistic_page.FILE_ROWS", 3)
    cut = record_of(reader, address)

    assert f"The first 2 of {whole['n_all']} rows. <a href" in page
    assert len(whole["rows"]) == whole["n_all"] > 3
    assert cut["tables"][0]["rows"] == whole["rows"][:3]
    assert cut["about"][f"rows of {whole['name']}"] == f"3 of {whole['n_all']}"


def test_one_value_offers_another_count(reader, corpus):
    page = markup(reader.get("/search/frequency/?q=fell"))

    assert "All hits have the same value." in page


def test_what_is_counted_twice_is_refused(reader, corpus):
    response = reader.get("/search/frequency/?q=rain&by=lemma&by2=lemma")

    assert response.status_code == 400
    assert "The same is counted by twice." in markup(response)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (
            "collocates/?q=rain&win=20,20",
            "A window has up to 10 tokens on each side, and at least one.",
        ),
        ("collocates/?q=rain&win=wide", "“wide” is no window"),
        ("collocates/?q=rain&measure=love", "“love” is not among"),
        ("collocates/?q=rain&q2=%5B&in2=both", "is not among"),
        ("collocates/?q=rain&from2=soon", "soon"),
        ("ngrams/?size=9", "“9” is not a whole number from 1 to 6."),
        ("ngrams/?pattern=*+*", "A pattern needs at least one word."),
        ("ngrams/?q=rain&skip=1", "Words are left out only from sequences that begin"),
        ("frequency/?q=rain&by=colour", "“colour” is not among"),
    ],
)
def test_wrong_values_are_named(reader, corpus, address, sentence):
    response = reader.get(f"/search/{address}")

    assert response.status_code == 400
    assert sentence in unescape(markup(response))


def test_collocates_say_what_was_counted(reader, corpus):
    page = markup(reader.get(f"/search/collocates/?{RAIN}&min=1&win=2,2"))

    assert "Within 2 words either side, inside the sentence, by lemma, at least 1 joint" in page
    assert "logDice sets the joint tokens against all hits of the query." in page


def test_collocates_of_a_window_of_one_word_say_so_in_the_singular(reader, corpus):
    page = markup(reader.get(f"/search/collocates/?{RAIN}&min=1&win=1,1"))

    assert "Within 1 word either side" in page


def test_pages_without_hits_say_so(reader, corpus):
    for name in ("frequency", "collocates", "ngrams"):
        page = markup(reader.get(f"/search/{name}/?q=hail"))
        assert "No hits" in page, name
        assert "<table" not in page


def test_pages_of_an_empty_corpus_answer(reader):
    for name in ("frequency/?q=rain", "collocates/?q=rain", "ngrams/", "ngrams/?q=rain"):
        response = reader.get(f"/search/{name}")
        assert response.status_code == 200
        assert "The corpus has no texts yet" in markup(response)


def test_too_many_sequences_are_not_counted_at_once(reader, corpus, monkeypatch):
    monkeypatch.setattr("search.views.statistics.ngrams.MOST_AT_ONCE", 10)

    page = markup(reader.get("/search/ngrams/?size=2"))

    assert "Too many to count while you wait" in page
    assert "/search/ngrams/?size=2&amp;anyway=1" in page
    assert "<table" in markup(reader.get("/search/ngrams/?size=2&anyway=1"))


@pytest.mark.parametrize(
    "address", ["frequency/?q=the&by=r1.lower", "collocates/?q=the", "ngrams/?q=the"]
)
def test_too_many_hits_are_not_looked_at_one_by_one(reader, corpus, monkeypatch, address):
    monkeypatch.setattr("search.views.statistics.counted_values.MOST_HITS", 1)

    response = reader.get(f"/search/{address}")

    assert response.status_code == 400
    assert "too many to look at what stands around each" in markup(response)
    assert reader.get("/search/frequency/?q=the").status_code == 200


@pytest.mark.parametrize(
    ("short", "full"), [("case-form", "word"), ("r1", "r1.lower"), ("l2", "l2.lower")]
)
def test_short_names_of_what_is_counted_are_read(reader, corpus, short, full):
    address = "/search/frequency/?q=rain&by="

    assert (
        record_of(reader, address + short)["tables"]
        == (record_of(reader, address + full)["tables"])
    )


def test_patterns_find_words_whatever_their_case(reader, corpus):
    found = record_of(reader, "/search/ngrams/?pattern=The+*&min=1")

    assert {row["ngram"] for row in found["tables"][0]["rows"]} == {"the rain", "the day"}


def test_collocates_show_their_share_by_quarter(reader, corpus):
    """Texts of the first quarter of 1970, and one of the second."""
    write(
        Path(settings.INDEX_DIR),
        [document(6, "heavy/heavy/JJ rain/rain/NN", publication="karoo",
                  published_seconds=100 * DAY_SECONDS)],
    )  # fmt: skip
    address = f"/search/collocates/?{RAIN}&min=1&n=200"

    rows = {row["collocate"]: row for row in record_of(reader, address)["tables"][0]["rows"]}

    n_hits = record_of(reader, address)["about"]["hits"].split()[0]
    for row in rows.values():
        assert row["time"] == row["hits"] / int(n_hits)
    page = markup(reader.get(address))
    assert "share by quarter, 1970 Q1 to 1970 Q2" in page


def test_collocates_of_very_many_hits_begin_with_a_sample(reader, corpus, monkeypatch):
    monkeypatch.setattr("search.views.statistics.collocates.MOST_AT_ONCE", 3)
    monkeypatch.setattr("search.views.statistics.collocates.SAMPLE_HITS", 3)
    monkeypatch.setattr("search.engine.statistics.collocation.collocates.FEWEST_SEEN", 1)
    address = f"/search/collocates/?{RAIN}&min=1&copies=all&in=both"

    first = reader.get(address)
    page = " ".join(first.content.decode().split())
    exported = json.loads(reader.get(f"{address}&export=json").content)["tables"][0]
    whole = reader.get(first.context["whole"])
    again = reader.get(address)

    assert "<b>Estimated</b> from" in page
    assert "Estimates from one hit in" in page
    assert 'hx-select="section.statistic"' in page
    assert {row[4].value for row in first.context["tables"][0].rows} == {None}
    assert {row[2].address for row in first.context["tables"][0].rows} == {""}
    assert "Estimated" not in whole.content.decode()
    values = [[cell.value for cell in row] for row in whole.context["tables"][0].rows]
    assert [row["joint"] for row in exported["rows"]] == [row[3] for row in values]
    assert "Estimated" not in again.content.decode()


def test_collocates_of_too_many_hits_stay_an_estimate(reader, corpus, monkeypatch):
    monkeypatch.setattr("search.views.statistics.collocates.MOST_AT_ONCE", 3)
    monkeypatch.setattr("search.views.statistics.collocates.SAMPLE_HITS", 3)
    monkeypatch.setattr("search.views.statistics.collocates.MOST_HITS", 4)

    page = reader.get(f"/search/collocates/?{RAIN}&min=1&copies=all&in=both").content.decode()

    assert "These are too many to look at each." in page
    assert "Wait for all hits" not in page


@pytest.mark.parametrize(
    "other", ["pub2=cape", "pub2=Cape+Star", "sub2=cape", "in2=articles&from2=1970"]
)
def test_collocates_stand_beside_those_of_another_part_of_the_corpus(reader, corpus, other):
    Subcorpus.objects.create(
        slug="cape", name="Cape", filters="pub=cape", is_shared=True, owner=make_user("linguist")
    )

    response = reader.get(f"/search/collocates/?{RAIN}&pub=karoo&min=1&{other}")

    assert response.status_code == 200
    assert_numbers_open_their_hits(reader, markup(response), least=1)


def test_another_part_that_is_none_is_named_at_its_control(reader, corpus):
    response = reader.get(f"/search/collocates/?{RAIN}&min=1&pub2=nothing")

    assert response.status_code == 400
    assert "No publication has the name or short name “nothing”." in markup(response)


def test_cells_of_a_cross_table_show_rates_of_their_texts(reader, corpus):
    """Rates refer to the tokens of the publication: hits and base by its own address."""
    address = f"/search/frequency/?{EVERY_WORD}&by=lower&by2=pub&n=3"
    cross = reader.get(f"{address}&cells=rate").context["cross"]

    tokens = {
        slug: reader.get(f"/search/?{EVERY_WORD}&only=pub:{slug}").context["page"].base_tokens
        for slug in ("karoo", "cape")
    }
    by_name = {"Karoo Courier": "karoo", "Cape Star": "cape"}
    bases = [tokens[by_name[head.value]] for head in cross.heads]
    rates = [[cell.per_million for cell in row.cells] for row in cross.rows]
    plain = [
        [pytest.approx(1e6 * cell.n / n) for cell, n in zip(row.cells, bases, strict=True)]
        for row in cross.rows
    ]
    assert rates == plain
    page = reader.get(f"{address}&cells=rate").content.decode()
    assert f"{cross.rows[0].cells[0].rate}" in page
    assert "Per million tokens of the texts of the same publication" in page
