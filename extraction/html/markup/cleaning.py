"""Two cleaning phases before extraction: generic, then one publication's filters.

Phase 1 removes what no reader sees: scripts, style sheets, noscript, templates, and elements hidden
by inline style or by the `hidden` attribute. Phase 2 removes what an editor named; text hidden by a
style sheet is phase 2's business. The tree is changed in place; text that follows a removed element
stays.
"""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from lxml import etree

from extraction.html.markup.elements import select

# Never text of an article, visible or not; `head` goes because its title and metadata are read
# before cleaning.
UNSEEN_TAGS = (
    "script", "style", "noscript", "template", "head", "iframe", "frame", "frameset", "object",
    "embed", "applet", "canvas", "svg", "math", "audio", "video", "map", "area", "link", "meta",
    "title", "base", "datalist", "noembed", "noframes",
)  # fmt: skip
# "display:hidden" is said where either form is meant, so all are covered.
_HIDING_STYLE = re.compile(
    r"(?:^|[;\s{])(?:display\s*:\s*(?:none|hidden)|visibility\s*:\s*(?:hidden|collapse)|"
    r"content-visibility\s*:\s*hidden)",
    re.IGNORECASE,
)
# Pages that fade in hide their whole body until a script runs; the text is there all the same.
_NEVER_HIDDEN = {"html", "body", "main", "article"}
# React streams finished parts of a page into hidden elements with these ids and moves them into
# place by script.
_STREAMED_ID = re.compile(r"S:[0-9a-f]+$")
# A third of the time of asking each element, but the step up takes libxml2 their number squared.
_MAX_STEPS = 2_000
_STYLED = etree.XPath(f"(//@style)[position() <= {_MAX_STEPS}]/..")
_HIDDEN = etree.XPath(f"(//@hidden)[position() <= {_MAX_STEPS}]/..")


def clean(root: etree._Element) -> None:
    """Phase 1: drop elements that hold no visible text, and hidden ones.

    Parameters
    ----------
    root
        Tree of the whole page; metadata must have been read from it, `head` and `script` are
        removed.
    """
    # Not by lxml's strip_elements: it leaves texts side by side, which are then joined one by one.
    drop(root.iter(*UNSEEN_TAGS))
    drop(
        element
        for element in _styled(root)
        if element.tag not in _NEVER_HIDDEN and is_hidden(element)
    )


def _styled(root: etree._Element) -> list[etree._Element]:
    """Elements that may be hidden by an attribute of their own, in no order."""
    found = [*select(_STYLED, root), *select(_HIDDEN, root)]
    if len(found) < _MAX_STEPS:
        return found
    return [
        element
        for element in root.iter()
        if element.get("style") is not None or element.get("hidden") is not None
    ]


def is_hidden(element: etree._Element) -> bool:
    """Whether the element's own attributes hide it.

    Examples
    --------
    >>> is_hidden(etree.fromstring('<p style="color: red; DISPLAY : none"/>'))
    True
    >>> is_hidden(etree.fromstring('<p hidden=""/>'))
    True
    >>> is_hidden(etree.fromstring('<p style="display: block"/>'))
    False
    """
    hidden = element.get("hidden")
    if hidden is not None and hidden.strip().lower() not in {"until-found", "false"}:
        return _STREAMED_ID.match(element.get("id") or "") is None
    style = element.get("style")
    return bool(style) and _HIDING_STYLE.search(str(style)) is not None


def drop(elements: Iterable[etree._Element]) -> None:
    """Remove elements with everything below them; the text after each stays where it was.

    All at once, since moving one text after the other to the same place takes their number squared.
    """
    gone = set(elements)
    for parent in dict.fromkeys(element.getparent() for element in gone):
        if parent is not None:
            _drop_children(parent, gone)


def _drop_children(parent: etree._Element, gone: AbstractSet[etree._Element]) -> None:
    before: etree._Element | None = None
    texts: list[str] = []  # that belong behind `before`, which was kept, or to the parent's start
    for child in list(parent):
        if child in gone:
            texts.append(child.tail or "")
            parent.remove(child)
            continue
        _append(parent, before, texts)
        before, texts = child, []
    _append(parent, before, texts)


def _append(parent: etree._Element, before: etree._Element | None, texts: list[str]) -> None:
    added = "".join(texts)
    if added and before is None:
        parent.text = (parent.text or "") + added
    elif added and before is not None:
        before.tail = (before.tail or "") + added
