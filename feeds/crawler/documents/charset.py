"""Bytes of a document → text, in the order of the WHATWG: mark, header, declaration, fallback.

HTML Standard 13.2.3.2 (determining the character encoding) with its prescan in full; Encoding
Standard 6 (decode). Two departures, because a corpus wants the words and not the
mojibake a browser shows: bytes that are valid UTF-8 and not plain ASCII are UTF-8 where a
single-byte encoding was declared, and a UTF-8 declaration over bytes none of whose
non-ASCII ones are UTF-8 gives way to the fallback. Where nothing is declared, valid UTF-8 is UTF-8.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from feeds.crawler.documents.encodings import encoding_name, is_single_byte, python_codec

FALLBACK = "windows-1252"  # HTML Standard 13.2.3.2, for Western and most other languages
_MARKS = (
    (b"\xef\xbb\xbf", "UTF-8"),
    (b"\xfe\xff", "UTF-16BE"),
    (b"\xff\xfe", "UTF-16LE"),
)
_HEADER_CHARSET = re.compile(
    r"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))""", re.IGNORECASE
)
_XML_DECLARATION = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_UTF16_BYTES = 4_096  # half of them are NUL where markup is UTF-16
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_UTF8_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# The standard stops after 1024 bytes and lets the parser change its mind at a later meta element
# (13.2.3.4). One longer window does both: real pages put long comments and scripts first.
PRESCAN_BYTES = 16_384
# ASCII whitespace of the Infra Standard.
_SPACE = b"\t\n\x0c\r "
_SPACE_OR_SLASH = _SPACE + b"/"
_META = re.compile(rb"<meta[\t\n\x0c\r /]", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-zA-Z]")
_TAG_NAME_END = re.compile(rb"[\t\n\x0c\r >]")
_CONTENT_CHARSET = re.compile(rb"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*", re.IGNORECASE)
_UNQUOTED_END = re.compile(rb"[\t\n\x0c\r ;]")


class CharsetEvidence(StrEnum):
    """What decided about an encoding."""

    MARK = "byte order mark"
    HEADER = "header"
    DECLARED = "declaration in the document"
    CONTENT = "content"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text, the standard's name of its encoding, and how that was found."""

    text: str
    encoding: str
    evidence: CharsetEvidence


def decode(body: bytes, content_type: str = "") -> DecodedText:
    """Decode a document.

    Parameters
    ----------
    body : bytes
        The document, decompressed.
    content_type : str
        Value of the Content-Type header, may be empty.

    Returns
    -------
    DecodedText
        Never fails: what cannot be decoded becomes U+FFFD, NUL is removed (PostgreSQL takes none).

    Examples
    --------
    >>> decode("Brontë".encode("latin-1"), "text/html; charset=iso-8859-1").text
    'Brontë'
    """
    name, evidence = find_encoding(body, content_type)
    for mark, of in _MARKS:
        if evidence is CharsetEvidence.MARK and of == name:
            body = body.removeprefix(mark)
    text = body.decode(python_codec(name), "replace")
    return DecodedText(text.replace("\x00", ""), name, evidence)


def find_encoding(body: bytes, content_type: str = "") -> tuple[str, CharsetEvidence]:
    """Name the encoding of a document and what decided.

    Parameters
    ----------
    body : bytes
        The document, decompressed.
    content_type : str
        Value of the Content-Type header, may be empty.

    Returns
    -------
    tuple of str and CharsetEvidence
        The Encoding Standard's name, such as ``windows-1252``.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name, CharsetEvidence.MARK
    declared = _declared(body, content_type)
    name = declared[0] if declared else FALLBACK
    if declared is None or is_single_byte(name):
        if _NON_ASCII.search(body) and _is_utf8(body):
            return "UTF-8", CharsetEvidence.CONTENT
    elif name == "UTF-8" and _has_no_utf8(body):
        return FALLBACK, CharsetEvidence.CONTENT
    return declared or (FALLBACK, CharsetEvidence.FALLBACK)


def header_charset(content_type: str) -> str | None:
    """Return the encoding that a Content-Type names, None where it names none that is known."""
    match = _HEADER_CHARSET.search(content_type)
    return encoding_name(match[1] or match[2] or match[3] or "") if match else None


def _declared(body: bytes, content_type: str) -> tuple[str, CharsetEvidence] | None:
    name = header_charset(content_type)
    if name and not _cannot_be(name, body):
        return name, CharsetEvidence.HEADER
    name = prescan(body) or _xml_declaration(body)
    return (name, CharsetEvidence.DECLARED) if name else None


def _cannot_be(name: str, body: bytes) -> bool:
    """Whether a header says UTF-16, in which markup has NULs, of a document without any."""
    return name.startswith("UTF-16") and b"\x00" not in body[:_UTF16_BYTES]


def _xml_declaration(body: bytes) -> str | None:
    """Return the encoding of an XML declaration; browsers look there only for XML types."""
    match = _XML_DECLARATION.match(body[:512])
    name = encoding_name(match[1].decode("ascii", "replace")) if match else None
    # Declared in ASCII bytes, so it cannot be true (HTML Standard: UTF-16 means UTF-8 here).
    return "UTF-8" if name in {"UTF-16LE", "UTF-16BE"} else name


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _has_no_utf8(body: bytes) -> bool:
    """Whether there are bytes above ASCII, and none of them forms a UTF-8 character."""
    return bool(_NON_ASCII.search(body)) and not _UTF8_SEQUENCE.search(body)


# --- The prescan ----------------------------------------------------------------------------------


class _EndOfWindowError(Exception):
    """The window ended inside something; the prescan then knows nothing."""


def prescan(body: bytes) -> str | None:
    """Return the encoding that a `meta` element in the first 16 kB declares.

    A small tokenizer, not a pattern: a declaration inside a comment, a script's string or another
    attribute does not count. The private functions follow the standard's own steps.

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
