"""Bytes of a page → characters, whatever the page claims about itself (COR-12).

The feeds app names the encoding by the WHATWG's rules. Here the bytes come first: what is valid
UTF-8 and not plain ASCII is UTF-8 even where a header or a multi-byte declaration says otherwise (a
CMS that was converted and still declares GBK), and so is what UTF-8 damages less than the declared
encoding does.
"""

import codecs
from dataclasses import dataclass

from feeds.crawler.charset import decode

_REPLACEMENT = "\ufffd"


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
    declared = decode(body, content_type)
    n_damaged = declared.text.count(_REPLACEMENT)
    if n_damaged:
        text = body.decode("utf-8", "replace")
        if text.count(_REPLACEMENT) <= n_damaged:
            return DecodedPage(text, "UTF-8")
    return DecodedPage(declared.text, declared.encoding)


def _as_utf_8(body: bytes) -> str | None:
    """Text of valid UTF-8 that has something beyond ASCII.

    ASCII alone may hold a seven-bit encoding.
    """
    if body.isascii() or body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
