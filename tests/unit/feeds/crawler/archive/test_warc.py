"""The archive: what is written can be read back, by us and by warcio."""

import gzip
import io
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from warcio.archiveiterator import ArchiveIterator

from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.warc import Original, WarcWriter, payload_digest
from feeds.crawler.archive.warc_reading import ArchiveError, RecordProblem, read_record, walk
from feeds.crawler.fetching.exchange import Exchange, FetchResult
from feeds.crawler.outcomes import Outcome

NOW = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
TEXT = "<p>Maas is sour milk. Brontë.</p>".encode()
BODY = gzip.compress(TEXT)


def exchange(url: str = "https://paper.example/a?b=c", **changes: object) -> Exchange:
    plain = Exchange(
        url=url,
        request_headers=(("Host", "paper.example"), ("User-Agent", "Broadsheet/0.1")),
        status=200,
        reason="OK",
        headers=(
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Encoding", "gzip"),
            ("Transfer-Encoding", "chunked"),
            ("X-Odd", "caf\xe9"),
        ),
        raw_body=BODY,
        started_at=NOW,
        address="93.184.215.14",
    )
    return replace(plain, **changes)


def fetched(*exchanges: Exchange, outcome: Outcome = Outcome.OK) -> FetchResult:
    return FetchResult(
        url=exchanges[0].url if exchanges else "https://paper.example/a",
        outcome=outcome,
        error="",
        started_at=NOW,
        elapsed_ms=12,
        exchanges=exchanges,
        body=TEXT,
    )


@pytest.fixture
def writer(tmp_path):
    with WarcWriter(tmp_path / "archive") as made:
        yield made


def test_write_then_read_gives_the_exchange_back(writer, tmp_path):
    record = writer.write(fetched(exchange()), "page 1")

    found = read_record(
        Archive(tmp_path / "archive"), record.filename, record.offset, record.length
    )

    assert (found.url, found.status, found.reason) == ("https://paper.example/a?b=c", 200, "OK")
    assert found.headers == exchange().headers
    assert (found.raw_body, found.body) == (BODY, TEXT)
    assert (found.fetched_at, found.kind) == (NOW, "response")
    assert record.digest == payload_digest(BODY)


def test_read_without_a_length_gives_the_same(writer, tmp_path):
    writer.write(fetched(exchange("https://paper.example/first")), "page 1")
    record = writer.write(fetched(exchange()), "page 2")

    found = read_record(Archive(tmp_path / "archive"), record.filename, record.offset)

    assert found.url == "https://paper.example/a?b=c"


def test_write_keeps_every_hop_and_points_at_the_last(writer, tmp_path):
    moved = exchange(
        "https://paper.example/old",
        status=301,
        reason="Moved",
        headers=(("Location", "/a"),),
        raw_body=b"",
    )
    record = writer.write(fetched(moved, exchange()), "page 1")
    folder = tmp_path / "archive"

    kinds = [item.kind for item in walk(folder / record.filename)]

    assert kinds == ["warcinfo", "response", "request", "response", "request", "metadata"]
    assert read_record(Archive(folder), record.filename, record.offset).status == 200


def test_write_of_a_fetch_without_answer_leaves_nothing(writer):
    assert writer.write(fetched(outcome=Outcome.TIMEOUT), "page 1") is None
    assert writer.filename == ""


def test_warcio_reads_our_file_and_agrees_with_its_digests(writer, tmp_path):
    record = writer.write(fetched(exchange()), "page 1")
    writer.write(fetched(exchange(headers=(), raw_body=b"plain " * 300)), "page 2")
    path = tmp_path / "archive" / record.filename

    with path.open("rb") as file:
        records = [
            (
                item.rec_type,
                item.rec_headers.get_header("WARC-Target-URI"),
                item.raw_stream.read(),
                item.digest_checker.passed,
            )
            for item in ArchiveIterator(file, check_digests=True)
        ]

    url = "https://paper.example/a?b=c"
    assert [item[:2] for item in records] == [
        ("warcinfo", None),
        ("response", url),
        ("request", url),
        ("metadata", url),
        ("response", url),
        ("request", url),
        ("metadata", url),
    ]
    assert records[1][2] == BODY
    assert records[4][2] == b"plain " * 300
    assert b"fetch: page 1" in records[3][2]
    assert all(item[3] is not False for item in records)


def test_write_of_a_repeated_document_points_at_the_first(writer, tmp_path):
    folder = tmp_path / "archive"
    first = writer.write(fetched(exchange()), "page 1")
    later = exchange(started_at=NOW + timedelta(hours=1))
    second = writer.write(fetched(later), "page 1", Original(first.filename, first.offset, NOW))

    found = read_record(Archive(folder), second.filename, second.offset, second.length)

    assert (found.kind, found.body) == ("revisit", TEXT)
    assert found.fetched_at == NOW + timedelta(hours=1)
    assert second.length < first.length + 400
    assert BODY not in gzip.decompress(
        (folder / second.filename).read_bytes()[second.offset :][: second.length]
    )


def test_write_of_a_304_without_an_original_has_an_empty_body(writer, tmp_path):
    unchanged = exchange(status=304, reason="Not Modified", headers=(), raw_body=b"")
    record = writer.write(fetched(unchanged, outcome=Outcome.NOT_MODIFIED), "page 1")

    found = read_record(Archive(tmp_path / "archive"), record.filename, record.offset)

    assert (found.kind, found.status, found.body) == ("revisit", 304, b"")


def test_write_begins_a_new_file_by_size_age_and_day(tmp_path):
    with WarcWriter(tmp_path, max_bytes=1500) as writer:
        names = [
            writer.write(fetched(exchange()), "1").filename,
            writer.write(fetched(exchange()), "2").filename,
            writer.write(fetched(exchange()), "3").filename,
        ]
    with WarcWriter(tmp_path) as writer:
        today = writer.write(fetched(exchange()), "4").filename
        tomorrow = replace(fetched(exchange()), started_at=NOW + timedelta(days=1))
        then = writer.write(tomorrow, "5").filename

    assert len(set(names)) > 1
    with WarcWriter(tmp_path, max_seconds=0) as writer:
        names = {writer.write(fetched(exchange()), number).filename for number in "67"}
    assert len(names) == 2
    assert (today[:19], then[:19]) == ("broadsheet-20261120", "broadsheet-20261121")
    assert all(item.problem is None for path in tmp_path.iterdir() for item in walk(path))


def test_write_on_a_disk_that_refuses_leaves_the_file_as_it_was(writer, tmp_path, monkeypatch):
    record = writer.write(fetched(exchange()), "page 1")
    path = tmp_path / "archive" / record.filename
    size = path.stat().st_size
    write = os.write

    def refuse(handle, data):
        write(handle, data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(OSError, match="No space left"):
        writer.write(fetched(exchange()), "page 2")
    monkeypatch.undo()

    assert path.stat().st_size == size
    again = writer.write(fetched(exchange()), "page 2")
    assert again.offset == size
    assert all(item.problem is None for item in walk(path))


def test_walk_reports_a_truncated_tail_and_everything_before_it(writer, tmp_path):
    first = writer.write(fetched(exchange()), "page 1")
    second = writer.write(fetched(exchange()), "page 2")
    path = tmp_path / "archive" / first.filename
    os.truncate(path, second.offset + 200)

    found = list(walk(path))

    assert [item.problem for item in found] == [None] * 4 + [RecordProblem.TRUNCATED]
    assert found[-1].offset == second.offset
    assert read_record(Archive(tmp_path / "archive"), first.filename, first.offset).body == TEXT
    with pytest.raises(ArchiveError):
        read_record(Archive(tmp_path / "archive"), second.filename, second.offset)


def test_walk_goes_on_behind_damage(writer, tmp_path):
    first = writer.write(fetched(exchange()), "page 1")
    writer.write(fetched(exchange("https://paper.example/b")), "page 2")
    path = tmp_path / "archive" / first.filename
    body = bytearray(path.read_bytes())
    body[first.offset + 30 : first.offset + 60] = b"\xff" * 30
    path.write_bytes(body)

    found = list(walk(path))

    assert [item.problem for item in found] == [
        None,
        RecordProblem.DAMAGED,
        *[None] * 5,
    ]
    assert [item.kind for item in found[2:]] == [
        "request",
        "metadata",
        "response",
        "request",
        "metadata",
    ]


def test_walk_finds_a_body_that_was_changed(writer, tmp_path):
    record = writer.write(fetched(exchange(headers=(), raw_body=b"true words")), "page 1")
    path = tmp_path / "archive" / record.filename
    whole = path.read_bytes()
    member = gzip.decompress(whole[record.offset :][: record.length])
    forged = gzip.compress(member.replace(b"true words", b"fake words"))
    path.write_bytes(whole[: record.offset] + forged + whole[record.offset + record.length :])

    problems = [item.problem for item in walk(path)]

    assert problems == [None, RecordProblem.BAD_DIGEST, None, None]


@pytest.mark.parametrize(
    "filename", ["../secret.warc.gz", "/etc/passwd", "a/b.warc.gz", "", "x.warc", ".warc.gz"]
)
def test_read_refuses_names_that_are_no_files_of_the_archive(filename, tmp_path):
    with pytest.raises(ArchiveError):
        read_record(Archive(tmp_path), filename, 0)


def test_read_of_a_missing_file_or_a_wrong_place_says_so(writer, tmp_path):
    record = writer.write(fetched(exchange()), "page 1")
    folder = tmp_path / "archive"

    with pytest.raises(ArchiveError, match="cannot be read"):
        read_record(Archive(folder), "broadsheet-none.warc.gz", 0)
    with pytest.raises(ArchiveError, match="no sound record"):
        read_record(Archive(folder), record.filename, record.offset + 1)


def test_read_decodes_a_broken_body_as_far_as_it_goes(writer, tmp_path):
    broken = exchange(raw_body=BODY[:-10], truncated="disconnect")
    record = writer.write(fetched(broken, outcome=Outcome.BAD_ENCODING), "page 1")

    found = read_record(Archive(tmp_path / "archive"), record.filename, record.offset)

    assert found.truncated == "disconnect"
    assert TEXT.startswith(found.body)


def test_reader_takes_what_gzip_takes(writer, tmp_path):
    record = writer.write(fetched(exchange()), "page 1")
    whole = (tmp_path / "archive" / record.filename).read_bytes()

    with gzip.open(io.BytesIO(whole)) as stream:
        text = stream.read()

    assert text.count(b"WARC/1.1\r\n") == 4


def test_repeated_document_is_decoded_as_the_first_one_was_encoded(writer, tmp_path):
    first = writer.write(fetched(exchange()), "page 1")
    plain = exchange(status=304, reason="Not Modified", headers=(("ETag", '"1"'),), raw_body=b"")
    repeated = writer.write(fetched(plain), "page 1", Original(first.filename, first.offset, NOW))

    found = read_record(Archive(tmp_path / "archive"), repeated.filename, repeated.offset)

    assert (found.headers, found.body) == ((("ETag", '"1"'),), TEXT)
