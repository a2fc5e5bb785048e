"""Texts without a date: in no filter, point or year by time, and found by the filter of their own.

Every count is done again here, text by text.
"""

import datetime as dt
import json
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_publication,
    make_user,
)
from pages import markup
from small_corpora import document, write

from extraction.models import Article, Comment
from extraction.status import articles_per_day
from search.asking.address import Address
from search.asking.subcorpora import Named, pin, save_filters
from search.engine.index.documents import UNIX_EPOCH
from search.models import IndexedArticle
from search.stage.sweeping import missed_articles, missed_comments
from search.stage.texts_to_index import read_articles, tagger_versions

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

# Text, day of its date or of its import, whether it has a date.
TEXTS = {
    1: ("rain falls", "2024-02-03", True),
    2: ("rain rain", "2025-02-03", False),
    3: ("no rain and no rain", "2025-02-03", True),
    4: ("rain again and again rain rain rain", "2025-03-04", False),
    5: ("sun", "2025-03-05", True),
}
# Which dates each lets through; "" is none.
FILTERS = {
    "": lambda _: True,
    "from=2025-01-01": lambda date: date >= "2025-01-01",
    "to=2025-02-03": lambda date: "" < date <= "2025-02-03",
    "from=2025-02-03&to=2025-02-03": lambda date: date == "2025-02-03",
    "only=days:2025-01-01..2025-12-31": lambda date: date[:4] == "2025",
    "only=-days:2025-01-01..2025-12-31": lambda date: date[:4] != "2025",
    "only=weekday:1": lambda date: date != "" and dt.date.fromisoformat(date).isoweekday() == 1,
    "undated=yes": lambda date: date == "",
    "undated=no": lambda date: date != "",
    "only=undated:yes": lambda date: date == "",
}
STATISTICS = ["frequency", "collocates", "ngrams", "trend", "distribution", "keyness"]


@pytest.fixture
def corpus():
    make_publication("karoo")
    write(
        Path(settings.INDEX_DIR),
        [
            document(
                key, text, publication="karoo", is_undated=not is_dated,
                published_seconds=(dt.date.fromisoformat(day) - UNIX_EPOCH).days * 86_400,
            )
            for key, (text, day, is_dated) in TEXTS.items()
        ],
    )  # fmt: skip


def counted(keeps):
    """Hits of “rain”, texts with hits and tokens of the texts whose date a filter keeps."""
    dates = [(text, day if is_dated else "") for text, day, is_dated in TEXTS.values()]
    words = [text.split() for text, date in dates if keeps(date)]
    hits = [each.count("rain") for each in words]
    return sum(hits), sum(map(bool, hits)), sum(map(len, words))


@pytest.mark.parametrize("parameters", FILTERS)
def test_filters_find_what_a_slow_count_finds(reader, corpus, parameters):
    page = reader.get(f"/search/?q=rain&{parameters}").context["page"]

    assert (page.total, page.n_texts, page.base_tokens) == counted(FILTERS[parameters])


@pytest.mark.parametrize("view", STATISTICS)
@pytest.mark.parametrize("parameters", FILTERS)
def test_statistics_have_the_same_base(reader, corpus, parameters, view):
    reference = "&ref=undated%3Dno" if view == "keyness" else ""

    answer = reader.get(f"/api/search/{view}/?q=rain&{parameters}{reference}").json()

    assert answer["base"]["tokens"] == counted(FILTERS[parameters])[2]


@pytest.mark.parametrize("unit", ["day", "month", "year"])
def test_a_trend_leaves_them_out_and_says_how_much(reader, corpus, unit):
    width = {"day": 10, "month": 7, "year": 4}[unit]
    points = Counter()
    for text, day, is_dated in TEXTS.values():
        points[day[:width]] += text.split().count("rain") if is_dated else 0

    shown = reader.get(f"/search/trend/?q=rain&by={unit}")
    answer = reader.get(f"/api/search/trend/?q=rain&by={unit}").json()
    (rows,) = (table["rows"] for table in answer["tables"] if table["name"] == "trend")

    assert sorted(row["hits"] for row in rows if row["hits"]) == sorted(
        n for n in points.values() if n
    )
    assert sum(row["tokens"] for row in rows) == counted(FILTERS["undated=no"])[2]
    assert "9 tokens in texts without a date are on no point" in markup(shown)
    assert answer["notes"]["left out"] == "9 tokens in texts without a date"


def test_a_trend_of_nothing_but_them_says_so(reader, corpus):
    shown = markup(reader.get("/search/trend/?q=rain&undated=yes"))

    assert "No hit is in a text with a date: 9 tokens in texts without a date stand on no" in shown


@pytest.mark.parametrize(("by", "width"), [("year", 4), ("month", 7)])
def test_frequency_by_time_has_a_row_for_them(reader, corpus, by, width):
    hits, tokens = Counter(), Counter()
    for text, day, is_dated in TEXTS.values():
        name = day[:width] if is_dated else ""
        hits[name] += text.split().count("rain")
        tokens[name] += len(text.split())

    answer = reader.get(f"/api/search/frequency/?q=rain&by={by}").json()
    rows = answer["tables"][0]["rows"]
    shown = reader.get(f"/search/frequency/?q=rain&by={by}")
    (address,) = [
        row[1].address for row in shown.context["tables"][0].rows if row[1].value == "no date"
    ]

    assert [(row["hits"], round(row["rate"])) for row in rows] == [
        (n, round(1e6 * n / tokens[name])) for name, n in hits.most_common() if n
    ]
    assert f"9 tokens in texts without a date are in no {by}" in markup(shown)
    assert reader.get(address).context["page"].total == hits[""] == 6


def test_the_facet_of_months_leads_to_them(reader, corpus):
    facets = {facet.title: facet for facet in reader.get("/search/?q=rain").context["facets"]}
    value = facets["Month"].values[-1]

    assert (value.label, value.n) == ("no date", 6)
    narrowed = reader.get(value.address)
    assert narrowed.context["page"].total == 6
    assert [chip.value for chip in narrowed.context["chips"]] == ["no date"]


def test_cql_knows_that_they_have_no_year(reader, corpus):
    def hits(condition):
        return reader.get(f'/api/search/?ql=cql&q=[word="rain" %26 {condition}]').json()["hits"]

    assert hits('text_year="2025"') == 2
    assert hits('text_undated="yes"') == hits('text_date=""') == 6
    assert hits('text_year >= "2025"') == 2
    assert hits('text_year < "2025"') == 1


def test_the_command_leaves_them_out_and_names_them(corpus):
    def asked(*options):
        out = StringIO()
        call_command("search", "rain", "--json", *options, stdout=out)
        return json.loads(out.getvalue())

    assert asked("--from", "2025")["total"] == 2
    found = asked("--undated", "yes")
    assert (found["total"], found["base_tokens"]) == counted(FILTERS["undated=yes"])[::2]
    assert {line["published"] for line in found["lines"]} == {None}


def test_living_and_pinned_subcorpora_keep_them_out(reader, corpus):
    owner = make_user()
    living = save_filters(Named("Now", owner, is_shared=True), Address.parse("from=2025"))
    pinned = pin(living, Named("Then", owner, is_shared=True, is_pinned=True))

    for row in (living, pinned):
        page = reader.get(f"/search/?q=rain&sub={row.slug}").context["page"]
        assert (page.total, page.base_tokens) == (2, 6)


def test_an_index_of_before_gets_the_mark_by_itself():
    article = make_article("It rained.", published_at=None)
    index_all(NOW)
    row = IndexedArticle.objects.get()
    (text,) = read_articles([row.pk], tagger_versions())
    assert text.document.is_undated
    IndexedArticle.objects.update(done_digest=text.digest.replace("u", "", 1))

    assert missed_articles(10, tagger_versions()) == [article.pk]
    IndexedArticle.objects.update(done_digest=text.digest)
    assert missed_articles(10, tagger_versions()) == []
    Article.objects.update(published_at=NOW)
    assert missed_articles(10, tagger_versions()) == [article.pk]


def test_comments_without_a_time_are_in_no_day(reader):
    article = make_article("Rain.", published_at=NOW)
    make_comment(article, "Rain rain.", posted_at=NOW, is_undated=True)
    make_comment(article, "No rain.", posted_at=NOW)
    index_all()

    def total(more):
        return reader.get(f"/search/?q=rain&in=comments&{more}").context["page"].total

    day = NOW.date().isoformat()
    assert [total(f"from={day}&to={day}"), total("undated=yes"), total("")] == [1, 2, 3]
    assert "no date" in markup(reader.get(f"/articles/{article.pk}/comments/"))
    comments = reader.get(f"/api/articles/{article.pk}/comments/").json()["comments"]
    assert [one["posted"] is None for one in comments] == [True, False]


def test_a_comment_that_gets_its_time_is_indexed_again(reader):
    comment = make_comment(make_article(), is_undated=True)
    index_all()
    assert not missed_comments(10, tagger_versions())

    Comment.objects.filter(pk=comment.pk).update(is_undated=False)

    assert missed_comments(10, tagger_versions()) == [comment.pk]


def test_a_day_of_the_articles_list_and_its_bar_hold_what_a_search_of_it_finds(reader):
    make_article("Rain.", published_at=NOW, dated_at=NOW)
    make_article("Rain again.", published_at=None, dated_at=NOW)
    index_all()
    day = NOW.date().isoformat()

    found = reader.get(f"/search/?q=rain&from={day}&to={day}").context["page"].total

    assert found == 1
    assert len(reader.get(f"/articles/?day={day}").context["page"].rows) == found
    assert articles_per_day(timezone.localtime(NOW), 1) == [(NOW.date(), found)]
