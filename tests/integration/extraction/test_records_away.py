"""Pages whose archived copy cannot be read: they wait with what is known of them, and come back."""

import importlib
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.apps import apps
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html

from corpus_site.alarms.needs import all_needs
from extraction import extract
from extraction.models import Article, Extraction
from feeds.models import Fetch
from feeds.network import archive_folder
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SITE = "http://karoo.example"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def stories(web):
    """Two fetched stories that are not extracted yet."""
    paper = make_paper(NOW)
    for number in (1, 2):
        body = paragraphs_html([*PARAGRAPHS, f"Rain fell on farm {number} of the Karoo at last."])
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        web.routes[f"/story-{number}"] = answer(article_page(body), 200, headers)
        add_page(paper, f"{SITE}/story-{number}", NOW)
    later = NOW
    while Fetch.objects.filter(page__isnull=False).count() < 2:
        crawl(later)
        later += MINUTE
    return paper


def work(now):
    extract.pending(100, now)
    while extract.run(20, Claim("tester", now, MINUTE)).n_claimed:
        pass


def archive_file():
    return archive_folder() / Fetch.objects.filter(page__isnull=False).first().archive_file


def lose():
    """Take the archive's file away, as one that another machine holds; another one is there."""
    archive_file().rename(archive_folder().parent / "elsewhere")
    (archive_folder() / "broadsheet-other.warc.gz").touch()


def find():
    (archive_folder().parent / "elsewhere").rename(archive_file())


def states():
    return sorted(
        Extraction.objects.values_list("outcome", "done_digest", "attempts", "quarantined_at")
    )


def test_file_that_is_missing_is_waited_for_and_nothing_is_said_of_its_pages(stories):
    lose()

    for minutes in range(0, 600, 20):
        work(NOW + minutes * MINUTE)

    assert states() == [("", "", 0, None)] * 2
    assert Article.objects.count() == 0
    assert [row.due_at > NOW for row in Extraction.objects.all()] == [True, True]


def test_waiting_doubles_so_that_many_lost_pages_cost_little(stories):
    lose()

    moments = []
    now = NOW
    for _ in range(14):
        work(now)
        moments.append(now)
        now = Extraction.objects.first().due_at

    waits = [late - early for early, late in pairwise(moments)]
    assert waits[:4] == [timedelta(seconds=s) for s in (30, 30, 60, 120)]
    assert max(waits) == 6 * HOUR


def test_pages_come_back_by_themselves_when_the_file_is_there_again(stories):
    lose()
    for minutes in range(0, 600, 20):
        work(NOW + minutes * MINUTE)
    find()

    work(NOW + 601 * MINUTE)

    assert [row[0] for row in states()] == ["stored", "stored"]
    assert Article.objects.count() == 2
    assert [row.unread_since for row in Extraction.objects.all()] == [None, None]


def test_damaged_record_waits_and_the_others_of_its_file_are_read(stories):
    first = Fetch.objects.filter(page__isnull=False).order_by("pk").first()
    path = archive_folder() / first.archive_file
    whole = path.read_bytes()
    place = first.archive_offset + 12
    path.write_bytes(whole[:place] + b"\0" * 64 + whole[place + 64 :])

    work(NOW)
    one_is_missing = states()
    path.write_bytes(whole)
    work(NOW + HOUR)

    assert [row[0] for row in one_is_missing] == ["", "stored"]
    assert [row[0] for row in states()] == ["stored", "stored"]


def test_article_that_stands_keeps_its_text_while_its_record_is_away(stories):
    work(NOW)
    texts = sorted(Article.objects.values_list("text", flat=True))
    lose()

    extract.read_again(None, NOW + HOUR)
    work(NOW + HOUR)

    assert sorted(Article.objects.values_list("text", flat=True)) == texts
    assert [row[0] for row in states()] == ["stored", "stored"]


def test_somebody_is_told_until_the_file_is_there(stories):
    lose()
    work(NOW)
    told = [need for need in all_needs(NOW) if need.kind == "archive"]
    find()
    work(NOW + HOUR)

    assert len(told) == 1
    assert f"{told[0].subject} {told[0].sentence}".startswith(
        "The archive cannot be read for 2 pages since 20 Nov 2026, 08:00: "
    )
    assert archive_file().name in told[0].sentence
    assert [need for need in all_needs(NOW + HOUR) if need.kind == "archive"] == []


def test_pages_that_were_taken_for_unarchived_are_read_after_an_upgrade(stories):
    work(NOW)
    lost, unarchived = Extraction.objects.order_by("pk")
    Extraction.objects.update(outcome="not_archived")
    Fetch.objects.filter(page=unarchived.page_id).update(archive_file="", archive_offset=None)

    upgrade = importlib.import_module("extraction.migrations.0017_wait_for_records")
    upgrade.read_again(apps, None)

    due = Extraction.objects.filter(due_at__isnull=False)
    assert list(due.values_list("pk", "done_digest")) == [(lost.pk, "")]
