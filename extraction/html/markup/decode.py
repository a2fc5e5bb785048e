"""Bytes of a page → characters, whatever the page claims about itself.

The feeds app names the encoding by the WHATWG's rules. Here the bytes come first: what is UTF-8 and
not plain ASCII is UTF-8 even where a header or a multi-byte declaration says otherwise (a CMS that
was converted and still declares GBK), and so is what UTF-8 damages less than the declared encoding
does. A few bytes of windows-1252 in UTF-8 (pasted quotation marks) are read as what they are. Where
nothing is declared, the page's language names the encoding, as browsers take that of their user's
language (HTML Standard 13.2.3.2, step 9).
"""

import codecs
import re
from dataclasses import dataclass

from feeds.crawler.documents.charset import CharsetEvidence, decode

_REPLACEMENT = "\ufffd"
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_SEQUENCES = re.compile(
    rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+"
)
# Of the bytes beyond ASCII, how many must lie in whole UTF-8 characters: text in another encoding
# has a few by chance (a tenth in GBK), damaged UTF-8 nearly all.
_UTF_8_SHARE = 0.9
_LANGUAGE = re.compile(rb"<html\b[^>]{0,500}?\blang\s*=\s*[\"\']?([a-zA-Z]{2})", re.IGNORECASE)
# Where a declaration of the encoding stands; the standard asks for the first 1,024.
_HEAD_BYTES = 4_096
# The standard's table of default encodings, by the page's language.
_LANGUAGE_ENCODINGS = {
    "zh": ("gb18030", "big5"), "ja": ("shift_jis", "euc_jp"), "ko": ("euc_kr",),
    "ru": ("windows-1251",), "uk": ("windows-1251",), "bg": ("windows-1251",),
    "sr": ("windows-1251",), "be": ("windows-1251",), "el": ("iso-8859-7",),
    "pl": ("iso-8859-2",), "cs": ("windows-1250",), "sk": ("windows-1250",),
    "hu": ("iso-8859-2",), "sl": ("iso-8859-2",), "hr": ("windows-1250",),
    "tr": ("windows-1254",), "he": ("windows-1255",), "ar": ("windows-1256",),
    "lt": ("windows-1257",), "lv": ("windows-1257",), "et": ("windows-1257",),
    "th": ("cp874",), "vi": ("windows-1258",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DecodedPage:
    """Characters of a page and the name of the encoding that gave them."""

    text: str
    encoding: str


def decode_html(body: bytes, content_type: str = "") -> DecodedPage:
    r"""Decode the bytes of a page; never fails, undecodable bytes become U+FFFD.

    Parameters
    ----------
    body
        Bytes after content decoding (gzip is undone).
    content_type
        Value of the Content-Type header, may be empty.

    Examples
    --------
    >>> decode_html("Café".encode(), "text/html; charset=iso-8859-1")
    DecodedPage(text='Café', encoding='UTF-8')
    >>> decode_html(b"Caf\xe9").encoding
    'windows-1252'
    """
    utf_8 = _as_utf_8(body)
    if utf_8 is not None:
        return DecodedPage(utf_8, "UTF-8")
    utf_16 = _as_utf_16(body)
    if utf_16 is not None:
        return utf_16
    declared = decode(body, content_type)
    n_damaged = declared.text.count(_REPLACEMENT)
    if n_damaged:
        text = body.decode("utf-8", "replace")
        if text.count(_REPLACEMENT) <= n_damaged and not _is_foreign(body):
            return DecodedPage(text, "UTF-8")
    if n_damaged or declared.evidence is CharsetEvidence.FALLBACK:
        by_language = _by_language(body)
        if by_language is not None:
            return by_language
    return DecodedPage(declared.text, declared.encoding)


def _as_utf_8(body: bytes) -> str | None:
    """Text of UTF-8 that has something beyond ASCII; ASCII alone may hold a seven-bit encoding.

    The end may be cut within a character.
    """
    if body.isascii() or body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(body)
    except UnicodeDecodeError:
        pass
    else:
        return None if text.isascii() else text
    if _is_foreign(body):
        return None
    return body.decode("utf-8-sig", _HANDLER)


def _is_foreign(body: bytes) -> bool:
    """Whether the bytes beyond ASCII are those of another encoding than UTF-8."""
    n_other = len(_NON_ASCII.findall(body))
    n_inside = sum(match.end() - match.start() for match in _SEQUENCES.finditer(body))
    return n_inside < _UTF_8_SHARE * n_other


def _windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Read a byte that is no UTF-8 as windows-1252, a broken character as damage."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start : error.end]
    if len(byte) == 1 and error.end < len(error.object):
        return byte.decode("windows-1252", "replace"), error.end
    return _REPLACEMENT, error.end


_HANDLER = "broadsheet-windows-1252"
codecs.register_error(_HANDLER, _windows_1252)


def _as_utf_16(body: bytes) -> DecodedPage | None:
    """Text of UTF-16 without a mark: every other byte of its markup is NUL."""
    head = body[:_HEAD_BYTES]
    for name, codec, other in (("UTF-16LE", "utf-16-le", 1), ("UTF-16BE", "utf-16-be", 0)):
        places = head[other::2]
        if len(places) > 1 and places.count(0) * 2 > len(places) and 0 not in head[1 - other :: 2]:
            return DecodedPage(body.decode(codec, "replace"), name)
    return None


def _by_language(body: bytes) -> DecodedPage | None:
    """Text in the first encoding of the page's language that reads every byte."""
    match = _LANGUAGE.search(body[:_HEAD_BYTES])
    language = match[1].decode("ascii").lower() if match else ""
    for name in _LANGUAGE_ENCODINGS.get(language, ()):
        try:
            return DecodedPage(body.decode(name), name)
        except UnicodeDecodeError:
            continue
    return None
