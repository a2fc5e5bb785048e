"""Ids of comments: the number a site gives one, else a digest of what it says."""

import hashlib
import re

from lxml import etree

from extraction.html.markup.elements import attribute

# wpDiscuz: "wc-comm-803441_803230" is the answer 803441 to 803230, which is 0 at the top.
PAIRED_ID = re.compile(r"comm[-_](\d+)_(\d+)$")
ID_NUMBER = re.compile(r"(\d+)\D*$")
_HEX_ID = re.compile(r"[-_]([0-9a-f]{16,40})$")
MAX_ID_CHARACTERS = 30  # no longer than its column


def id_of(parts: list[etree._Element]) -> str:
    """Give the id of a comment's element, or of one inside it that is named after the comment."""
    for element in parts[:1]:
        for name in ("data-comment-id", "data-commentid", "data-id", "id", "about", "data-post-id"):
            own = _id_in(attribute(element, name))
            if own:
                return own
    for element in parts[1:]:
        for name in ("data-comment-id", "data-commentid", "id", "name"):
            value = attribute(element, name)
            if value and "omment" in (value + name) and (own := _id_in(value)):
                return own
    return ""


def _id_in(value: str) -> str:
    match = PAIRED_ID.search(value) or _HEX_ID.search(value) or ID_NUMBER.search(value)
    return str(match[1])[-MAX_ID_CHARACTERS:] if match else ""


def digest_id(*parts: str) -> str:
    """Id of a comment that has none: what it says and who said it."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
