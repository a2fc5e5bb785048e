"""Feeds as some servers give them → bytes that a feed reader takes.

A feed stands in an XHTML page or behind the page's document type; an entry stands in another, as
where a template forgot to close one. Nothing is changed in a feed without these faults.
"""

import re

from feeds.crawler.documents.byte_patterns import in_bytes

_NEVER_SHOWN = in_bytes(rb"<script\b(?s:.*?)</script\s*>|<!--(?s:.*?)-->")
_DOCTYPE = in_bytes(rb"<!doctype\s+html\b[^>\[]*>")
# Roots as a feed writes them: "<feed>" of a web component has neither version nor name space.
_FEED_START = in_bytes(
    rb"<((?:[a-z0-9_]+:)?(?:rss|feed|rdf))\s(?:[^<>]*\s)?(?:version|xmlns(?::[a-z0-9_]+)?)\s*=[^<>]*>"
)
_ENTRY_TAGS = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<(/?)(?:\w+:)?(entry|item)\b[^<>]*?(/?)>",
    re.DOTALL | re.IGNORECASE,
)


def unwrapped(body: bytes) -> bytes:
    """Give the feed that stands in an HTML document, b"" where none does.

    Examples
    --------
    >>> unwrapped(b'<!DOCTYPE html><html><body><rss version="2.0"><channel/></rss></body></html>')
    b'<rss version="2.0"><channel/></rss>'
    >>> unwrapped(b"<!DOCTYPE html><html><body>A <feed></body></html>")
    b''
    """
    shown = _DOCTYPE.sub(b"", _NEVER_SHOWN.sub(b"", body))
    start = _FEED_START.search(shown)
    if start is None:
        return b""
    close = b"</" + start[1] + b">"
    end = shown.rfind(close)
    return shown[start.start() : end + len(close)] if end > start.end() else b""


def with_entries_apart(body: bytes) -> bytes:
    """Put entries that stand in an entry behind it; both must be closed for that.

    Examples
    --------
    >>> with_entries_apart(b"<item>a<item>b</item>c</item>")
    b'<item>ac</item><item>b</item>'
    """
    done: list[bytes] = []
    opened: list[list[bytes]] = []  # pieces of each entry that is not closed yet
    behind: list[bytes] = []
    taken = place = 0
    for tag in _ENTRY_TAGS.finditer(body):
        if tag[2] is None or tag[3] or (tag[1] and not opened):
            continue
        if not tag[1]:
            if opened:
                opened[-1].append(body[place : tag.start()])
            else:
                done.append(body[taken : tag.start()])
                taken = tag.start()
            place = tag.start()
            opened.append([])
            continue
        entry = b"".join([*opened.pop(), body[place : tag.end()]])
        place = tag.end()
        if opened:
            behind.append(entry)
        else:
            done += [entry, *behind]
            behind, taken = [], place
    return b"".join([*done, body[taken:]])
