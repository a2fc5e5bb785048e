"""HTML of a feed → one line of text.

Feeds put markup, escaped once or twice, where text belongs. What comes out holds no tags and no
references, so that nothing but autoescaping is needed when it is shown.
"""

import html
import re

import lxml.html
from lxml import etree

from feeds.crawler.documents.long_tags import cut_long_tags

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--|<!\[CDATA\[")
_REFERENCE = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")
_UNREAD = re.compile(
    r"<(script|style|iframe|noscript)\b.*?(?:</\1\s*>|$)", re.DOTALL | re.IGNORECASE
)
_BLOCK_END = re.compile(
    r"</?(?:p|br|div|li|ul|ol|h[1-6]|td|tr|blockquote|figure|figcaption|hr)\b", re.IGNORECASE
)
# Control characters, lone surrogates and non-characters: XML and PostgreSQL take none of them.
_FORBIDDEN = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff\ufffe\uffff]")
# Markup is cut before it is read: a whole article as description must not cost a whole parse.
_MARKUP_PER_CHARACTER = 5
_MAX_LAYERS = 4  # tags in escaped tags in tags: more is no accident and stays as it is


def plain_text(markup: object, max_length: int) -> str:
    """Reduce markup to text.

    Parameters
    ----------
    markup
        Text with or without HTML; anything but a string gives "".
    max_length
        Most characters returned; the cut is at a character, not at a word.

    Examples
    --------
    >>> plain_text("<p>Fish &amp;amp; <b>chips</b></p><p>5 < 6</p>", 100)
    'Fish & chips 5 < 6'
    """
    if not isinstance(markup, str):
        return ""
    text = _FORBIDDEN.sub("", markup[: max_length * _MARKUP_PER_CHARACTER])
    for _ in range(_MAX_LAYERS):
        if _TAG.search(text):
            text = _without_tags(text)
        elif _REFERENCE.search(text):
            text = _REFERENCE.sub(lambda match: html.unescape(match[0]), text)
        else:
            break
    return " ".join(text.split())[:max_length].rstrip()


def _without_tags(text: str) -> str:
    text = _BLOCK_END.sub(lambda match: " " + match[0], _UNREAD.sub(" ", cut_long_tags(text)))
    try:
        root = lxml.html.fragment_fromstring(text, create_parent="div")
    except (etree.ParserError, ValueError):  # only comments, or characters that XML forbids
        return _TAG.sub(" ", text)
    return str(root.text_content())
