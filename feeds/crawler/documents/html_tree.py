"""A web page as a tree, its size, tags and attributes bounded before the parser sees them."""

import lxml.html
from lxml import etree

from feeds.crawler.documents.charset import decode
from feeds.crawler.documents.long_tags import cut_long_tags, first_tags

_MAX_PAGE_BYTES = 3_000_000  # bounds the parser's work; what lies behind is cut off


def html_tree(body: bytes, content_type: str = "") -> etree._Element | None:
    """Parse a page; None where it is empty, or nothing but a comment.

    Parameters
    ----------
    body
        HTML of any charset; at most 3 MB of it are read.
    content_type
        Header of the answer, for the charset.
    """
    parser = lxml.html.HTMLParser(encoding="utf-8")
    markup = cut_long_tags(first_tags(decode(body[:_MAX_PAGE_BYTES], content_type).text))
    try:
        return lxml.html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, ValueError):
        return None
