"""A WACZ by its parts: the zip, the WARC in it, its index, its pages, its digests."""

import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime

import pytest
from warcio.archiveiterator import ArchiveIterator

from feeds.crawler.archive.wacz import AboutFile, Capture, index_key, write_wacz
from feeds.crawler.archive.warc_reading import ArchivedExchange

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def archived(url: str, body: bytes, **changes) -> ArchivedExchange:
    values = {
        "url": url,
        "status": 200,
        "reason": "OK",
        "headers": (("Content-Type", "text/html; charset=utf-8"),),
        "raw_body": body,
        "encoding": "",
        "fetched_at": datetime(2026, 11, 20, 8, 30, 15, tzinfo=UTC),
        "kind": "response",
    }
    return ArchivedExchange(**(values | changes))


def written(tmp_path, *captures: Capture) -> zipfile.ZipFile:
    out = io.BytesIO()
    about = AboutFile("Snow", "/stories/1/", NOW)
    assert write_wacz(out, captures, about, tmp_path) == len(captures)
    return zipfile.ZipFile(out)


def lines_of(index: bytes) -> list[tuple[str, str, dict[str, str]]]:
    parted = [line.split(" ", 2) for line in index.decode().splitlines()]
    return [(key, moment, json.loads(about)) for key, moment, about in parted]


SNOW = archived("https://www.karoo.example/snow", b"<p>Snow.</p>")
HAIL = archived("https://karoo.example/hail?b=1", b"<p>Hail.</p>")


def test_each_line_of_the_index_leads_to_its_record(tmp_path):
    whole = written(tmp_path, Capture(SNOW, "Snow", "Snow."), Capture(HAIL, "Hail", "Hail."))

    warc = whole.read("archive/data.warc.gz")
    found = {}
    for key, moment, about in lines_of(whole.read("indexes/index.cdx")):
        start = int(about["offset"])
        member = io.BytesIO(warc[start : start + int(about["length"])])
        record = next(iter(ArchiveIterator(member)))
        assert record.rec_headers.get_header("WARC-Payload-Digest") == about["digest"]
        url = record.rec_headers.get_header("WARC-Target-URI")
        found[key] = (moment, url, about["url"], record.content_stream().read())
    assert found == {
        "example,karoo)/hail?b=1": ("20261120083015", HAIL.url, HAIL.url, b"<p>Hail.</p>"),
        "example,karoo)/snow": ("20261120083015", SNOW.url, SNOW.url, b"<p>Snow.</p>"),
    }
    assert list(found) == sorted(found)
    assert whole.getinfo("archive/data.warc.gz").compress_type == zipfile.ZIP_STORED


def test_description_has_the_digests_of_all_files(tmp_path):
    whole = written(tmp_path, Capture(SNOW, "Snow", "Snow."))

    package = json.loads(whole.read("datapackage.json"))
    assert {one["path"]: (one["hash"], one["bytes"]) for one in package["resources"]} == {
        name: (f"sha256:{hashlib.sha256(whole.read(name)).hexdigest()}", len(whole.read(name)))
        for name in ("archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl")
    }
    assert package["wacz_version"] == "1.1.1"
    assert (package["mainPageUrl"], package["mainPageDate"]) == (SNOW.url, "2026-11-20T08:30:15Z")
    digest = json.loads(whole.read("datapackage-digest.json"))["hash"]
    assert digest == f"sha256:{hashlib.sha256(whole.read('datapackage.json')).hexdigest()}"
    pages = [json.loads(line) for line in whole.read("pages/pages.jsonl").splitlines()]
    assert pages[0]["format"] == "json-pages-1.0"
    assert [(page["url"], page["ts"], page["title"], page["text"]) for page in pages[1:]] == [
        (SNOW.url, "2026-11-20T08:30:15Z", "Snow", "Snow.")
    ]


def test_a_repeated_body_stands_in_full_under_the_encoding_it_came_in(tmp_path):
    repeated = archived(
        SNOW.url, b"packed", status=304, reason="Not Modified", encoding="br", kind="revisit"
    )

    whole = written(tmp_path, Capture(repeated))

    record = next(iter(ArchiveIterator(io.BytesIO(whole.read("archive/data.warc.gz")))))
    assert record.rec_type == "response"
    assert record.http_headers.get_statuscode() == "200"
    assert record.http_headers.get_header("Content-Encoding") == "br"
    assert record.raw_stream.read() == b"packed"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://a.example", "example,a)/"),
        ("http://www2.A.example/B/", "example,a)/b/"),
        ("https://a.example:8443/x?z=1&y=2", "example,a:8443)/x?y=2&z=1"),
        ("https://[::1]/x", "::1)/x"),
    ],
)
def test_keys_of_the_index_are_host_backwards_and_path(url, key):
    assert index_key(url) == key
