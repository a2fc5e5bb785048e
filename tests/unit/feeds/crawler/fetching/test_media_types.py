"""Documents that are read, told from those that are not."""

import random

import pytest

from feeds.crawler.fetching.media_types import media_type, type_refusal


@pytest.mark.parametrize(
    ("content_type", "start"),
    [
        ("text/html; charset=utf-8", b"<html>"),
        ("", b"<html>"),
        ("application/rss+xml", b"<rss>"),
        ("application/json", b"{}"),
        ("text/plain", b"plain"),
        ("application/octet-stream", b"  <?xml version='1.0'?>"),
        ("image/svg+xml", b"<svg>"),
        ("application/octet-stream", b"\xef\xbb\xbf<rss>"),
        ("application/x-unheard-of", b"words"),
        ("text/html", "<html><p>".encode("utf-16-le")),
        ("text/html", b"<html><p>a stray\x08 one in fifty letters is a mistake of typing"),
    ],
)
def test_type_refusal_of_text_is_none(content_type, start):
    assert type_refusal(content_type, start) is None


@pytest.mark.parametrize(
    ("content_type", "start"),
    [
        ("image/jpeg", b"\xff\xd8\xff\xe0"),
        ("video/mp4", b"anything"),
        ("application/pdf", b"%PDF-1.7"),
        ("application/octet-stream", b"MZ\x90"),
        ("text/html", b"%PDF-1.7"),
        ("text/html", b"\x89PNG\r\n"),
        ("", b"\x00\x00\x00\x18ftypmp42"),
        ("text/html", random.Random(1).randbytes(512)),
    ],
)
def test_type_refusal_names_what_is_no_page(content_type, start):
    assert type_refusal(content_type, start) is not None


def test_media_type_drops_parameters():
    assert media_type(" Text/XML ; charset=x") == "text/xml"
