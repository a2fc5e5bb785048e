"""Bytes of a document → text, in the order of the WHATWG: mark, header, declaration, fallback.

HTML Standard 13.2.3.2 (determining the character encoding) with its prescan
in full; Encoding Standard 6 (decode). Two departures, because a corpus wants the words and not the
mojibake a browser shows: bytes that are valid UTF-8 and not plain ASCII are UTF-8 where a
single-byte encoding was declared (COR-12), and a UTF-8 declaration over bytes none of whose
non-ASCII ones are UTF-8 gives way to the fallback. Where nothing is declared, valid UTF-8 is UTF-8.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from feeds.crawler.encodings import encoding_name, is_single_byte, python_codec
from feeds.crawler.prescan import prescan

FALLBACK = "windows-1252"
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


class Evidence(StrEnum):
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
    evidence: Evidence


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
        if evidence is Evidence.MARK and of == name:
            body = body.removeprefix(mark)
    text = body.decode(python_codec(name), "replace")
    return DecodedText(text.replace("\x00", ""), name, evidence)


def find_encoding(body: bytes, content_type: str = "") -> tuple[str, Evidence]:
    """Name the encoding of a document and what decided.

    Parameters
    ----------
    body : bytes
        The document, decompressed.
    content_type : str
        Value of the Content-Type header, may be empty.

    Returns
    -------
    tuple of str and Evidence
        The Encoding Standard's name, such as ``windows-1252``.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name, Evidence.MARK
    declared = _declared(body, content_type)
    name = declared[0] if declared else FALLBACK
    if declared is None or is_single_byte(name):
        if _NON_ASCII.search(body) and _is_utf8(body):
            return "UTF-8", Evidence.CONTENT
    elif name == "UTF-8" and _has_no_utf8(body):
        return FALLBACK, Evidence.CONTENT
    return declared or (FALLBACK, Evidence.FALLBACK)


def header_charset(content_type: str) -> str | None:
    """Return the encoding that a Content-Type names, None where it names none that is known."""
    match = _HEADER_CHARSET.search(content_type)
    return encoding_name(match[1] or match[2] or match[3] or "") if match else None


def _declared(body: bytes, content_type: str) -> tuple[str, Evidence] | None:
    name = header_charset(content_type)
    if name and not _cannot_be(name, body):
        return name, Evidence.HEADER
    name = prescan(body) or _xml_declaration(body)
    return (name, Evidence.DECLARED) if name else None


def _cannot_be(name: str, body: bytes) -> bool:
    """Whether a header says UTF-16 of a document without a single NUL, so without `<` and `p`."""
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
