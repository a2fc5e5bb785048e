"""The prescan of a byte stream for its encoding: HTML Standard 13.2.3.2, step by step.

First bytes of a page → the encoding that a `meta` element declares. It is a small tokenizer, not a
pattern: a declaration inside a comment, a script's string or another attribute does not count.
Function names follow the standard's own steps.
"""

import re

from feeds.crawler.encodings import encoding_name

# The standard stops after 1024 bytes and lets the parser change its mind at a later meta element
# (13.2.3.4). One longer window does both: real pages put long comments and scripts first.
PRESCAN_BYTES = 16_384
_SPACE = b"\t\n\x0c\r "
_SPACE_OR_SLASH = _SPACE + b"/"
_META = re.compile(rb"<meta[\t\n\x0c\r /]", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-zA-Z]")
_TAG_NAME_END = re.compile(rb"[\t\n\x0c\r >]")
_CONTENT_CHARSET = re.compile(rb"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*", re.IGNORECASE)
_UNQUOTED_END = re.compile(rb"[\t\n\x0c\r ;]")


class _EndOfWindowError(Exception):
    """The window ended inside something; the prescan then knows nothing."""


def prescan(body: bytes) -> str | None:
    """Return the encoding that the first 16 kB declare.

    Parameters
    ----------
    body : bytes
        A document; only its start is read.

    Returns
    -------
    str or None
        The Encoding Standard's name; None where nothing is declared. UTF-16 is read as UTF-8 and
        x-user-defined as windows-1252, as the standard says.

    Examples
    --------
    >>> prescan(b'<!-- <meta charset=koi8-r> --><meta charset="iso8859-2">')
    'ISO-8859-2'
    """
    try:
        return _scan(body[:PRESCAN_BYTES])
    except _EndOfWindowError:
        return None


def _scan(window: bytes) -> str | None:
    at = 0
    while at < len(window):
        at = window.find(b"<", at)
        if at < 0:
            break
        if window.startswith(b"<!--", at):
            at = _find(window, b"-->", at + 2) + 3
        elif _META.match(window, at):
            name, at = _read_meta(window, at + 5)
            if name:
                return name
        elif _TAG.match(window, at):
            at = _skip_tag(window, at)
        elif window[at + 1 : at + 2] in {b"!", b"/", b"?"}:
            at = _find(window, b">", at) + 1
        else:
            at += 1
    return None


def _find(window: bytes, what: bytes, start: int) -> int:
    found = window.find(what, start)
    if found < 0:
        raise _EndOfWindowError
    return found


def _skip_tag(window: bytes, at: int) -> int:
    end = _TAG_NAME_END.search(window, at)
    if not end:
        raise _EndOfWindowError
    at = end.start()
    while True:
        attribute, at = _read_attribute(window, at)
        if attribute is None:
            return at


def _read_meta(window: bytes, at: int) -> tuple[str | None, int]:
    """Read the attributes of a meta element; the first of each name counts."""
    seen: set[bytes] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    while True:
        attribute, at = _read_attribute(window, at)
        if attribute is None:
            break
        name, value = attribute
        if name in seen:
            continue
        seen.add(name)
        if name == b"http-equiv":
            got_pragma = got_pragma or value == b"content-type"
        elif name == b"content" and charset is None:
            charset = _charset_in_content(value)
            need_pragma = True if charset else need_pragma
        elif name == b"charset":
            charset = encoding_name(value.decode("latin-1"))
            need_pragma = False
    if need_pragma is None or (need_pragma and not got_pragma) or not charset:
        return None, at
    if charset in {"UTF-16LE", "UTF-16BE"}:
        return "UTF-8", at
    return "windows-1252" if charset == "x-user-defined" else charset, at


def _charset_in_content(value: bytes) -> str | None:
    """Extract a character encoding from a meta element's content (HTML Standard 2.5.4)."""
    match = _CONTENT_CHARSET.search(value)
    if not match:
        return None
    rest = value[match.end() :]
    quote = rest[:1]
    if quote in {b'"', b"'"}:
        inner, closing, _ = rest[1:].partition(quote)
        return encoding_name(inner.decode("latin-1")) if closing else None
    end = _UNQUOTED_END.search(rest)
    return encoding_name(rest[: end.start() if end else None].decode("latin-1"))


def _read_attribute(window: bytes, at: int) -> tuple[tuple[bytes, bytes] | None, int]:
    """Get an attribute, lower-case; None at the end of the tag."""
    at = _skip(window, at, _SPACE_OR_SLASH)
    if window[at] == ord(">"):
        return None, at + 1
    start = at
    at = _name_end(window, at)
    name = window[start:at].lower()
    at = _skip(window, at, _SPACE)
    if window[at] != ord("="):
        return (name, b""), at
    at = _skip(window, at + 1, _SPACE)
    if window[at] in b"\"'":
        end = _find(window, window[at : at + 1], at + 1)
        return (name, window[at + 1 : end].lower()), end + 1
    start = at
    while at < len(window) and window[at] not in _SPACE + b">":
        at += 1
    if at >= len(window):
        raise _EndOfWindowError
    return (name, window[start:at].lower()), at


def _name_end(window: bytes, at: int) -> int:
    """Return the end of an attribute's name; an equals sign at its very start belongs to it."""
    start = at
    while at < len(window):
        byte = window[at]
        if byte in _SPACE_OR_SLASH + b">" or (byte == ord("=") and at > start):
            return at
        at += 1
    raise _EndOfWindowError


def _skip(window: bytes, at: int, what: bytes) -> int:
    while at < len(window) and window[at] in what:
        at += 1
    if at >= len(window):
        raise _EndOfWindowError
    return at
