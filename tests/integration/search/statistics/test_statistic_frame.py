"""What all statistic pages share, tried on a page of one table: states, addresses, export."""

import csv
import io
import json
import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from factories import index_all, make_article, make_publication
from pages import links, markup

from search.asking.values import OneOf, Switch, WholeNumber, WrongValueError
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.statistic_page import Shown, StatisticSpec, respond

pytestmark = pytest.mark.django_db

SPEC = StatisticSpec(
    "articles",  # any address name will do
    "Trial",
    (
        OneOf("by", "By", (("word", "word"), ("lemma", "lemma"))),
        WholeNumber("least", "At least", 1, 1, 100),
        Switch("fold", "Fold case"),
    ),
)


def one_table(page):
    if page.values["least"] == 13:
        raise WrongValueError("least", "Not thirteen.")
    columns = (
        Column("word", "Word"),
        Column("hits", "Hits", ColumnKind.COUNT, "how often it occurs"),
        Column("rate", "Per million", ColumnKind.RATE),
    )
    rows = ((Cell("=braai"), Cell(page.hits.total, page.hits_at()), Cell(page.hits.per_million)),)
    return Shown((ResultTable("words", "Words of the hits.", columns, rows),))


def see(query, spec=SPEC):
    request = RequestFactory().get(f"/articles/?{query}")
    request.user = AnonymousUser()
    return respond(request, spec, one_table)


@pytest.fixture
def corpus():
    cape = make_publication("cape-meridian", name="Cape Meridian")
    make_article("We braai on Saturday. The braai was cold.")
    make_article("They braaied snoek.", cape)
    index_all()


def test_without_a_query_the_page_says_what_to_do():
    response = see("")

    assert response.status_code == 200
    assert "Type a word, a phrase or a pattern above" in markup(response)
    assert "<table" not in markup(response)


def test_the_page_shows_hits_base_and_table(corpus):
    page = markup(see("q=braai"))

    assert "<strong>2</strong> hits" in page
    assert "Base: 14 tokens in 2 texts, articles, copies counted once." in page
    assert '<a href="/search/?q=braai">2</a>' in page
    assert 'aria-label="how often it occurs"' in page


def test_own_parameters_stay_and_defaults_are_left_out(corpus):
    page = markup(see("q=braai&by=lemma&least=1&fold=1&sort=old&n=5&asof=1&zzz=1"))

    canonical = "/articles/?q=braai&amp;by=lemma&amp;fold=1&amp;asof=1"
    assert f'<link rel="canonical" href="{canonical}">' in page
    assert "Not known here and left out: zzz." in page
    assert '<option value="lemma" selected>' in page
    assert "Numbers of generation 1" in page


def test_tabs_keep_query_filters_and_generation(corpus):
    page = see('q="braai"&ql=cql&pub=karoo-courier&by=lemma&sort=old&asof=1')

    kept = '/search/?q="braai"&ql=cql&pub=karoo-courier&asof=1'
    assert ("Concordance", kept) in links(page)


def test_a_chip_takes_its_filter_away_and_stays_on_the_page(corpus):
    page = markup(see("q=braai&pub=cape-meridian&by=lemma"))

    assert 'href="/articles/?q=braai&amp;by=lemma" aria-label="Remove filter Publication' in page


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("by=colour", "By: “colour” is not among: word, lemma."),
        ("least=0", "At least: “0” is not a whole number from 1 to 100."),
        ("least=٣", "is not a whole number"),
        ("least=13", "At least: Not thirteen."),
        ("fold=yes", "Fold case: “yes” is neither 1 nor left out."),
        ("from=yesterday", "“yesterday” is no date"),
        ("export=pdf", "“pdf” is no kind of file: csv, xlsx, json"),
    ],
)
def test_a_wrong_value_stops_the_page_and_is_named(corpus, query, message):
    response = see(f"q=braai&{query}")

    assert response.status_code == 400
    assert message in markup(response)
    assert "<table" not in markup(response)


def test_a_wrong_query_is_marked(corpus):
    response = see("q=%5Bword&ql=cql")

    assert response.status_code == 400
    assert "Character " in markup(response)


def test_what_only_a_concordance_reads_does_not_disturb(corpus):
    assert see("q=braai&sort=nonsense&n=a").status_code == 200


def test_no_hits_says_what_was_searched(corpus):
    page = markup(see("q=nothing"))

    assert "Nothing in 14 tokens (articles, copies counted once) matches" in page
    assert "<table" not in page


def test_an_empty_corpus_says_so():
    assert "The corpus has no texts yet." in markup(see("q=braai"))


def test_json_holds_the_rows_and_what_they_rest_on(corpus):
    response = see("q=braai&export=json")

    record = json.loads(response.content)
    assert response["Content-Disposition"] == 'attachment; filename="articles.json"'
    assert record["about"]["query"] == "braai"
    assert record["about"]["generation"] == "1"
    assert record["about"]["address"] == "http://testserver/articles/?q=braai&asof=1"
    assert record["tables"][0]["rows"] == [{"word": "=braai", "hits": 2, "rate": 1e6 * 2 / 14}]


def test_csv_defuses_formulas_and_keeps_numbers(corpus):
    rows = list(csv.reader(io.StringIO(see("q=braai&export=csv").content.decode())))

    assert rows[0] == ["view", "Trial"]
    assert rows[-2:] == [["Word", "Hits", "Per million"], ["'=braai", "2", str(1e6 * 2 / 14)]]


def test_each_table_of_a_page_is_a_file_of_data_alone(reader, corpus):
    page = reader.get("/search/trend/?q=rain&unit=month")
    exports = dict(page.context["exports"])
    tables = page.context["tables"]

    for table in tables:
        which = f": {table.key}" if len(tables) > 1 else ""
        file = reader.get(exports[f"CSV, data only{which}"])
        lines = file.content.decode().splitlines()
        assert len(lines) == 1 + len(table.rows)
        assert len(lines[0].split(",")) == len(table.columns)
        name = f"trend-{table.key}" if len(tables) > 1 else "trend"
        assert re.search(rf'filename="{name}-\d+\.csv"', file["Content-Disposition"])
