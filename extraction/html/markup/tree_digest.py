"""Whether two documents of a page are one to their reader: a digest of the tree that is read.

Templates write a new comment ("cached at 12:03") or a new key for a form into each answer. The
parser leaves the former out, nothing reads the latter; so documents of one digest, at one address
and read with the same rules, give the same text, metadata and comments.
"""

import hashlib
import re

from lxml import etree

from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html

DIGEST_BYTES = 16
# In serialised XML a "<" opens a tag and no value holds a bracket. All patterns begin
# with it: a search that may begin anywhere takes six times as long.
_KEYS = re.compile(
    rb'<(?:((?:script|style|link)\b[^<>]*?) nonce="[^"]*"'
    rb'|(meta\b[^<>]*? name="csrf-token"[^<>]*?) content="[^"]*"'
    rb'|(input\b[^<>]*? name="(?:csrf[-_]?token|csrfmiddlewaretoken|authenticity_token|_token'
    rb'|_wpnonce|form_build_id)"[^<>]*?) value="[^"]*")'
)


def tree_digest(body: bytes, content_type: str) -> str:
    """Give the digest of a document's tree and encoding, in hexadecimal digits.

    Examples
    --------
    >>> page = b"<p>The harbour.</p><!-- %s -->"
    >>> tree_digest(page % b"12:03", "") == tree_digest(page % b"12:04", "")
    True
    """
    decoded = decode_html(body, content_type)
    return digest_of(parse_html(decoded.text), decoded.encoding)


def digest_of(root: etree._Element, encoding: str) -> str:
    """Give the digest of a tree that nothing was taken out of yet."""
    data = etree.tostring(root, encoding="utf-8")
    data = _KEYS.sub(rb"<\1\2\3", data)
    digest = hashlib.blake2b(encoding.encode(), digest_size=DIGEST_BYTES)
    digest.update(data)
    return digest.hexdigest()
