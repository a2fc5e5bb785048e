"""What the crawl did: by half hour and by publication, on its page and in a terminal."""

import io
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from factories import NOW, make_article, make_feed, make_fetch, make_page, make_publication

from corpus_site.crawl_report import CrawlWork, crawl_report

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def done():
    """One feed and two pages of one paper, in two half hours; NOW is half past ten."""
    paper = make_publication("karoo-courier")
    values = {"elapsed_ms": 500, "wire_bytes": 1000}
    make_fetch(make_feed(paper).page, started_at=NOW - timedelta(minutes=40), **values)
    make_fetch(make_page(paper), started_at=NOW + timedelta(minutes=5), **values)
    gone = make_page(paper)
    make_fetch(gone, started_at=NOW + timedelta(minutes=6), outcome="not_found", **values)
    make_article(publication=paper, created_at=NOW + timedelta(minutes=7))
    return paper


def test_work_is_counted_by_half_hour_and_by_publication(done):
    report = crawl_report(NOW - timedelta(hours=1), NOW + timedelta(hours=1))

    assert report.by_time == (
        (NOW, CrawlWork(0, 2, 1, 1, 2000, 1.0)),
        (NOW - timedelta(hours=1), CrawlWork(1, 0, 0, 0, 1000, 0.5)),
    )
    assert report.by_publication == ((done, CrawlWork(1, 2, 1, 1, 3000, 1.5)),)
    assert report.total == CrawlWork(1, 2, 1, 1, 3000, 1.5)


def test_what_lies_before_is_left_out(done):
    assert crawl_report(NOW, NOW + timedelta(hours=1)).total == CrawlWork(0, 2, 1, 1, 2000, 1.0)


def test_page_answers_for_each_stretch_of_time(linguist, done):
    for hours in ("", "6", "168", "x", "9" * 5000):
        response = linguist.get("/status/report/", {"hours": hours})
        assert (response.status_code, "Report of the crawl" in response.content.decode()) == (
            200,
            True,
        )


def test_terminal_says_when_nothing_was_done():
    out = io.StringIO()

    call_command("report", minutes=30, stdout=out)

    assert out.getvalue().splitlines()[-1].split() == ["in", "all", *"00000", "B", "0", "s"]
    with pytest.raises(CommandError, match="is a number from 1"):
        call_command("report", minutes=0)
