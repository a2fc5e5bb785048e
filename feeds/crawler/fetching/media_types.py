"""Tell documents that we read from others, by Content-Type and by the first bytes.

Headers lie in both directions: feeds come as text/html, articles as application/octet-stream. So a
type refuses only where the first bytes agree, and text is text whatever it is called.
"""

from feeds.crawler.fetching.exchange import Expectation

# Types whose bodies are not worth a download unless they begin like markup after all.
_BINARY_PREFIXES = ("image/", "video/", "audio/", "font/", "model/")
_BINARY_TYPES = frozenset(
    {
        "application/pdf",
        "application/zip",
        "application/octet-stream",
        "application/x-shockwave-flash",
        "application/msword",
        "application/vnd.android.package-archive",
        "application/x-rar-compressed",
        "application/x-7z-compressed",
        "application/wasm",
    }
)
# First bytes of what is sent under a text's name: PDF, PNG, GIF, JPEG, zip, RIFF, MP4, ID3, 7z,
# wasm.
_MAGIC = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"RIFF",
    b"ID3\x03",
    b"7z\xbc\xaf",
    b"\x00asm",
    b"OggS",
)
_GZIP_MAGIC = b"\x1f\x8b"  # RFC 1952
_MP4_MARK = b"ftyp"
# "Binary data bytes" of the WHATWG's MIME Sniffing Standard but NUL, which UTF-16 is full of.
_BINARY_BYTES = bytes([*range(0x01, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_MAX_BINARY_SHARE = 0.02  # of the first bytes: a stray one is met on real pages; chance gives 10 %
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
SNIFF_BYTES = 512  # more than any magic needs, enough for a share of binary bytes

ACCEPT = {
    Expectation.PAGE: "text/html,application/xhtml+xml;q=0.9,application/xml;q=0.5,*/*;q=0.1",
    Expectation.FEED: (
        "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,"
        "text/xml;q=0.9,application/json;q=0.8,text/html;q=0.5,*/*;q=0.1"
    ),
    Expectation.ANY: "*/*",
}


def media_type(content_type: str) -> str:
    """Return the type without its parameters, lower-case.

    Examples
    --------
    >>> media_type("Text/HTML; charset=utf-8")
    'text/html'
    """
    return content_type.partition(";")[0].strip().lower()


def type_refusal(content_type: str, start: bytes) -> str | None:
    r"""Say why a document is not read.

    Parameters
    ----------
    content_type : str
        Value of Content-Type, may be empty.
    start : bytes
        The first decoded bytes, 512 suffice; empty for an empty body.

    Returns
    -------
    str or None
        A sentence, or None for text of any kind.

    Examples
    --------
    >>> type_refusal("image/jpeg", b"\xff\xd8\xff\xe0")
    'The answer is image/jpeg, not a page.'
    >>> type_refusal("application/octet-stream", b"<?xml version='1.0'?>") is None
    True
    """
    name = media_type(content_type)
    is_binary_type = name.startswith(_BINARY_PREFIXES) or name in _BINARY_TYPES
    if is_binary_type and not _looks_like_text(start):
        return f"The answer is {name}, not a page."
    if start.startswith(_MAGIC) or start[4:8] == _MP4_MARK or _is_binary(start):
        return "The answer is a binary file, not a page."
    return None


def is_packed_sitemap(url: str, start: bytes) -> bool:
    r"""Tell whether a document is a sitemap that is a gzip file of its own, not an encoding.

    Examples
    --------
    >>> is_packed_sitemap("https://a.example/sitemap.xml.gz?1", b"\x1f\x8b\x08")
    True
    """
    return start.startswith(_GZIP_MAGIC) and url.partition("?")[0].endswith(".xml.gz")


def _is_binary(start: bytes) -> bool:
    n_binary = len(start) - len(start.translate(None, _BINARY_BYTES))
    return not start.startswith(_TEXT_MARKS) and n_binary > len(start) * _MAX_BINARY_SHARE


def _looks_like_text(start: bytes) -> bool:
    text = start
    for mark in _TEXT_MARKS:
        text = text.removeprefix(mark)
    return text.lstrip()[:1] in {b"<", b"{", b"["}
