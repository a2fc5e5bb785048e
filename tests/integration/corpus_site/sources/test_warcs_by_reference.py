"""Imports by reference: records stay in the file of others, and what happens when that changes."""

import io
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from foreign_warcs import Answer, warc_file
from newspaper_pages import article_page

from corpus_site import pipeline
from corpus_site.alarms.needs import all_needs
from corpus_site.removal import withdrawals
from extraction.models import Article, Extraction
from extraction.withdrawal.register import Order
from feeds.archive import outside
from feeds.archive.fetches import read_archived
from feeds.models import Fetch, OutsideFile, Page
from feeds.network import archive_folder
from feeds.warc_files.wishes import Wish, offer
from feeds.work.leases import Claim
from search.articles.archived import archived_page

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def answer(number: int, **said) -> Answer:
    words = " ".join(f"word{number}x{place}" for place in range(30))
    body = "".join(f"<p>Sentence {place} of story {number}: {words}.</p>" for place in range(8))
    url = f"https://www.karoo.example/news/a-story-of-number-{number}"
    return Answer(url, article_page(body, title=f"The story with the number {number}"), **said)


ANSWERS = [answer(number) for number in range(3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "elsewhere" / "made.warc.gz"
    found.parent.mkdir()
    found.write_bytes(warc_file(ANSWERS))
    return found


def work(now=NOW, names=("warc", "extract", "detect", "index")):
    stages = [pipeline.BY_NAME[name] for name in names]
    while sum(stage.run(Claim.make("w", now)).n_claimed for stage in stages):
        pass


def take(path: Path):
    (row,) = offer(path, Wish(by_reference=True), NOW)
    work()
    row.refresh_from_db()
    return row


def own_files() -> list[Path]:
    return list(archive_folder().glob("*.warc.gz"))


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command("archive", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("form", ["members", "plain"])
def test_pages_are_read_where_they_lie_and_nothing_is_copied(path, form):
    path.write_bytes(warc_file(ANSWERS, form))
    row = take(path)

    assert (row.counts["stored"], row.counts.get("copied", 0)) == (3, 0)
    assert own_files() == []
    assert Article.objects.filter(in_corpus=True).count() == 3
    fetches = Fetch.objects.order_by("pk")
    assert [read_archived(fetch).body for fetch in fetches] == [one.body for one in ANSWERS]
    assert {fetch.archive_file for fetch in fetches} == {OutsideFile.objects.get().name}
    assert "Sentence 3 of story 0" in archived_page(fetches[0]).markup
    assert "3 records, 3 fetches" in said("verify")


def test_a_member_of_a_wacz_is_read_where_it_lies_and_a_packed_one_is_copied(tmp_path):
    for method, n_copied in ((zipfile.ZIP_STORED, 0), (zipfile.ZIP_DEFLATED, 1)):
        one = answer(10 + n_copied)
        path = tmp_path / f"made{n_copied}.wacz"
        with zipfile.ZipFile(path, "w") as whole:
            whole.writestr("archive/a.warc.gz", warc_file([one]), compress_type=method)
        row = take(path)
        assert row.counts.get("copied", 0) == n_copied
        fetch = Fetch.objects.get(url=one.url)
        assert (fetch.archive_file.startswith("outside-"), read_archived(fetch).body) == (
            not n_copied,
            one.body,
        )


def test_one_member_for_all_records_is_copied(path):
    path.write_bytes(warc_file(ANSWERS, "one member"))
    assert take(path).counts["copied"] == 3
    assert len(own_files()) == 1


def test_a_file_that_is_gone_before_it_was_read_waits_alarms_and_comes_back(path):
    offer(path, Wish(by_reference=True), NOW)
    while pipeline.BY_NAME["warc"].run(Claim.make("w", NOW)).n_claimed:
        pass
    moved = path.rename(path.with_name("moved.warc.gz"))
    pipeline.BY_NAME["extract"].run(Claim.make("w", NOW))

    rows = Extraction.objects.all()
    assert {(row.attempts, row.outcome, bool(row.unread_since)) for row in rows} == {(0, "", True)}
    assert Article.objects.count() == 0
    sentences = [need.sentence for need in all_needs(NOW) if need.kind == "archive"]
    assert any("imported by reference, is away" in sentence for sentence in sentences)

    moved.rename(path)
    pipeline.sweep(NOW + timedelta(seconds=1))
    work(NOW + timedelta(seconds=2))
    assert Article.objects.count() == 3


@pytest.mark.parametrize("harm", ["other", "shorter", "gone"])
def test_a_file_that_is_changed_or_gone_later_is_no_result_and_is_told(path, harm):
    take(path)
    whole = path.read_bytes()
    if harm == "other":  # as long, with another page in the same place
        changed = [Answer(one.url, one.body.replace(b"word", b"wolf")) for one in ANSWERS]
        path.write_bytes(warc_file(changed).ljust(len(whole), b"\0"))
    elif harm == "shorter":
        path.write_bytes(whole[:500])
    else:
        path.unlink()
    fetch = Fetch.objects.order_by("-pk").first()

    assert "moved, changed or gone" in archived_page(fetch).problem
    with pytest.raises(CommandError, match="not sound"):
        said("verify")
    Extraction.objects.all().reschedule(NOW + HOUR, done_digest="")
    work(NOW + HOUR, ("extract",))
    assert Article.objects.filter(in_corpus=True).count() == 3
    assert outside.look_for_files(NOW + 2 * HOUR) == (harm != "other")
    assert (outside.files_away() is not None) == (harm != "other")
    if harm != "other":
        sentences = [need.sentence for need in all_needs(NOW + 2 * HOUR)]
        assert any(str(path) in sentence for sentence in sentences)

    path.write_bytes(whole)
    outside.look_for_files(NOW + 4 * HOUR)
    assert outside.files_away() is None
    assert archived_page(fetch).problem == ""


def test_a_folder_that_was_moved_is_told_once(path):
    take(path)
    folder = path.parent.rename(path.parent.with_name("new"))
    with pytest.raises(CommandError):
        said("moved", "/nowhere", str(folder))
    said("moved", str(path.parent), str(folder))

    assert f"{folder}/made.warc.gz" in said("outside")
    assert "3 records, 3 fetches" in said("verify")


def test_erasing_forgets_the_record_and_leaves_the_file(path, caplog, client):
    take(path)
    before = path.read_bytes()
    article = Article.objects.order_by("pk").first()
    assert outside.count_outside([article.page_id]) == 1
    withdrawals.erase_articles([article.pk], Order("a demand", None, NOW))
    work(NOW, ("erase", "index"))

    article.refresh_from_db()
    assert (article.text, article.erased_at is not None) == ("", True)
    assert path.read_bytes() == before
    assert f"of {path}, no file of ours" in caplog.text
    assert not Fetch.objects.filter(page=article.page).exclude(archive_file="").exists()
    take(path)
    assert Page.objects.filter(pk=article.page_id).exclude(content_digest="").count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_backup_says_what_is_not_in_it(path, tmp_path):
    take(path)
    out = io.StringIO()
    call_command("backup", str(tmp_path / "backups"), stdout=out)
    assert "not in it: 1 file imported by reference" in out.getvalue()


def test_an_upload_cannot_stay_where_it_is(editor, path):
    with path.open("rb") as file:
        page = editor.post("/web-archives/", {"file": file, "by_reference": "on"})
    assert page.status_code == 400
    assert "An upload goes from the disk" in page.content.decode()
