"""Pages of other crawlers' files: chosen, stored once, read by the stages, whatever breaks."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone
from foreign_warcs import Answer, packed_records, warc_file
from killed_work import is_killed_at
from newspaper_pages import article_page
from pages import markup

from corpus_site import pipeline
from corpus_site.management.commands import import_warc
from extraction.models import Article, Extraction
from feeds.crawler.addressing.links import BadPattern
from feeds.models import ArticleFlow, Fetch, Page, PageKind, Publication, Tombstone, WarcImport
from feeds.tombstones import digest_of_key
from feeds.warc_files import importing, slices
from feeds.warc_files.choosing import WarcChoice
from feeds.warc_files.files import WarcFileError, warc_files
from feeds.warc_files.uploads import keep_upload
from feeds.warc_files.waiting_files import waiting_names
from feeds.warc_files.wishes import Wish, offer
from feeds.work import leases
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def page(number: int) -> bytes:
    """Give a page with a text of its own."""
    words = " ".join(f"word{number}x{place}" for place in range(30))
    body = "".join(f"<p>Sentence {place} of story {number}: {words}.</p>" for place in range(8))
    return article_page(body, title=f"The story with the number {number}")


def answer(number: int, host: str = "www.karoo.example", **said: str) -> Answer:
    url = f"https://{host}/news/a-story-of-number-{number}"
    return Answer(url, page(number), **said)


ANSWERS = [answer(number) for number in range(4)]


@pytest.fixture
def warc(tmp_path: Path):
    """Write a file of other crawlers."""

    def write(answers: list[Answer], name: str = "made.warc.gz") -> Path:
        path = tmp_path / name
        path.write_bytes(warc_file(answers))
        return path

    return write


def imported(*arguments: str) -> dict[str, float]:
    out = io.StringIO()
    call_command("import_warc", *arguments, "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def work(now: datetime = NOW) -> None:
    """Let the stages work until nothing is due."""
    stages = [pipeline.BY_NAME[name] for name in ("warc", "extract", "detect")]
    while sum(stage.run(Claim.make("w", now)).n_claimed for stage in stages):
        pass


@pytest.mark.django_db
def test_pages_of_a_file_become_articles_of_their_day(warc):
    path = warc([*ANSWERS, Answer("https://www.karoo.example/", page(9))])
    told = imported(str(path))
    assert {key: told[key] for key in importing.COUNTED} == {
        "records": 6, "pages": 4, "stored": 4, "known": 0, "filtered": 1, "broken": 0,
    }  # fmt: skip
    work(datetime.now(UTC))
    articles = Article.objects.order_by("url")
    assert [article.url for article in articles] == [answer.url for answer in ANSWERS]
    assert {article.dated_at.date().isoformat() for article in articles} == {"2013-05-06"}
    assert all("word2x7" in article.text for article in articles if "number-2" in article.url)
    assert Publication.objects.get().home_url == "https://www.karoo.example/"
    fetch = Fetch.objects.first()
    assert (fetch.visit_reason, fetch.started_at.year) == ("imported from made.warc.gz", 2013)
    assert not Page.objects.filter(kind=PageKind.ARTICLE).exclude(due_at=None).exists()


@pytest.mark.django_db
def test_old_pages_without_a_text_are_no_loss_of_news(warc):
    shell = b'<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
    urls = [f"https://www.karoo.example/news/a-story-of-number-{number}" for number in range(6)]
    imported(str(warc([Answer(url, shell) for url in urls])))

    work(datetime.now(UTC))

    assert Extraction.objects.filter(outcome="empty").count() == 6
    assert not ArticleFlow.objects.exists()


@pytest.mark.django_db
def test_what_is_there_is_stored_once(warc):
    path = warc([*ANSWERS, ANSWERS[0]])
    assert imported(str(path))["known"] == 1
    again = imported(str(path))
    assert (again["stored"], again["known"], again["pages"]) == (0, 5, 5)
    assert Fetch.objects.count() == 4


@pytest.mark.django_db
def test_choice_leaves_out_by_host_address_day_language_and_type(warc):
    others = [
        answer(10, "elsewhere.example"),
        answer(11, "sport.karoo.example"),
        answer(12, date="2014-01-01T00:00:00Z"),
        answer(13, content_type="image/png"),
        answer(14, status="404 Not Found"),
        Answer(ANSWERS[0].url + "-af", b"<html lang='af-ZA'>" + page(15)),
    ]
    path = warc([*ANSWERS, *others])
    chosen = ["--hosts", "*.karoo.example", "--addresses", "number-", "--languages", "en"]
    told = imported(str(path), *chosen, "--to", "2013-12-31")
    assert (told["stored"], told["filtered"]) == (5, 5)
    assert Publication.objects.count() == 1


@pytest.mark.django_db
def test_broken_records_are_lines_of_the_report_and_cost_nothing_else(tmp_path: Path):
    parts = packed_records(ANSWERS)
    broken = bytearray(parts[2])
    broken[60:90] = bytes(30)
    path = tmp_path / "broken.warc.gz"
    path.write_bytes(b"".join([*parts[:2], bytes(broken), *parts[3:4], parts[4][:-40]]))
    err, out = io.StringIO(), io.StringIO()
    call_command("import_warc", str(path), stdout=out, stderr=err)
    assert (Page.objects.count(), "broken: 2" in out.getvalue()) == (2, True)
    assert [line.partition(": ")[2][:7] for line in err.getvalue().splitlines()] == [
        "damaged", "cut off",
    ]  # fmt: skip


@pytest.mark.sql
@pytest.mark.django_db
def test_zero_bytes_in_a_record_are_a_finding_and_cost_nothing_else(tmp_path: Path):
    strange = Answer("https://www.karoo.example/news/1", page(1), date="2013\0")
    path = tmp_path / "strange.warc"
    path.write_bytes(warc_file([strange, *ANSWERS], "plain"))
    counts = imported(str(path))
    assert (counts["broken"], counts["stored"]) == (1, 4)
    assert "“2013\ufffd” is not the date" in WarcImport.objects.get().problems[0][1]


def packed_wacz(packing: int = zipfile.ZIP_DEFLATED, name: str = "archive/data.warc") -> bytearray:
    """Give a WACZ whose records are packed a second time, at byte 47 with the name as it is."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as whole:
        whole.writestr(name, warc_file(ANSWERS, "plain"))
    return bytearray(file.getvalue())


@pytest.mark.django_db
@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_damage_inside_a_wacz_ends_its_import_with_a_finding(tmp_path: Path, packing: int):
    data = packed_wacz(packing)
    data[47:70] = b"\xff" * 23
    (tmp_path / "bad.wacz").write_bytes(data)
    assert imported(str(tmp_path / "bad.wacz"))["broken"] == 1
    assert "the file cannot be read" in WarcImport.objects.get().problems[0][1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (packed_wacz().replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"), "no WARC file"),
        (packed_wacz().replace(b"PK\1\2\x14\3\x14", b"PK\1\2\x14\3\x63"), "zip file version 9.9"),
        (packed_wacz(name="archive/é.warc").replace("é".encode(), b"\xff\xfe"), "invalid start"),
        (packed_wacz(name=f"archive/{'a' * 501}.warc"), "no WARC file"),
    ],
    ids=["encrypted", "another version", "name of no encoding", "long name"],
)
def test_wacz_that_cannot_be_read_is_a_sentence(tmp_path: Path, data: bytearray, said: str):
    (tmp_path / "bad.wacz").write_bytes(data)
    with pytest.raises(WarcFileError, match=said):
        warc_files(tmp_path / "bad.wacz")


@pytest.mark.django_db
def test_wacz_folder_and_publication(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "saved.wacz", "w") as whole:
        whole.writestr("archive/data.warc.gz", warc_file(ANSWERS[:2]))
        whole.writestr("pages/pages.jsonl", "{}")
    (tmp_path / "plain.warc").write_bytes(warc_file(ANSWERS[2:], "plain"))
    paper = Publication.objects.create(
        name="Mine", slug="mine", home_url="https://mine.example/", created_at=NOW
    )
    assert imported(str(tmp_path), "--publication", "mine")["stored"] == 4
    assert set(Page.objects.values_list("publication", flat=True)) == {paper.pk}


@pytest.mark.django_db
def test_erased_addresses_stay_away(warc):
    Tombstone.objects.create(
        digest=digest_of_key("karoo.example/news/a-story-of-number-1"), made_at=NOW
    )
    Tombstone.objects.create(
        digest=digest_of_key("www.karoo.example/news/a-story-of-number-1"), made_at=NOW
    )
    told = imported(str(warc(ANSWERS)))
    assert (told["stored"], told["known"]) == (3, 1)


@pytest.mark.django_db(transaction=True)
def test_killed_at_any_statement_nothing_is_lost_or_double(warc, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_PAGES", 2)
    path = warc(ANSWERS)
    offer(path, Wish(), NOW)
    stage, now = pipeline.BY_NAME["warc"], NOW
    for statement in range(0, 90, 3):
        now += timedelta(hours=1)  # leases of the dead run out
        WarcImport.objects.update(attempts=0)
        claim = Claim.make(f"killed-{statement}", now)
        is_killed_at(statement, lambda claim=claim: stage.run(claim))
    work(now + timedelta(hours=2))
    row = WarcImport.objects.get()
    assert row.finished_at is not None
    assert sorted(Article.objects.values_list("url", flat=True)) == [one.url for one in ANSWERS]
    assert Page.objects.exclude(content_fetch=None).count() == 4


@pytest.mark.django_db
def test_bad_wishes_are_sentences(tmp_path: Path, warc):
    with pytest.raises(BadPattern, match="is no host"):
        offer(warc(ANSWERS), Wish(WarcChoice(hosts=("https://a.example/",))), NOW)
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        imported(str(tmp_path / "nowhere.warc"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match="holds no WARC file"):
        imported(str(tmp_path / "empty"))
    with pytest.raises(CommandError, match="is not a pattern"):
        imported(str(warc(ANSWERS)), "--addresses", "(")
    with pytest.raises(CommandError, match="no code of a language"):
        imported(str(warc(ANSWERS)), "--languages", "en,zulu")
    with pytest.raises(CommandError, match="No publication is called"):
        imported(str(warc(ANSWERS)), "--publication", "nobody")


def test_wrong_day_on_the_command_line_is_a_sentence_and_no_traceback(capsys):
    with pytest.raises(SystemExit):
        import_warc.Command().run_from_argv(
            ["manage.py", "import_warc", "a", "--from", "2014-13-01"]
        )

    assert capsys.readouterr().err.endswith(
        "error: argument --from: “2014-13-01” is no day; write 2013-05-06.\n"
    )


@pytest.mark.django_db
def test_file_without_a_record_is_not_done_well(editor, settings):
    folder = Path(settings.DATA_DIR) / "imports"
    folder.mkdir()
    (folder / "empty.warc").touch()
    editor.post("/web-archives/", {"waiting": "empty.warc"})
    work(timezone.now())

    assert "▲ Done, no page" in markup(editor.get("/web-archives/"))


@pytest.mark.django_db
def test_upload_that_is_refused_does_not_stay_on_the_disk(editor, settings):
    editor.post("/web-archives/", {"file": SimpleUploadedFile("a.wacz", b"x")})

    assert uploads(settings) == []


def uploads(settings) -> list[Path]:
    return sorted((Path(settings.DATA_DIR) / "imports" / "uploads").iterdir())


@pytest.mark.django_db
def test_uploaded_file_goes_once_all_its_parts_are_read(editor, settings):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as packed:
        packed.writestr("archive/a.warc.gz", warc_file(ANSWERS[:2]))
        packed.writestr("archive/b.warc.gz", warc_file(ANSWERS[2:]))
    editor.post("/web-archives/", {"file": SimpleUploadedFile("two.wacz", whole.getvalue())})
    waiting = markup(editor.get("/web-archives/"))
    now = timezone.now()
    first, second = WarcImport.objects.order_by("pk")
    leases.stop(WarcImport.objects.filter(pk=second.pk))
    work(now)
    pipeline.sweep(now)
    n_while_one_is_stopped = len(uploads(settings))
    leases.resume(WarcImport.objects.filter(pk=second.pk), now)
    work(now)
    read = markup(editor.get("/web-archives/"))
    pipeline.sweep(now)

    assert WarcImport.objects.filter(finished_at=None).count() == 0
    assert (n_while_one_is_stopped, uploads(settings)) == (1, [])
    assert Article.objects.count() == 4
    assert waiting.count("The upload goes from the disk once it is read.") == 2
    assert read.count("The upload goes from the disk within minutes.") == 2
    assert markup(editor.get("/web-archives/")).count("The upload is gone from the disk.") == 2
    assert f"{first}" in read


@pytest.mark.django_db
def test_file_that_lies_on_the_machine_stays_when_it_is_read(editor, settings):
    path = Path(settings.DATA_DIR) / "imports" / "news.warc.gz"
    path.parent.mkdir()
    path.write_bytes(warc_file(ANSWERS))
    editor.post("/web-archives/", {"waiting": "news.warc.gz"})
    work(timezone.now())
    pipeline.sweep(timezone.now())

    assert path.exists()
    assert "The file stays where it lies." in markup(editor.get("/web-archives/"))


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "is_left"), [(23, True), (25, False)])
def test_upload_that_no_import_knows_goes_after_a_day(settings, hours, is_left):
    path = keep_upload("lost.warc", [b"x"])
    written = path.stat().st_mtime

    pipeline.sweep(datetime.fromtimestamp(written, UTC) + timedelta(hours=hours))

    assert path.exists() == is_left


@pytest.mark.django_db
def test_uploads_are_not_offered_to_be_read_again(editor):
    editor.post("/web-archives/", {"file": SimpleUploadedFile("a.warc.gz", warc_file(ANSWERS))})

    assert waiting_names() == []


@pytest.mark.django_db
def test_uploaded_file_is_imported_with_its_choice(editor):
    file = SimpleUploadedFile("my pages.warc.gz", warc_file(ANSWERS))
    chosen = {"file": file, "hosts": "karoo.example", "first_day": "2013-01-01"}
    answer = editor.post("/web-archives/", chosen, follow=True)
    row = WarcImport.objects.get()
    assert (row.hosts, str(row.first_day)) == ("karoo.example", "2013-01-01")
    assert row.asked_by is not None
    assert "Waits" in markup(answer)
    work(timezone.now())  # by the clock of the page
    assert "Done" in markup(editor.get("/web-archives/"))
    assert Article.objects.count() == 4


@pytest.mark.django_db
def test_file_that_lies_on_the_machine_is_offered(editor, settings):
    folder = Path(settings.DATA_DIR) / "imports"
    folder.mkdir()
    (folder / "news.warc.gz").write_bytes(warc_file(ANSWERS))
    assert "news.warc.gz" in markup(editor.get("/web-archives/"))
    editor.post("/web-archives/", {"waiting": "news.warc.gz"})
    assert WarcImport.objects.get().path == str(folder / "news.warc.gz")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Choose a file."),
        ({"waiting": "../../etc/passwd"}, "Select a valid choice"),
        ({"file": SimpleUploadedFile("a.txt", b"x")}, "Its name does not end in"),
        ({"file": SimpleUploadedFile("a.wacz", b"x")}, "cannot be read"),
        ({"file": SimpleUploadedFile("a.warc", b"x"), "hosts": "a/b"}, "is no host"),
        ({"file": SimpleUploadedFile("a.warc", b"x"), "address_pattern": "("}, "is not a pattern"),
        ({"file": SimpleUploadedFile("a.warc", b"x"), "languages": "zulu"}, "no code of a lang"),
        (
            {
                "file": SimpleUploadedFile("a.warc", b"x"),
                "first_day": "2014-01-01",
                "last_day": "2013-01-01",
            },
            "lies behind the last",
        ),
    ],
)
def test_wrong_forms_say_why(editor, sent, said):
    answer = editor.post("/web-archives/", sent)
    assert answer.status_code == 400
    assert said in markup(answer)
    assert not WarcImport.objects.exists()


def lay(settings, answers: list[Answer], name: str = "news.warc.gz") -> Path:
    """Put a file into the folder whose files can be chosen."""
    folder = Path(settings.DATA_DIR) / "imports"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(warc_file(answers))
    return folder / name


@pytest.fixture
def looked_at(editor, settings, warc):
    """Have a publication with four pages, and a look into a file with more of it and of another."""
    imported(str(warc(ANSWERS)))
    others = [answer(number, "www.other.example") for number in range(2)]
    lay(settings, [*ANSWERS, answer(8), *others])
    editor.post("/web-archives/", {"waiting": "news.warc.gz", "act": "look"})
    work(timezone.now())
    return WarcImport.objects.get(is_look=True)


@pytest.mark.django_db
def test_a_look_says_whose_pages_a_file_would_bring_and_brings_none(editor, looked_at):
    page = " ".join(markup(editor.get("/web-archives/")).split())
    assert "bring 5 pages to publications that are here, and 2 pages to new ones" in page
    assert "with 4 pages now: 5 pages" in page
    assert "a new publication, www.other.example: 2 pages" in page
    assert (Publication.objects.count(), Fetch.objects.count()) == (1, 4)
    assert "stored" not in looked_at.counts


@pytest.mark.django_db
@pytest.mark.parametrize(("act", "n_known", "n_new"), [("all", 5, 2), ("only-new", 4, 2)])
def test_what_was_looked_at_is_imported_whole_or_without_known_publications(
    editor, looked_at, act, n_known, n_new
):
    editor.post(f"/web-archives/{looked_at.pk}/import/", {"act": act})
    work(timezone.now())

    known, new = Publication.objects.order_by("pk")
    found = [Page.objects.filter(publication=one, kind="article").count() for one in (known, new)]
    assert found == [n_known, n_new]
    row = WarcImport.objects.get(is_look=False, path=looked_at.path)
    assert row.counts["pages"] == row.counts["stored"] + row.counts.get("known", 0)
    # What was decided is not asked again.
    assert "Import all" not in markup(editor.get("/web-archives/"))


@pytest.mark.django_db
def test_a_look_at_what_is_gone_says_so_and_one_that_runs_cannot_be_imported(editor, looked_at):
    Path(looked_at.path).unlink()
    answer = editor.post(f"/web-archives/{looked_at.pk}/import/", {"act": "all"}, follow=True)
    assert "cannot be read" in markup(answer)
    WarcImport.objects.filter(pk=looked_at.pk).update(finished_at=None)
    refused = editor.post(f"/web-archives/{looked_at.pk}/import/", {"act": "all"})
    assert refused.status_code == 404


@pytest.mark.django_db
def test_an_upload_that_was_looked_at_stays_until_it_is_imported(editor):
    file = SimpleUploadedFile("mine.warc.gz", warc_file(ANSWERS))
    editor.post("/web-archives/", {"file": file, "act": "look"})
    work(timezone.now())
    look = WarcImport.objects.get()
    pipeline.sweep(timezone.now())
    assert Path(look.path).exists()

    editor.post(f"/web-archives/{look.pk}/import/", {"act": "all"})
    work(timezone.now())
    pipeline.sweep(timezone.now())
    assert not Path(look.path).exists()
    assert Article.objects.count() == 4
