"""Files of other crawlers: every sound record is read, every fault is one finding."""

import gzip
import io
import time

import pytest
from foreign_warcs import Answer, packed_records, plain_records, warc_file
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.archive import foreign_warc
from feeds.crawler.archive.foreign_answers import ForeignRecordError, answer_of, captured_at
from feeds.crawler.archive.foreign_warc import ForeignRecord, Place, records
from feeds.crawler.outcomes import Outcome

ANSWERS = [
    Answer(f"https://a.example/news/{number}", f"<p>Number {number}</p>".encode() * 20)
    for number in range(5)
]
URLS = [answer.url for answer in ANSWERS]


def read(data: bytes, start: Place = Place()) -> list[ForeignRecord]:  # noqa: B008 (frozen)
    return list(records(io.BytesIO(data), start))


def urls(found: list[ForeignRecord]) -> list[str]:
    return [record.url for record in found if record.kind == "response" and not record.problem]


def problems(found: list[ForeignRecord]) -> list[str]:
    return [record.problem for record in found if record.problem]


@pytest.mark.parametrize("form", ["members", "plain", "one member"])
def test_all_records_are_read_in_each_form(form: str):
    found = read(warc_file(ANSWERS, form))
    assert [record.kind for record in found] == ["warcinfo", *["response"] * 5]
    assert urls(found) == URLS
    assert problems(found) == []


@pytest.mark.parametrize("form", ["members", "plain", "one member"])
def test_reading_goes_on_behind_any_record(form: str):
    data = warc_file(ANSWERS, form)
    whole = read(data)
    for n_read, record in enumerate(whole, start=1):
        assert read(data, record.next_place) == whole[n_read:]


def test_file_that_is_cut_off_gives_all_records_before():
    data = warc_file(ANSWERS)
    found = read(data[: -len(packed_records(ANSWERS[-1:])[1]) // 2])
    assert urls(found) == URLS[:4]
    assert problems(found) == ["cut off at the end of the file"]


def test_damaged_member_costs_itself_alone():
    parts = packed_records(ANSWERS)
    middle = bytearray(parts[3])
    middle[len(middle) // 2 : len(middle) // 2 + 20] = bytes(20)
    found = read(b"".join([*parts[:3], bytes(middle), *parts[4:]]))
    assert urls(found) == [*URLS[:2], *URLS[3:]]
    assert len(problems(found)) == 1


@pytest.mark.parametrize("form", ["members", "plain", "one member"])
@pytest.mark.parametrize("said", [b"3", b"99999", b"", b"-7", b"many"])
def test_record_of_another_length_costs_itself_alone(form: str, said: bytes):
    plain = plain_records(ANSWERS)
    head, separator, block = plain[3].partition(b"\r\n\r\n")
    lines = [
        b"Content-Length: " + said if line.startswith(b"Content-Length") else line
        for line in head.split(b"\r\n")
    ]
    parts = [*plain[:3], b"\r\n".join(lines) + separator + block, *plain[4:]]
    if form == "members":
        found = read(b"".join(gzip.compress(part) for part in parts))
    else:
        joined = b"".join(parts)
        found = read(joined if form == "plain" else gzip.compress(joined))
    assert problems(found)
    if said != b"99999" or form == "members":
        assert urls(found) == [*URLS[:2], *URLS[3:]]


def test_other_bytes_than_the_digest_says_are_found():
    plain = plain_records(ANSWERS)
    plain[2] = plain[2].replace(b"Number 1", b"Number 9", 1)
    found = read(b"".join(plain))
    assert problems(found) == ["damaged: its digest is another"]
    assert urls(found) == [URLS[0], *URLS[2:]]


def test_record_larger_than_a_page_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(foreign_warc, "MAX_BLOCK_BYTES", 2_000)
    large = Answer("https://a.example/large", bytes(50_000))
    for form in ("members", "plain"):
        found = read(warc_file([ANSWERS[0], large, ANSWERS[1]], form))
        assert [record.url for record in found if record.is_too_large] == [large.url]
        assert [record.url for record in found if record.block and record.url] == URLS[:2]


@pytest.mark.parametrize(
    "data", [b"", b"\r\n", b"not an archive\n" * 50, b"\x1f\x8b\x08rubbish", gzip.compress(b"x")]
)
def test_no_archive_is_no_record(data: bytes):
    found = read(data)
    assert not [record for record in found if not record.problem]


def test_text_is_no_damaged_gzip():
    assert problems(read(b"milk\nbread\n")) == ["neither a WARC record nor gzip begins here"]


def test_member_whose_head_takes_all_that_follows_costs_itself_alone():
    parts = packed_records(ANSWERS)
    flags = 3  # of a gzip head (RFC 1952, 2.3): the bit says that a field of some length follows
    parts[0] = parts[0][:flags] + b"\x04" + parts[0][flags + 1 :]

    found = read(b"".join(parts))

    assert problems(found) == ["damaged: it does not end"]
    assert urls(found) == URLS


@given(st.data())
def test_whatever_is_flipped_all_other_records_are_read(data: st.DataObject):
    parts = packed_records(ANSWERS)
    struck = data.draw(st.integers(0, len(parts) - 1))
    at = data.draw(st.integers(0, len(parts[struck]) - 1))
    broken = bytearray(parts[struck])
    broken[at] ^= data.draw(st.integers(1, 255))
    parts[struck] = bytes(broken)
    whole = [url for place, url in enumerate(URLS, start=1) if place != struck]
    assert [url for url in urls(read(b"".join(parts))) if url in whole] == whole


def answer(head: bytes, body: bytes, **headers: str) -> ForeignRecord:
    said = {
        "warc-type": "response",
        "warc-target-uri": "<https://a.example/x>",
        "warc-date": "2013-05-06T07:08:09Z",
    }
    return ForeignRecord(Place(1), said | headers, head + b"\r\n\r\n" + body)


def test_answer_is_what_the_server_said():
    found = answer_of(answer(b"HTTP/1.1 200 OK\r\nContent-Type: text/html", b"<p>hello"))
    assert found is not None
    assert (found.url, found.status, found.body) == ("https://a.example/x", 200, b"<p>hello")
    assert found.started_at.isoformat() == "2013-05-06T07:08:09+00:00"


def test_chunks_are_joined_and_bodies_unpacked():
    packed = gzip.compress(b"<p>hello world</p>")
    chunked = b"%x\r\n%s\r\n5;x=y\r\n%s\r\n0\r\n\r\n" % (len(packed) - 5, packed[:-5], packed[-5:])
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip"
    found = answer_of(answer(head, chunked))
    assert found is not None
    assert (found.body, found.raw_body) == (b"<p>hello world</p>", packed)


def test_body_that_was_unpacked_before_is_taken_as_it_is():
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked"
    found = answer_of(answer(head, b" <p>hello</p>"))
    assert found is not None
    assert found.body == b" <p>hello</p>"
    assert ("X-Orig-Content-Encoding", "br") in found.headers


def test_other_statuses_and_encodings_come_without_a_body():
    gone = answer_of(answer(b"HTTP/1.0 404 Not Found", b"<p>gone"))
    packed = answer_of(answer(b"HTTP/1.1 200 OK\r\nContent-Encoding: br", b"\x0b\x02\x80"))
    assert gone is not None
    assert packed is not None
    assert (gone.status, gone.body, gone.outcome) == (404, b"", Outcome.CLIENT_ERROR)
    assert (packed.body, packed.outcome) == (b"", Outcome.BAD_ENCODING)


def test_requests_and_other_schemes_are_no_answers():
    assert answer_of(answer(b"", b"", **{"warc-type": "request"})) is None
    assert answer_of(answer(b"", b"", **{"warc-target-uri": "dns:a.example"})) is None


def test_answer_that_is_none_says_why():
    with pytest.raises(ForeignRecordError, match="no answer of a server"):
        answer_of(answer(b"hello", b""))
    with pytest.raises(ForeignRecordError, match="is not the date"):
        captured_at(answer(b"HTTP/1.1 200 OK", b"", **{"warc-date": "yesterday"}))


@pytest.mark.parametrize("said", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00"])
def test_date_that_is_outside_of_all_years_in_utc_is_none(said: str):
    with pytest.raises(ForeignRecordError, match="is not the date"):
        captured_at(answer(b"HTTP/1.1 200 OK", b"", **{"warc-date": said}))


def test_length_of_thousands_of_digits_costs_its_record_alone():
    endless = b"WARC/1.0\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\nab\r\n\r\n"
    found = read(endless + warc_file(ANSWERS, "plain"))
    assert (urls(found), problems(found)) == (URLS, ["it says no length"])


def test_file_of_beginnings_of_gzip_is_passed_over_in_its_own_time():
    began = time.process_time()
    found = read(b"\x1f\x8b\x08" * 80_000)
    assert len(found) == 1
    # 3.8 s when each beginning had all that follows to unpack.
    assert time.process_time() - began < 1.5


def test_resource_is_an_answer_with_its_type():
    record = ForeignRecord(
        Place(1),
        {
            "warc-type": "resource",
            "warc-target-uri": "https://a.example/x",
            "warc-date": "2013-05-06T07:08:09Z",
            "content-type": "text/html",
        },
        b"<p>hello",
    )
    found = answer_of(record)
    assert found is not None
    assert (found.content_type, found.body) == ("text/html", b"<p>hello")
