"""Pages made to exhaust whoever reads them: a name for each, and its bytes.

Each is as large as its kind of harm needs, up to the 10 MB that are fetched of a page.
"""

import json
from collections.abc import Callable

_STORY = b"<p>Rain fell on the whole of the Karoo at last, and farmers were glad of it.</p>" * 9
_COMMENT = (
    "<li class=comment id=comment-{0}><b class=fn>Ann</b>"
    "<div class=comment-content><p>Rain {0}.</p></div></li>"
)
_PICTURE = b"<img src='data:image/png;base64," + b"A" * 99_999 + b"'>"
_LINK = "<a href='/news/story-of-rain-{0}'>Rain {0}</a> "
_BYS = b"by , " * 200_000 + b"'>"
_MB = 1_000_000


def _page(body: bytes, head: bytes = b"") -> bytes:
    return b"<html><head><title>Rain</title>" + head + b"</head><body>" + body + _STORY


def _feed(item: bytes) -> bytes:
    return b"<rss version='2.0'><channel><title>Rain</title><item>" + item


def _numbered(piece: str, count: int) -> bytes:
    return "".join(piece.format(number) for number in range(count)).encode()


def _script(data: bytes, kind: bytes = b"application/ld+json") -> bytes:
    return b"<script type='" + kind + b"'>" + data + b"</script>"


def _nested(opening: bytes, closing: bytes, depth: int) -> bytes:
    return opening * depth + b"x" + closing * depth


def _unclosed_string() -> bytes:
    return _script(b'{"@type":"NewsArticle", // x\n "a": ' + b'\\"' * 400_000)


def _graph() -> bytes:
    nodes = [
        {"@type": "NewsArticle", "@id": f"#{n}", "headline": f"Rain {n}"} for n in range(9_999)
    ]
    return _script(json.dumps({"@graph": nodes}).encode())


def _item_references() -> bytes:
    return _numbered(
        "<div itemscope itemtype='https://schema.org/NewsArticle' id='i{0}' itemref='i{0} i0'>"
        "<span itemprop='headline'>Rain {0}</span></div>",
        9_999,
    )


_MAKERS: dict[str, Callable[[], bytes]] = {
    "40,000 attributes": lambda: _page(b"<p " + _numbered("a{0}='{0}' ", 40_000) + b">x"),
    "40,000 bare attributes": lambda: _page(b"<p " + _numbered("a{0} ", 40_000) + b">x"),
    "attributes without blanks": lambda: _page(b"<p " + _numbered("a{0}=''", 40_000) + b">x"),
    "attributes with > in values": lambda: _page(b"<p " + _numbered("a{0}='>'", 40_000) + b">x"),
    "attributes with < in values": lambda: _page(b"<p " + _numbered("a{0}='<' ", 40_000) + b">x"),
    "attributes between slashes": lambda: _page(b"<p/" + _numbered("a{0}/", 40_000) + b">x"),
    "1,000 tags of 400 attributes": lambda: _page(
        (b"<p " + _numbered("a{0} ", 400) + b">x") * 1_000
    ),
    "depth 100,000": lambda: _page(_nested(b"<div>", b"</div>", 100_000)),
    "depth of inline tags": lambda: _page(_nested(b"<b><i>", b"</i></b>", 50_000)),
    "nested tables": lambda: _page(b"<table><tr><td>" * 30_000),
    "nested lists": lambda: _page(b"<ul><li>" * 60_000),
    "unclosed paragraphs": lambda: _page(b"<p>rain " * 300_000),
    "words between styles": lambda: _page(b"<style>x</style> rain " * 60_000),
    "hidden bold words": lambda: _page(b"<b style='display:none'>Rain</b> more " * 120_000),
    "unclosed links": lambda: _page(b"<a href=x>" * 300_000),
    "unclosed fonts": lambda: _page(b"<font><p>" * 90_000),
    "brackets alone": lambda: _page(b"<" * 5_000_000),
    "tags without an end": lambda: _page(b"<input" * 900_000),
    "tags of scripts without an end": lambda: _page(b"<script" * 900_000),
    "unclosed quotes": lambda: _page(b"<a href='" * 300_000),
    "end tags alone": lambda: _page(b"</div>" * 900_000),
    "entities": lambda: _page(b"&amp;&#x41;&nosuch;" * 300_000),
    "ampersands": lambda: _page(b"&" * 5_000_000),
    "billion laughs": lambda: (
        b"<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a0 'ha'>"
        + _numbered("<!ENTITY b{0} '&b0;&b0;&b0;&b0;'>", 5_000)
        + b"]>"
        + _page(b"&b9;" * 5_000)
    ),
    "comments": lambda: _page(b"<!-- rain -->" * 400_000),
    "unclosed comments": lambda: _page(b"<!--" * 1_200_000),
    "conditional comments": lambda: _page(b"<!--[if IE]><p>x</p><![endif]-->" * 100_000),
    "CDATA": lambda: _page(b"<![CDATA[x]]>" * 400_000),
    "unclosed CDATA": lambda: _page(b"<![CDATA[" * 500_000),
    "processing instructions": lambda: _page(b"<?x y?>" * 500_000),
    "JSON-LD of 3 MB": lambda: _page(b"", _script(b"[" + b'{"@type":"X"},' * 200_000 + b"{}]")),
    "nested JSON-LD": lambda: _page(b"", _script(b'{"@graph":[' * 100_000)),
    "JSON-LD with an unclosed string": lambda: _page(b"", _unclosed_string()),
    "JSON-LD with commas and blanks": lambda: _page(
        b"", _script(b'{"a": 1 ' + (b"," + b" " * 999) * 900 + b"]")
    ),
    "JSON-LD with 10,000 articles": lambda: _page(b"", _graph()),
    "10,000 scripts of JSON-LD": lambda: _page(b"", _script(b'{"@type":"NewsArticle"}') * 10_000),
    "JSON of an application": lambda: _page(
        b"", _script(b"{" + b'"a":{"b":[1,2,' * 90_000, b"application/json")
    ),
    "combining characters": lambda: _page(("e" + "\u0301" * 9_999).encode() * 100),
    "bidirectional controls": lambda: _page("\u202e\u2066\u2069rain ".encode() * 200_000),
    "zero-width characters": lambda: _page("\u200b\u200d\ufeff".encode() * 500_000),
    "text from right to left": lambda: _page("<p>مطر في كارو</p>".encode() * 60_000),
    "NUL bytes": lambda: _page(b"\0" * 5_000_000),
    "control characters": lambda: _page(bytes(range(32)) * 100_000),
    "charset that is a lie": lambda: _page(b"\xff\xfe\x80\xc3" * 900_000, b"<meta charset=utf-8>"),
    "UTF-16 that is none": lambda: b"\xff\xfe" + _page(b"rain " * 400_000),
    "UTF-7": lambda: _page(b"+ADw-script+AD4-" * 90_000, b"<meta charset=utf-7>"),
    "charset names": lambda: _page(b"", b"<meta charset=" * 300_000),
    "10 MB in a line": lambda: _page(b"rain " * (2 * _MB)),
    "10 MB in a word": lambda: _page(b"a" * (10 * _MB)),
    "10 MB of blanks": lambda: _page(b" " * (10 * _MB)),
    "10 MB of line feeds": lambda: _page(b"\n" * (10 * _MB)),
    "10 MB of full stops": lambda: _page(b"." * (10 * _MB)),
    "base64 pictures": lambda: _page(_PICTURE * 90),
    "100,000 links": lambda: _page(_numbered(_LINK, 100_000)),
    "100,000 forms": lambda: _page(b"<form><input type=text></form>" * 100_000),
    "100,000 scripts": lambda: _page(b"<script>x</script>" * 100_000),
    "100,000 frames": lambda: _page(b"<iframe src=x></iframe>" * 100_000),
    "frameset": lambda: b"<html><frameset>" + b"<frame src=x>" * 100_000,
    "refreshes": lambda: _page(b"", b"<meta http-equiv=refresh content='0;url=/'>" * 50_000),
    "bases": lambda: _page(b"<a href=x>x</a>" * 9_999, b"<base href='//evil.example/'>" * 50_000),
    "drawings": lambda: _page(_nested(b"<svg><g>", b"</g></svg>", 20_000) + b"<math><mi>" * 20_000),
    "shadow roots": lambda: _page(b"<template shadowrootmode=open><p>rain" * 50_000),
    "a title of 5 MB": lambda: b"<title>" + b"rain | " * 700_000 + b"</title>" + _STORY,
    "an author of 1 MB": lambda: _page(b"", b"<meta name=author content='" + _BYS),
    "a date of 1 MB": lambda: _page(b"<time datetime='" + b"2026-" * 200_000 + b"'>x</time>"),
    "a byline of 1 MB": lambda: _page(b"<div class=byline>By " + b"Ann and " * 120_000 + b"</div>"),
    "100,000 titles": lambda: _page(b"<h1>Rain at last</h1>" * 100_000),
    "100,000 articles": lambda: _page(b"<article><p>Rain.</p></article>" * 60_000),
    "100,000 dates": lambda: _page(b"<time datetime='2026-11-20T10:00'>x</time>" * 90_000),
    "100,000 comments": lambda: _page(
        b"<ol class=comment-list>" + _numbered(_COMMENT, 40_000)
    ),
    "references in circles": lambda: _page(_item_references()),
    "items in items": lambda: _page(b"<div itemscope itemprop=author itemtype=Person>" * 60_000),
    "class names": lambda: _page(b"<p class='" + b"comment-list reply " * 200_000 + b"'>x"),
    "styles": lambda: _page(b"<p style='" + b"display:block;" * 300_000 + b"'>x"),
    "a feed of links": lambda: _feed(b"<description>" + b"<a>" * 300_000),
    "a feed of items": lambda: _feed(b"<title>x</title></item><item>" * 60_000),
    "a feed of full texts": lambda: _feed(
        b"<description><![CDATA[" + b"<p>rain</p>" * 300_000 + b"]]></description>"
    ),
    "selections": lambda: _page(b"<select>" + b"<option>rain" * 200_000),
}  # fmt: skip
NAMES = tuple(_MAKERS)


def evil_page(name: str) -> bytes:
    """Make a page by its name."""
    return _MAKERS[name]()
