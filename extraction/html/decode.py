"""Bytes of a page → characters, whatever the page claims about itself.

The order departs from the WHATWG sniffing algorithm on one point, for a reason found in the evaluation pages: bytes that are
valid UTF-8 and not plain ASCII are UTF-8 even where the header or a meta element says otherwise (COR-12). Byte order mark →
UTF-8 if valid → charset of the header → charset the page declares → windows-1252.
"""

import codecs
import re
from dataclasses import dataclass

# A declaration counts only here; browsers look at 1024 bytes, but real pages have long comments first.
_DECLARATION_WINDOW = 4096
_DECLARED = re.compile(
    rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.\-]{2,40})""", re.IGNORECASE
)
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9_:.\-]{2,40})""", re.IGNORECASE)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Declared in ASCII bytes, so a UTF-16 declaration cannot be true (WHATWG says UTF-8 instead).
_IMPOSSIBLE = {"utf-16-le", "utf-16-be", "utf-16le", "utf-16be"}
# The Encoding Standard reads these labels as their supersets, because that is what pages mean by them.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
}
# Python codecs that do not turn bytes into characters, or only into escapes.
_NOT_TEXT = {
    "base64",
    "bz2",
    "hex",
    "quopri",
    "rot13",
    "uu",
    "zlib",
    "utf-7",
    "idna",
    "punycode",
    "unicode-escape",
    "raw-unicode-escape",
}
# 7-bit escapes: such bytes are valid ASCII and yet not English.
_SEVEN_BIT = {"iso2022_jp", "hz"}


@dataclass(frozen=True, slots=True)
class DecodedPage:
    """Characters of a page and the codec that gave them."""

    text: str
    encoding: str


def decode_html(body: bytes, content_type: str = "") -> DecodedPage:
    """Decode the bytes of a page; never fails, undecodable bytes become U+FFFD.

    Parameters
    ----------
    body
        Bytes after content decoding (gzip is undone).
    content_type
        Value of the Content-Type header, may be empty.

    Examples
    --------
    >>> decode_html("Café".encode(), "text/html; charset=iso-8859-1")
    DecodedPage(text='Café', encoding='utf-8')
    >>> decode_html(b"Caf\\xe9").encoding
    'cp1252'
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return DecodedPage(body[len(mark) :].decode(name, "replace"), name)
    declared = [name for name in (_from_header(content_type), _from_markup(body)) if name]
    seven_bit = next((name for name in declared if name in _SEVEN_BIT), None)
    candidates = [seven_bit] if seven_bit else ["utf-8", *declared]
    for name in candidates:
        try:
            return DecodedPage(body.decode(name), name)
        except (UnicodeDecodeError, LookupError):
            continue
    return _lenient(body, declared)


def _lenient(body: bytes, declared: list[str]) -> DecodedPage:
    """Least damage when no codec takes every byte: the declared one, or UTF-8 cut in the middle, else windows-1252."""
    preferred = declared[0] if declared else "utf-8"
    try:
        text = body.decode(preferred, "replace")
    except LookupError:
        preferred, text = "utf-8", body.decode("utf-8", "replace")
    # One broken character in a thousand is damage in transit; more is the wrong codec.
    if text.count("\ufffd") * 1000 <= len(text):
        return DecodedPage(text, preferred)
    return DecodedPage(body.decode("cp1252", "replace"), "cp1252")


def _from_header(content_type: str) -> str | None:
    match = _HEADER_CHARSET.search(content_type)
    return _codec(match[1]) if match else None


def _from_markup(body: bytes) -> str | None:
    match = _DECLARED.search(body[:_DECLARATION_WINDOW])
    return _codec(match[1].decode("ascii")) if match else None


def _codec(label: str) -> str | None:
    """Python codec for a charset label; None for an unknown one or one that is no text encoding."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    if name in _IMPOSSIBLE:
        return "utf-8"
    return _WIDER.get(name, name) if name not in _NOT_TEXT else None
