"""Archives with an object store: files go there, are read there, and none is lost between."""

import gzip
import os
import socket
from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, answer
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html
from object_stores import KEYS, new_bucket, s3_server

from corpus_site import pipeline
from corpus_site.alarms.models import AlarmKind
from corpus_site.alarms.needs import all_needs
from corpus_site.removal.withdrawals import erase_articles
from corpus_site.running.executor import Heartbeat
from extraction import extract
from extraction.models import Article, Extraction
from extraction.withdrawal.register import Order
from feeds.archive.uploading import UPLOADER, upload_closed
from feeds.archive.verifying import verify
from feeds.models import ArchiveFile, Fetch, Worker
from feeds.network import archive_folder, archive_store, archive_writer
from feeds.work.leases import Claim

# Files bear the machine's clock: however long the run takes, none of its files is newer than this.
NOW = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
SITE = "http://karoo.example"
pytestmark = [pytest.mark.django_db]


@pytest.fixture(scope="module")
def endpoint():
    with s3_server() as address:
        yield address


@pytest.fixture
def store(endpoint, settings):
    settings.ARCHIVE_URL = f"s3://{new_bucket(endpoint)}/papers"
    settings.ARCHIVE_ENDPOINT_URL = endpoint
    settings.ARCHIVE_KEY_ID, settings.ARCHIVE_SECRET_KEY = KEYS
    return archive_store()


@pytest.fixture
def web(settings):
    """A local server that answers for every site, without delays."""
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        yield started


@pytest.fixture
def stories(store, web):
    """Two fetched stories that are not extracted yet, in a file that is closed."""
    paper = make_paper(NOW)
    for number in (1, 2):
        body = paragraphs_html([*PARAGRAPHS, f"Rain fell on farm {number} of the Karoo at last."])
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        web.routes[f"/story-{number}"] = answer(article_page(body), 200, headers)
        add_page(paper, f"{SITE}/story-{number}", NOW)
    for seconds in range(0, 300, 30):
        crawl(NOW + timedelta(seconds=seconds))
    archive_writer().close()
    assert Fetch.objects.filter(page__isnull=False).count() == 2
    return paper


@pytest.fixture
def elsewhere(settings, tmp_path):
    """Go on as another machine, which has an archive folder of its own."""

    def go():
        settings.ARCHIVE_DIR = tmp_path / "other"
        settings.MACHINE_NAME = "other"

    return go


def work(now):
    extract.pending(100, now)
    while extract.run(20, Claim("tester", now, MINUTE)).n_claimed:
        pass


def the_file():
    return archive_folder() / Fetch.objects.filter(page__isnull=False).first().archive_file


def upload(now=NOW + 10 * MINUTE):
    return upload_closed(now)


def test_what_one_machine_fetched_another_one_reads(stories, elsewhere):
    assert upload().n_uploaded == 1
    elsewhere()

    work(NOW + 11 * MINUTE)

    assert Article.objects.count() == 2
    assert not archive_folder().exists()  # nothing was copied
    assert all(report.is_sound for report in verify())


def test_pages_wait_for_a_file_that_is_not_there_yet_and_come_by_themselves(
    stories, elsewhere, settings
):
    own = settings.ARCHIVE_DIR
    elsewhere()
    work(NOW)
    assert Article.objects.count() == 0
    assert set(Extraction.objects.values_list("attempts", "outcome")) == {(0, "")}

    settings.ARCHIVE_DIR = own
    upload()
    elsewhere()
    work(NOW + MINUTE)

    assert Article.objects.count() == 2


def test_pages_are_left_to_the_machine_that_fetched_them_until_their_file_is_due(
    stories, elsewhere, settings
):
    own, name = settings.ARCHIVE_DIR, settings.MACHINE_NAME
    pages = list(Fetch.objects.filter(page__isnull=False).values_list("page_id", flat=True))
    extract.register_fetched(pages, NOW)
    elsewhere()
    other = Claim("other", NOW + 2 * MINUTE, MINUTE)
    assert extract.run(20, other).n_claimed == 0

    settings.ARCHIVE_DIR, settings.MACHINE_NAME = own, name
    assert extract.run(1, Claim("own", NOW + 2 * MINUTE, MINUTE)).n_claimed == 1
    elsewhere()
    late = Claim("other", NOW + 4 * MINUTE, MINUTE)
    assert extract.run(20, late).n_claimed == 1


def test_file_that_is_written_to_is_not_stored(stories, settings):
    path = the_file()
    moment = (NOW + 9 * MINUTE).timestamp()
    os.utime(path, (moment, moment))

    early = upload(NOW + 9 * MINUTE + timedelta(seconds=settings.ARCHIVE_UPLOAD_SECONDS - 1))
    late = upload(NOW + 9 * MINUTE + timedelta(seconds=settings.ARCHIVE_UPLOAD_SECONDS + 1))

    assert (early.n_uploaded, late.n_uploaded) == (0, 1)


def test_second_turn_stores_nothing_again(stories):
    assert [upload().n_uploaded, upload(NOW + 20 * MINUTE).n_uploaded] == [1, 0]
    assert ArchiveFile.objects.get().uploaded_at == NOW + 10 * MINUTE


def test_kill_before_the_row_stores_the_same_bytes_again(stories, store):
    store.put(the_file(), the_file().name)

    assert upload().n_uploaded == 1

    row = ArchiveFile.objects.get()
    assert (row.n_bytes, row.last_error) == (the_file().stat().st_size, "")


def test_file_that_grew_after_it_was_stored_is_stored_again(stories, store):
    upload()
    with the_file().open("ab") as file:
        file.write(gzip.compress(b"more"))
    assert upload(NOW + 20 * MINUTE).n_uploaded == 1
    assert store.size(the_file().name) == the_file().stat().st_size


def test_disk_gives_up_a_file_once_the_store_has_had_it_for_days(stories, store, settings):
    settings.ARCHIVE_LOCAL_DAYS = 2
    path = the_file()
    upload()
    assert upload(NOW + 1 * DAY).n_removed == 0
    assert path.exists()

    assert upload(NOW + 3 * DAY).n_removed == 1
    assert not path.exists()
    work(NOW + 3 * DAY)
    assert Article.objects.count() == 2


def test_disk_keeps_what_the_store_has_lost(stories, store, settings, tmp_path):
    settings.ARCHIVE_LOCAL_DAYS = 0
    upload()
    (tmp_path / "cut").write_bytes(the_file().read_bytes()[:-10])
    store.put(tmp_path / "cut", the_file().name)

    assert upload(NOW + DAY).n_removed == 0
    assert the_file().exists()


def test_store_that_is_away_is_told_and_waited_for(stories, settings, elsewhere):
    endpoint = settings.ARCHIVE_ENDPOINT_URL
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.ARCHIVE_ENDPOINT_URL = f"http://127.0.0.1:{closed.getsockname()[1]}"

    report = upload()
    assert (report.n_uploaded, report.n_waiting) == (0, 1)
    assert "cannot be used" in report.problem
    assert [need.kind for need in all_needs(NOW + 15 * MINUTE)] == []
    [need] = [need for need in all_needs(NOW + 25 * MINUTE) if need.kind == "store"]
    assert "1 file of" in need.sentence
    assert need.kind in AlarmKind.values
    work(NOW + 25 * MINUTE)  # what this machine fetched it reads meanwhile
    assert Article.objects.count() == 2

    settings.ARCHIVE_ENDPOINT_URL = endpoint
    assert upload(NOW + 30 * MINUTE).n_uploaded == 1
    assert [need for need in all_needs(NOW + 45 * MINUTE) if need.kind == "store"] == []


def test_pages_wait_while_the_store_is_away_and_none_is_taken_for_empty(
    stories, settings, elsewhere
):
    upload()
    endpoint = settings.ARCHIVE_ENDPOINT_URL
    elsewhere()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.ARCHIVE_ENDPOINT_URL = f"http://127.0.0.1:{closed.getsockname()[1]}"
    work(NOW + 11 * MINUTE)
    assert set(Extraction.objects.values_list("attempts", "outcome")) == {(0, "")}

    settings.ARCHIVE_ENDPOINT_URL = endpoint
    work(NOW + 12 * MINUTE)

    assert Article.objects.count() == 2


def test_cut_object_is_no_result(stories, store, elsewhere, tmp_path):
    upload()
    name = the_file().name
    first = Fetch.objects.filter(page__isnull=False).order_by("archive_offset").last()
    (tmp_path / "cut").write_bytes(the_file().read_bytes()[: first.archive_offset + 20])
    store.put(tmp_path / "cut", name)
    elsewhere()

    work(NOW + 11 * MINUTE)

    assert Article.objects.count() == 1
    assert Extraction.objects.get(page=first.page).unread_since is not None
    assert [report.lost for report in verify() if report.filename == name] == [(first.pk,)]


def stored_words(store, name, tmp_path):
    store.fetch(name, tmp_path / "fetched")
    return gzip.decompress((tmp_path / "fetched").read_bytes())


def erase(address, now):
    article = Article.objects.get(url=address)
    erase_articles([article.pk], Order("asked by the author", None, now))
    for _ in range(20):
        for stage in ("extract", "detect", "erase", "index"):
            pipeline.BY_NAME[stage].run(Claim.make("tester", now))


def test_erasing_reaches_the_store_from_any_machine(stories, store, settings, elsewhere, tmp_path):
    own = settings.ARCHIVE_DIR
    work(NOW)
    upload()
    name = the_file().name
    assert b"farm 1 of" in stored_words(store, name, tmp_path)
    elsewhere()

    erase(f"{SITE}/story-1", NOW + 20 * MINUTE)

    assert b"farm 1 of" not in stored_words(store, name, tmp_path)
    assert b"farm 2 of" in stored_words(store, name, tmp_path)
    settings.ARCHIVE_DIR = own
    assert upload_closed(NOW + 21 * MINUTE).n_removed == 1  # its writer's copy is the old one
    assert not (own / name).exists()


def test_erasing_waits_for_a_file_that_only_its_writer_has(
    stories, store, settings, elsewhere, tmp_path
):
    own = settings.ARCHIVE_DIR
    work(NOW)
    name = the_file().name
    elsewhere()
    erase(f"{SITE}/story-1", NOW + 20 * MINUTE)
    assert Article.objects.filter(url=f"{SITE}/story-1").exists()

    settings.ARCHIVE_DIR = own
    upload(NOW + 21 * MINUTE)
    elsewhere()
    erase(f"{SITE}/story-1", NOW + 22 * MINUTE)

    assert b"farm 1 of" not in stored_words(store, name, tmp_path)


def test_uploader_is_ended_by_nobody_and_is_no_worker(stories):
    Heartbeat(UPLOADER, hard_limit=None).stamp("upload", NOW)

    assert Worker.objects.get().hard_limit_at is None
    extract.register_fetched([Fetch.objects.filter(page__isnull=False).first().page_id], NOW)
    assert [need.subject for need in all_needs(NOW) if need.kind == "worker"] == ["No worker"]
