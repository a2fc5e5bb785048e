"""JSON-LD of a page (schema.org): the article it describes, read forgivingly.

Real pages put comments, trailing commas, raw line feeds and HTML entities into their JSON-LD; what
cannot be repaired is left out.
"""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

_ARTICLE_TYPES = re.compile(r"(?:Article|BlogPosting|Report|Review|LiveBlogPosting|Posting)$")
_SECONDARY_TYPES = {
    "WebPage",
    "VideoObject",
    "ItemPage",
    "Recipe",
    "CreativeWork",
    "MediaObject",
    "ImageGallery",
}
# Nested things worth descending into; a page's JSON-LD may hold a whole site otherwise.
_CONTAINERS = (
    "@graph",
    "mainEntity",
    "mainEntityOfPage",
    "itemListElement",
    "item",
    "hasPart",
    "subjectOf",
    "liveBlogUpdate",
)
_MAX_DEPTH = 6
_MAX_NODES = 500
# A larger script is data for an application, not metadata.
_MAX_SCRIPT_CHARACTERS = 3_000_000
_COMMENT = re.compile(
    r"^\s*(?://[^\n]*|/\*.*?\*/|<!--|<!\[CDATA\[)|(?:-->|\]\]>)\s*;?\s*$", re.DOTALL
)
_TRAILING_COMMA = re.compile(r",\s*([}\]])")
_LINE_COMMENT = re.compile(r"^\s*//[^\n]*$", re.MULTILINE)
# NUL and other controls, which JSON can spell out, and what is left of halved emoji.
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_TAG = re.compile(r"<[^<>]{1,200}>")
_BREAKING_TAG = re.compile(r"</?(?:p|div|br|li|h[1-6]|blockquote)\b[^<>]{0,200}>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JsonLdArticle:
    """Fields of the article node; empty where the page gives none."""

    headline: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    modified: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    description: str = ""
    body: str = ""
    publisher: str = ""
    is_free: bool | None = None
    kind: str = ""


def read_json_ld(root: etree._Element) -> JsonLdArticle:
    """Article described by the page's JSON-LD; an empty one when there is none."""
    best, best_score = JsonLdArticle(), 0
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        for node in _nodes(load_json(script.text or "")):
            score = _rank(node)
            if score > best_score:
                best, best_score = _article(node), score
    return best


def load_json(text: str) -> Any:
    """Value of a script's JSON, forgiving what real pages do to it; None where it has none."""
    if len(text) > _MAX_SCRIPT_CHARACTERS:
        return None
    for attempt in (_as_is, _without_wrapping, _without_commas, html.unescape):
        try:
            return json.loads(attempt(text), strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _as_is(text: str) -> str:
    return text


def _without_wrapping(text: str) -> str:
    return _COMMENT.sub("", text)


def _without_commas(text: str) -> str:
    return _TRAILING_COMMA.sub(r"\1", _LINE_COMMENT.sub("", _without_wrapping(text)))


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Objects in document order, breadth first, down to a bounded depth."""
    queue: list[tuple[Any, int]] = [(value, 0)]
    n_seen = 0
    while queue and n_seen < _MAX_NODES:
        current, depth = queue.pop(0)
        n_seen += 1
        if depth > _MAX_DEPTH:
            continue
        if isinstance(current, list):
            queue.extend((item, depth + 1) for item in current)
        elif isinstance(current, dict):
            yield current
            queue.extend((current[key], depth + 1) for key in _CONTAINERS if key in current)


def _types(node: dict[str, Any]) -> list[str]:
    value = node.get("@type") or node.get("type") or ()
    return [str(item) for item in (value if isinstance(value, list) else [value])]


def _rank(node: dict[str, Any]) -> int:
    """How likely the node is the page's article: its type, then how much it says."""
    types = _types(node)
    if any(_ARTICLE_TYPES.search(name) for name in types):
        base = 100
    elif _SECONDARY_TYPES.intersection(types):
        base = 10
    else:
        return 0
    wanted = ("headline", "articleBody", "datePublished", "author", "description", "name")
    return base + sum(bool(node.get(key)) for key in wanted) * 2


def _article(node: dict[str, Any]) -> JsonLdArticle:
    return JsonLdArticle(
        headline=_text(node.get("headline")) or _text(node.get("name")),
        authors=tuple(
            dict.fromkeys(
                name for name in _names(node.get("author") or node.get("creator")) if name
            )
        ),
        published=_text(
            node.get("datePublished") or node.get("dateCreated") or node.get("uploadDate")
        ),
        modified=_text(node.get("dateModified")),
        section=_text(node.get("articleSection")),
        tags=_words(node.get("keywords")),
        language=_text(node.get("inLanguage")),
        description=_text(node.get("description")),
        body=_body(node),
        publisher=next(iter(_names(node.get("publisher"))), ""),
        is_free=_is_free(node.get("isAccessibleForFree")),
        kind=next(iter(_types(node)), ""),
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = next((item for item in value if item), "")
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name") or value.get("alternateName") or ""
    if not isinstance(value, str):
        return ""
    text = _UNSTORABLE.sub("", html.unescape(value))
    return " ".join(_TAG.sub(" ", text).split())


def _names(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value[:50] for name in _names(item)]
    if isinstance(value, dict):
        name = value.get("name")
        if isinstance(name, list):
            return [name for item in value["name"] for name in _names(item)]
        if not name and isinstance(value.get("givenName"), str):
            name = f"{value['givenName']} {value.get('familyName', '')}"
        return [_text(name)] if name else []
    return [_text(value)] if isinstance(value, str) else []


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    return tuple(dict.fromkeys(word for word in map(_text, value[:100]) if word))


def _body(node: dict[str, Any]) -> str:
    value = node.get("articleBody") or ""
    if isinstance(value, list):
        value = "\n".join(item for item in value if isinstance(item, str))
    if not isinstance(value, str):
        return ""
    if "<" in value or "&" in value:
        value = html.unescape(value)
        value = _TAG.sub("", _BREAKING_TAG.sub("\n", value))
    return _UNSTORABLE.sub("", value)


def _is_free(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(str(value).strip().lower().rsplit("/", 1)[-1])
