"""`manage.py archive`: everything that rows point at can be read back, and what is lost is told."""

import os
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, page

from feeds.archive.verifying import verify
from feeds.crawler.archive.warc_reading import RecordProblem
from feeds.models import Fetch
from feeds.network import archive_folder

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def fetches(settings):
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        web.routes |= {f"/{n}": page(f"<p>Brontë {n}</p>") for n in range(3)}
        paper = make_paper(NOW)
        for n in range(3):
            add_page(paper, f"http://karoo.example/{n}", NOW)
        crawl(NOW)
    return list(Fetch.objects.exclude(page=None).order_by("archive_offset"))


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("archive", *arguments, stdout=out)
    return out.getvalue()


def test_verify_walks_everything(fetches):
    (report,) = verify()

    assert (report.n_records, report.n_fetches) == (1 + 4 * 3, 4)
    assert report.is_sound
    assert "1 files, 13 records" in run("verify")


def test_verify_of_an_empty_archive_is_sound(settings, tmp_path):
    settings.ARCHIVE_DIR = tmp_path / "none"

    assert run("verify") == "0 files, 0 records, 0 bytes, 0 fetches lost.\n"


def test_verify_tells_of_a_truncated_tail_that_no_row_knows(fetches):
    path = archive_folder() / fetches[0].archive_file
    with path.open("ab") as file:
        file.write(path.read_bytes()[:100])

    (report,) = verify()

    assert [item.problem for item in report.problems] == [RecordProblem.TRUNCATED]
    assert report.is_sound
    assert "truncated at" in run("verify")


def test_verify_fails_where_a_row_has_lost_its_record(fetches):
    path = archive_folder() / fetches[-1].archive_file
    os.truncate(path, fetches[-1].archive_offset + 10)

    (report,) = verify()

    assert report.lost == (fetches[-1].pk,)
    with pytest.raises(CommandError, match="not sound"):
        run("verify")


def test_verify_fails_where_a_file_is_missing(fetches):
    (archive_folder() / fetches[0].archive_file).unlink()

    (report,) = verify()

    assert report.is_missing
    assert len(report.lost) == 4


def test_show_prints_the_archived_answer(fetches):
    fetch = fetches[0]
    number = fetch.url[-1]

    assert run("show", str(fetch.pk)) == f"<p>Brontë {number}</p>\n"
    shown = run("show", str(fetch.pk), "--headers")
    assert shown.startswith(f"200 Status {fetch.url}\n")
    assert "Content-Type: text/html; charset=utf-8\n" in shown


def test_show_of_what_is_not_there_says_so(fetches):
    with pytest.raises(CommandError, match="There is no fetch 999999"):
        run("show", "999999")
    fetch = fetches[0]
    Fetch.objects.filter(pk=fetch.pk).update(archive_offset=None)
    with pytest.raises(CommandError, match="brought no answer"):
        run("show", str(fetch.pk))
