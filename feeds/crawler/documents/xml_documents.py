"""XML that nobody vouches for: its root, and the names of its elements."""

import io
import re
from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

from lxml import etree

T = TypeVar("T")
# XML 1.0, appendix F: how a document of wide characters begins, with a byte order mark or without.
_WIDE = (
    (re.compile(rb"\xff\xfe\0\0|(?:[ \t\r\n]\0\0\0){0,99}<\0\0\0[^\0]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\xfe\xff|(?:\0\0\0[ \t\r\n]){0,99}\0\0\0<\0\0\0[^\0]"), "utf-32-be"),
    (re.compile(rb"\xff\xfe|(?:[ \t\r\n]\0){0,99}<\0[^\0]\0"), "utf-16-le"),
    (re.compile(rb"\xfe\xff|(?:\0[ \t\r\n]){0,99}\0<\0[^\0]"), "utf-16-be"),
)
_DECLARATION = re.compile(r"\s*<\?xml\b[^<>]*>\s*")
_SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "recover": True,
    "remove_comments": True,
    "remove_pis": True,
}


def narrow(body: bytes) -> bytes:
    """Give UTF-16 and UTF-32 as UTF-8 without a declaration; anything else as it is.

    Examples
    --------
    >>> narrow('<?xml version="1.0" encoding="utf-16"?><a/>'.encode("utf-16-be"))
    b'<a/>'
    """
    for start, encoding in _WIDE:
        if start.match(body):
            text = body.decode(encoding, "replace").lstrip("\ufeff")
            declaration = _DECLARATION.match(text)
            return text[declaration.end() if declaration else 0 :].encode()
    return body


def xml_root(body: bytes) -> etree._Element | None:
    """Parse XML that nobody vouches for; None when not even one element can be recovered.

    No entities, no network, no DTD, no huge trees: a billion laughs ends as an empty text.
    """
    try:
        return etree.fromstring(narrow(body), etree.XMLParser(**_SAFE))
    except (etree.XMLSyntaxError, ValueError):
        return None


def read_children(
    body: bytes, read: Callable[[str, etree._Element], T | None], most: int
) -> tuple[str, list[T]]:
    """Read the elements right below the root one after the other.

    Each is dropped when the next is read, so a sound file of 50 MB takes no tree of 500. A broken
    one is read again from `xml_root`: to recover by pieces ends early, or takes minutes where
    quotes or tags are never closed.

    Parameters
    ----------
    body
        The document.
    read
        Gets the local name of the root and a child of it; what it gives is kept but for None.
    most
        As many are kept, and no more is read then.

    Returns
    -------
    tuple
        Local name of the root, empty where there is none, and what was kept.
    """
    strict = _SAFE | {"recover": False}
    pieces = etree.iterparse(io.BytesIO(narrow(body)), events=("start", "end"), **strict)
    found: list[T] = []
    root: etree._Element | None = None
    try:
        for event, element in pieces:
            if root is None:
                root = element
            elif event == "end" and element.getparent() is root:
                item = read(local_name(root), element)
                if item is not None:
                    found.append(item)
                if len(found) == most:
                    return local_name(root), found
                element.clear()
                while element.getprevious() is not None:
                    del root[0]
    except etree.XMLSyntaxError:
        root = xml_root(body)
        items = () if root is None else (read(local_name(root), child) for child in root)
        found = list(islice((item for item in items if item is not None), most))
    return "" if root is None else local_name(root), found


def local_name(element: etree._Element) -> str:
    """Give an element's name without its name space; empty for comments and instructions.

    `etree.QName` raises ValueError where the name space holds a brace, as any text may.
    """
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
