"""Text that a page keeps in a script until its own script shows it → ordinary elements.

Blogger's themes send the post as `<script type="text/template">` for browsers and again below
`noscript`; the generic cleaning drops both, so the post is unpacked before. Templates with places
to fill in ("{{ title }}", "<%= %>") are patterns for lists, not texts, and stay where they are; so
does JSON, whose strings may hold markup.
"""

import re

from lxml import etree

from extraction.html.markup.parse import parse_html

_TEMPLATE_TYPES = {"text/template", "text/html", "text/x-template"}
_NOT_MARKUP = re.compile(r"\A\s*[{\[]|\{\{|\{%|<%|\$\{")
_MARKUP = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol|blockquote)\b", re.IGNORECASE)
# Shorter templates are parts of the page's furniture (share buttons, dialogs), not texts.
_LEAST_CHARACTERS = 400


def unpack_templates(root: etree._Element) -> int:
    """Put texts in template scripts where the scripts stand; returns how many there were.

    Examples
    --------
    >>> page = "<article><script type='text/template'><p>" + "Maas. " * 80 + "</p></script>"
    >>> root = parse_html(page)
    >>> unpack_templates(root), root.find(".//article/div/p").text[:5]
    (1, 'Maas.')
    """
    n_unpacked = 0
    for script in list(root.iter("script")):
        if str(script.get("type") or "").strip().lower() not in _TEMPLATE_TYPES:
            continue
        source = script.text or ""
        if len(source) < _LEAST_CHARACTERS or _NOT_MARKUP.search(source):
            continue
        if _MARKUP.search(source) and _replace(script, source):
            n_unpacked += 1
    return n_unpacked


def _replace(script: etree._Element, source: str) -> bool:
    body = parse_html(source).find("body")
    parent = script.getparent()
    if body is None or parent is None:
        return False
    body.tag = "div"
    body.tail = script.tail
    parent.replace(script, body)
    return True
