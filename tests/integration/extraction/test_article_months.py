"""The calendar of a publication's texts: what is there, what lacks, and the way to fill it."""

from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from factories import make_article, make_page, make_publication
from pages import markup

from corpus_site.counts.keeping import keep_counts
from extraction.article_months import MonthState, calendar_of
from feeds.models import Crawl

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture
def paper():
    return make_publication(state="active")


def put(paper, year, month, n, **changes):
    for _ in range(n):
        at = datetime(year, month, 15, 12, tzinfo=UTC)
        make_article(page=make_page(paper), dated_at=at, **changes)


def states(calendar, year):
    months = dict(calendar.years)[year]
    return {one.first.month: (one.state, one.n_texts) for one in months}


def test_months_are_full_thin_empty_or_not_over(paper):
    put(paper, 2026, 8, 6)
    put(paper, 2026, 9, 1)
    put(paper, 2026, 10, 4)
    put(paper, 2026, 11, 1)
    put(paper, 2026, 7, 3, in_corpus=False, reason="gallery page")
    put(make_publication(slug="other", name="Other"), 2026, 6, 2)

    calendar = calendar_of(paper.pk, NOW)

    found = states(calendar, 2026)
    assert {number: found[number] for number in range(6, 13)} == {
        6: (MonthState.EMPTY, 0),
        7: (MonthState.EMPTY, 0),
        8: (MonthState.FULL, 6),
        9: (MonthState.THIN, 1),
        10: (MonthState.FULL, 4),
        11: (MonthState.PRESENT, 1),
        12: (MonthState.FUTURE, 0),
    }
    assert (calendar.usual, [year for year, _ in calendar.years]) == (
        4,
        [2026, 2025, 2024, 2023, 2022],
    )


@pytest.mark.parametrize(
    ("since", "first"), [(None, 2019), (2013, 2013), (2024, 2019), (1990, 1996), (9999, 2019)]
)
def test_calendar_begins_with_the_first_text_or_earlier(paper, since, first):
    put(paper, 2019, 3, 1)

    assert calendar_of(paper.pk, NOW, since).first_year == first


def test_publication_without_a_text_has_only_gaps(paper):
    calendar = calendar_of(paper.pk, NOW)

    assert {state for state, _ in states(calendar, 2025).values()} == {MonthState.EMPTY}
    assert calendar.usual == 0


def test_months_that_an_archive_was_asked_for_lead_to_the_last_crawl(editor, paper):
    values = {"publication": paper, "kind": "archive", "state": "done"}
    first, last = (
        Crawl.objects.create(
            **values, first_day=begin, last_day=end, created_at=datetime(2026, 11, day, tzinfo=UTC)
        )
        for day, begin, end in (
            (20, date(2025, 11, 30), date(2026, 1, 1)),
            (21, date(2025, 12, 1), date(2025, 12, 31)),
        )
    )

    calendar = calendar_of(paper.pk, NOW)
    page = markup(editor.get("/sources/karoo-courier/months/"))

    asked = [(one.first, one.crawl) for _, months in calendar.years for one in months if one.crawl]
    assert asked == [
        (date(2026, 1, 1), first),
        (date(2025, 11, 1), first),
        (date(2025, 12, 1), last),
    ]
    assert f'href="/crawls/{last.pk}/" title="A web archive was asked for December 2025: done"' in (
        " ".join(page.split())
    )


def test_a_gap_leads_an_editor_to_the_form_that_fills_it(editor, linguist, paper):
    place = "/sources/karoo-courier/months/?since=2013"
    shown = markup(editor.get(place))
    form = (
        "/crawls/new/?pub=karoo-courier&kind=archive&limit=2000"
        "&first_day=2013-02-01&last_day=2013-02-28"
    )

    assert form in unescape(shown)
    assert 'title="Fill February 2013 from a web archive"' in shown
    filled = markup(editor.get(form))
    assert ('value="2013-02-01"' in filled, 'value="2013-02-28"' in filled) == (True, True)
    assert "/crawls/new/" not in markup(linguist.get(place))
    assert 'href="/sources/karoo-courier/months/"' in markup(
        linguist.get("/sources/karoo-courier/")
    )


@pytest.mark.parametrize("since", ["", "x", "-1", "٢٠١٣", "99999999999"])
def test_a_year_that_is_none_is_passed_over(editor, paper, since):
    assert editor.get(f"/sources/karoo-courier/months/?since={since}").status_code == 200


def test_figures_of_a_large_publication_are_kept_and_counted_again(paper, settings):
    settings.TALLY_DEAR_MS = 0
    put(paper, 2026, 10, 2)
    first = calendar_of(paper.pk, NOW)
    put(paper, 2026, 10, 1)

    kept = calendar_of(paper.pk, NOW)
    keep_counts(NOW + timedelta(minutes=30))
    again = calendar_of(paper.pk, NOW + timedelta(minutes=30))

    october = [states(one, 2026)[10] for one in (first, kept, again)]
    assert october == [(MonthState.FULL, 2), (MonthState.FULL, 2), (MonthState.FULL, 3)]
    assert again.counted_at == NOW + timedelta(minutes=30)
