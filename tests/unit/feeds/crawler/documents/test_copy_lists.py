"""Lists of copies as the index servers of three programs write them, after their documents."""

from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

import pytest

from feeds.crawler.documents.copy_lists import (
    Copy,
    NoListError,
    list_addresses,
    one_a_day,
    read_copies,
)

HOME = "http://karoo.example/"
FIRST = Copy(datetime(2013, 12, 20, 8, tzinfo=UTC), HOME, "200", "AAA")
MOVED = Copy(datetime(2013, 12, 29, 8, tzinfo=UTC), HOME, "301", "BBB")
TWO = [FIRST, MOVED]
WAYBACK = b"""[["urlkey","timestamp","original","mimetype","statuscode","digest","length"],
["example,karoo)/","20131220080000","http://karoo.example/","text/html","200","AAA","334"],
["example,karoo)/","20131229080000","http://karoo.example/","text/html","301","BBB","332"],
[],
["example%2Ckaroo%29%2F+20131229080001"]]"""
PYWB = b"""{"urlkey": "example,karoo)/", "timestamp": "20131220080000", \
"url": "http://karoo.example/", "mime": "text/html", "status": "200", "digest": "AAA"}
{"urlkey": "example,karoo)/", "timestamp": "20131229080000", \
"url": "http://karoo.example/", "mime": "text/html", "status": "301", "digest": "BBB"}
"""
CDXJ = b"""!OpenWayback-CDXJ 1.0
example,karoo)/ 20131220080000 {"url": "http://karoo.example/", "status": "200", "digest": "AAA"}
example,karoo)/ 20131229080000 {"url": "http://karoo.example/", "status": "301", "digest": "BBB"}
"""
CDX = b""" CDX N b a m s k r M S V g
example,karoo)/ 20131220080000 http://karoo.example/ text/html 200 AAA - - 334 0 a.warc.gz
example,karoo)/ 20131229080000 http://karoo.example/ text/html 301 BBB - - 332 334 a.warc.gz
"""
RESULT = """<result><mimetype>text/html</mimetype><urlkey>karoo.example/</urlkey>
<digest>{2}</digest><httpresponsecode>{1}</httpresponsecode><url>http://karoo.example/</url>
<capturedate>{0}</capturedate></result>"""
XML = (
    '<?xml version="1.0" encoding="UTF-8"?><wayback>'
    "<request><type>urlquery</type></request><results>"
    + RESULT.format("20131220080000", 200, "AAA")
    + RESULT.format("20131229080000", 301, "BBB")
    + "</results></wayback>"
).encode()


@pytest.mark.parametrize("body", [WAYBACK, PYWB, CDXJ, CDX, XML])
def test_list_is_read_in_each_dialect(body):
    assert read_copies(body) == TWO


@pytest.mark.parametrize("body", [b"", b"[]", b"\n", b"<wayback><results/></wayback>"])
def test_list_of_nothing_is_empty(body):
    assert read_copies(body) == []


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Not found</body></html>",
        b"Not found",
        b'{"error": "no such collection"}',
        b'{"timestamp": "20131220080000"',
        b'["timestamp"]',
        b'[["url"], ["http://karoo.example/"]]',
        b"[" * 100_000,
        b"a b c d e f",
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_list_is_refused(body):
    with pytest.raises(NoListError):
        read_copies(body)


def test_first_good_copy_of_each_day_is_chosen_newest_day_first():
    def at(day, hour, status="200", digest=""):
        return Copy(datetime(2013, 12, day, hour, tzinfo=UTC), HOME, status, digest)

    chosen = one_a_day(
        [
            at(1, 6, "301", "M"),
            at(1, 9, "200", "A"),
            at(1, 12, "200", "B"),
            at(2, 6, "200", "A"),
            at(4, 6, "-", "C"),
            at(3, 6, "503", "D"),
            at(5, 6),
            at(6, 6),
        ]
    )

    assert chosen == [at(6, 6), at(5, 6), at(4, 6, "-", "C"), at(1, 9, "200", "A")]


def test_page_with_a_query_is_asked_for_whole():
    day = datetime(2013, 12, 31, tzinfo=UTC)

    asked = [
        dict(parse_qsl(urlsplit(url).query))
        for url in list_addresses("https://web.archive.org/web", f"{HOME}?a=1&b=2", day, day)
    ]

    assert {query["url"] for query in asked} == {f"{HOME}?a=1&b=2"}
    assert asked[0]["from"] == "20131231000000"
    assert asked[0]["filter"] == "!statuscode:[345].."
