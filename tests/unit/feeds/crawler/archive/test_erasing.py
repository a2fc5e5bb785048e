"""Erased records leave their neighbours, their offsets and the file's length as they were."""

import gzip
from datetime import UTC, datetime
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from feeds.crawler.archive.erasing import (
    TOMBSTONE_URL,
    ErasingError,
    Place,
    overwrite,
    records_of_fetch,
    tombstone,
)
from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.warc import Original, WarcWriter
from feeds.crawler.archive.warc_reading import ArchiveError, read_record, walk
from feeds.crawler.fetching.exchange import Exchange, FetchResult
from feeds.crawler.outcomes import Outcome

NOW = datetime(2026, 11, 23, 0, 10, tzinfo=UTC)


def exchange(url, body=b"<p>The sangoma drank maas.</p>", **changes):
    values = {
        "url": url, "started_at": NOW, "status": 200, "reason": "OK",
        "headers": (("Content-Type", "text/html"),), "request_headers": (("Host", "paper"),),
        "raw_body": body, "truncated": "", "address": "",
    } | changes  # fmt: skip
    return Exchange(**values)


def fetched(*exchanges):
    return FetchResult(
        url=exchanges[0].url, started_at=NOW, outcome=Outcome.OK, exchanges=exchanges,
        body=exchanges[-1].raw_body, error="", elapsed_ms=1,
    )  # fmt: skip


@pytest.fixture
def archive(tmp_path):
    """Three fetches in one file, the second with a redirect before it; still being written."""
    with WarcWriter(tmp_path) as writer:
        first = writer.write(fetched(exchange("https://paper.example/a")), "page 1")
        hop = exchange("https://paper.example/old", b"moved", status=301, reason="Moved")
        secret = exchange("https://paper.example/b", b"<p>The secret of Botha.</p>" * 99)
        second = writer.write(fetched(hop, secret), "page 2")
        third = writer.write(fetched(exchange("https://paper.example/c")), "page 3")
        yield tmp_path, writer, (first, second, third)


def erase(folder, record, start=0):
    places = records_of_fetch(folder / record.filename, record.offset, start)
    assert overwrite(Archive(folder), places, NOW) == {record.filename}
    return len(places)


def read(folder, record):
    return read_record(Archive(folder), record.filename, record.offset, record.length)


def whole(folder, record):
    return gzip.decompress((folder / record.filename).read_bytes())


def test_all_records_of_a_fetch_go_and_the_others_read_as_before(archive):
    folder, _, (first, second, third) = archive
    before = [read(folder, record) for record in (first, third)]
    size = (folder / second.filename).stat().st_size

    n_erased = erase(folder, second)

    assert n_erased == 5  # two answers, two requests, the metadata
    assert [read(folder, record) for record in (first, third)] == before
    assert (folder / second.filename).stat().st_size == size
    assert b"secret" not in whole(folder, second)
    assert b"/old" not in whole(folder, second)
    with pytest.raises(ArchiveError):
        read(folder, second)


def test_every_record_of_the_file_is_sound_afterwards(archive):
    folder, _, (_, second, _) = archive
    places = [record.offset for record in walk(folder / second.filename)]

    erase(folder, second)

    records = list(walk(folder / second.filename))
    assert [record.problem for record in records] == [None] * len(records)
    assert [record.offset for record in records] == places
    assert sum(record.url.startswith(TOMBSTONE_URL) for record in records) == 5


def test_warcio_reads_the_file_afterwards(archive):
    folder, _, (_, second, _) = archive

    erase(folder, second)

    with (folder / second.filename).open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file, check_digests="raise")]
    assert kinds.count("response") == 2
    assert kinds.count("metadata") == 7


def test_erasing_twice_is_erasing_once(archive):
    folder, _, (first, second, third) = archive
    erase(folder, second)

    assert erase(folder, second) == 5
    assert read(folder, first).status == read(folder, third).status == 200


def test_erasing_half_done_is_found_whole_again(archive):
    folder, _, (_, second, third) = archive
    places = records_of_fetch(folder / second.filename, second.offset)
    overwrite(Archive(folder), places[-1:], NOW)

    found = records_of_fetch(folder / second.filename, second.offset)

    assert [place.offset for place in found] == [place.offset for place in places]
    overwrite(Archive(folder), found, NOW)
    assert read(folder, third).status == 200


def test_a_torn_member_is_overwritten_by_its_place(archive):
    folder, _, (first, second, third) = archive
    path = folder / second.filename
    places = records_of_fetch(path, second.offset)
    with path.open("r+b") as file:
        file.seek(second.offset + 20)
        file.write(b"torn")

    overwrite(Archive(folder), places, NOW)

    assert all(record.problem is None for record in walk(path))
    assert read(folder, first).status == read(folder, third).status == 200


def test_reading_begins_at_an_earlier_fetch(archive):
    folder, _, (first, second, _) = archive

    found = records_of_fetch(folder / second.filename, second.offset, first.offset)

    assert found == records_of_fetch(folder / second.filename, second.offset)


def test_a_writer_goes_on_behind_an_erased_record(archive):
    folder, writer, (_, second, _) = archive

    erase(folder, second)
    fourth = writer.write(fetched(exchange("https://paper.example/d")), "page 4")

    assert read(folder, fourth).url == "https://paper.example/d"
    assert all(record.problem is None for record in walk(folder / fourth.filename))


def test_a_revisit_of_another_record_still_finds_it(archive):
    folder, writer, (first, second, _) = archive
    again = writer.write(
        fetched(exchange("https://paper.example/a")),
        "page 1",
        Original(first.filename, first.offset, NOW),
    )

    erase(folder, second)

    assert read(folder, again).body == read(folder, first).body


def test_a_place_without_a_record_is_none(archive):
    folder, _, (first, _, _) = archive

    assert records_of_fetch(folder / first.filename, first.offset + 1) == []


@given(length=st.integers(230, 5_000))
def test_a_tombstone_has_just_its_length(length):
    member = tombstone(length, NOW)

    assert len(member) == length
    assert gzip.decompress(member).startswith(b"WARC/1.1\r\nWARC-Type: metadata\r\n")
    kinds = [record.rec_type for record in ArchiveIterator(BytesIO(member))]
    assert kinds == ["metadata"]


def test_a_tombstone_may_have_the_length_of_a_large_page():
    assert len(tombstone(3_000_000, NOW)) == 3_000_000


def test_what_is_too_short_is_refused():
    with pytest.raises(ErasingError):
        tombstone(100, NOW)


@pytest.mark.parametrize("name", ["../x.warc.gz", "x.txt"])
def test_other_files_are_not_written_to(name, tmp_path):
    with pytest.raises(ErasingError):
        overwrite(Archive(tmp_path), [Place(name, 0, 500)], NOW)


def test_a_place_beyond_the_end_is_refused(archive):
    folder, _, (first, _, _) = archive
    size = (folder / first.filename).stat().st_size

    with pytest.raises(ErasingError):
        overwrite(Archive(folder), [Place(first.filename, size - 10, 300)], NOW)
