"""Characters → one lxml tree, parsed once for everything; no input makes it fail.

Comments and processing instructions are left out by the parser, which is the first step of the
generic cleaning.
"""

import re

from lxml import etree

from feeds.crawler.documents.long_tags import cut_long_tags, first_tags

# Longer pages are cut: the largest real article page of the evaluation sets has 2.3 million
# characters, most of it script.
MAX_CHARACTERS = 20_000_000
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# libxml2 drops what follows these; templates that close the page too early are common, and the end
# of input closes it anyway.
_PAGE_END = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
# Characters no XML tree can hold: lxml refuses them, libxml2 ends the document at a NUL. (A form
# feed is white space in HTML: libxml2 lets it in, lxml refuses to move it.)
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes([*range(0x09), 0x0B, *range(0x0E, 0x20)])
_NO_CHARACTERS = ("\ufffe", "\uffff")


def parse_html(text: str) -> etree._Element:
    """Tree of a page; an empty `html` element when there is nothing to parse."""
    text = first_tags(text[:MAX_CHARACTERS])
    data = _possible_markup(text)
    if data is None:
        data = _markup(_IMPOSSIBLE.sub("", text))
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        recover=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None or not isinstance(root.tag, str):
        return etree.Element("html")
    return root


def bounded_markup(text: str) -> str:
    """Characters of a page as another parser may be given them: bounded as `parse_html` bounds.

    Tags, attributes of a tag and characters; the same text for ordinary pages.
    """
    return cut_long_tags(first_tags(text[:MAX_CHARACTERS]))


def _possible_markup(text: str) -> bytes | None:
    """Bytes for the parser; None where they hold characters no tree can.

    Controls are counted among bytes, which is several times cheaper than a search for them.
    """
    if any(sign in text for sign in _NO_CHARACTERS):
        return None
    try:
        data = _markup(text)
    except UnicodeEncodeError:  # half a pair of surrogates
        return None
    return data if len(data.translate(None, _CONTROLS)) == len(data) else None


def _markup(text: str) -> bytes:
    text = _XML_DECLARATION.sub("", text.replace("\f", " "), count=1)
    return cut_long_tags(_PAGE_END.sub("", text)).encode("utf-8")
