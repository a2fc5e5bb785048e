"""The encoding of a document, by the WHATWG rules and our two departures."""

import gzip
import json

import pytest
from shared_data import shared

from feeds.crawler.documents.charset import (
    CharsetEvidence,
    DecodedText,
    decode,
    find_encoding,
    header_charset,
    prescan,
)
from feeds.crawler.documents.encodings import encoding_name, is_single_byte, python_codec


@pytest.mark.parametrize(
    ("body", "content_type", "encoding", "evidence"),
    [
        (b"\xef\xbb\xbfx", "text/html; charset=iso-8859-1", "UTF-8", CharsetEvidence.MARK),
        ("\ufeffé".encode("utf-16-le"), "", "UTF-16LE", CharsetEvidence.MARK),
        (b"x", "text/html; charset=koi8-r", "KOI8-R", CharsetEvidence.HEADER),
        (b'<meta charset="koi8-r">', "text/html", "KOI8-R", CharsetEvidence.DECLARED),
        (b'<meta charset="koi8-r">', "text/html; charset=big5", "Big5", CharsetEvidence.HEADER),
        (
            b'<meta charset="koi8-r">',
            "text/html; charset=klingon",
            "KOI8-R",
            CharsetEvidence.DECLARED,
        ),
        (
            b'<?xml version="1.0" encoding="ISO-8859-2"?>',
            "",
            "ISO-8859-2",
            CharsetEvidence.DECLARED,
        ),
        ("é".encode(), "", "UTF-8", CharsetEvidence.CONTENT),
        (b"\xe9", "", "windows-1252", CharsetEvidence.FALLBACK),
        (b"<p>caf\xe9", "text/html; charset=utf-16", "windows-1252", CharsetEvidence.FALLBACK),
        (
            "<p>é".encode("utf-16-le"),
            "text/html; charset=utf-16",
            "UTF-16LE",
            CharsetEvidence.HEADER,
        ),
        (b"plain", "", "windows-1252", CharsetEvidence.FALLBACK),
        ("é".encode(), "text/html; charset=iso-8859-1", "UTF-8", CharsetEvidence.CONTENT),
        (b"caf\xe9", "text/html; charset=utf-8", "windows-1252", CharsetEvidence.CONTENT),
        ("é".encode() + b"\xff", "text/html; charset=utf-8", "UTF-8", CharsetEvidence.HEADER),
        (
            "日本".encode("shift_jis"),
            "text/html; charset=x-sjis",
            "Shift_JIS",
            CharsetEvidence.HEADER,
        ),
    ],
)
def test_find_encoding_follows_the_order(body, content_type, encoding, evidence):
    assert find_encoding(body, content_type) == (encoding, evidence)


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("‘quotes’ – dash".encode("cp1252"), "text/html; charset=ISO-8859-1", "‘quotes’ – dash"),
        ("Brontë".encode(), "text/html; charset=latin1", "Brontë"),
        (b"\xef\xbb\xbfBOM", "", "BOM"),
        ("\ufeffBOM".encode("utf-16-be"), "text/html; charset=utf-8", "BOM"),
        ("中文".encode("gbk"), "text/html; charset=gb2312", "中文"),
        (b"a\x00b", "", "ab"),
        (b"", "", ""),
    ],
)
def test_decode_gives_the_words(body, content_type, text):
    assert decode(body, content_type).text == text


def test_decode_marks_what_cannot_be_decoded():
    body = "é".encode() + b"\xff!"

    assert decode(body, "text/html; charset=utf-8") == DecodedText(
        "é\ufffd!", "UTF-8", CharsetEvidence.HEADER
    )


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("text/html; charset=UTF-8", "UTF-8"),
        ('text/html; charset="utf8"', "UTF-8"),
        ("text/html;charset = 'latin1' ; x=y", "windows-1252"),
        ("text/html", None),
        ("", None),
        ("text/html; charset=", None),
    ],
)
def test_header_charset_reads_the_parameter(content_type, name):
    assert header_charset(content_type) == name


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        (b"<meta charset=utf-16>", "UTF-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset>", None),
        (b"<meta charset=koi8-r", None),
        (b"<p title='<meta charset=koi8-r>'>", None),
        (b"<meta http-equiv=content-type content='text/html; charset=koi8-r'>", "KOI8-R"),
        (b"<meta content='text/html; charset=koi8-r'>", None),
        (b"<META CHARSET='KOI8-R'/>", "KOI8-R"),
        (b"<", None),
        (b"", None),
    ],
)
def test_prescan_is_a_tokenizer(markup, name):
    assert prescan(markup) == name


def test_encodings_all_have_a_codec_of_python():
    for label in ("utf8", "latin1", "x-sjis", "ks_c_5601-1987", "logical", "hz-gb-2312", "mac"):
        name = encoding_name(label)
        assert name is not None
        assert b"abc".decode(python_codec(name)) == "abc"


def test_is_single_byte_knows_families():
    assert is_single_byte("windows-1251")
    assert not is_single_byte("GBK")


@pytest.mark.data
def test_find_encoding_agrees_with_the_html5lib_suite():
    path = shared("data/feeds/html5lib-encoding.json.gz")
    cases = json.loads(gzip.decompress(path.read_bytes()))

    wrong = [
        case["n"]
        for case in cases
        if find_encoding(case["data_latin1"].encode("latin-1"))[0]
        != encoding_name(case["encoding"])
    ]

    assert (len(cases), wrong) == (37, [])
