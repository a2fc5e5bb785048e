"""JSON-LD of a page (schema.org): the article it describes, read forgivingly.

Real pages put comments, trailing commas, raw line feeds and HTML entities into their JSON-LD; what
cannot be repaired is left out.

A post of a live blog (`liveBlogUpdate`) is described like an article of its own, but it is none:
its headline and date are not the page's, and what all posts say is the text of the page.
"""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
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
)
# Bounds for what was made to exhaust us; an article's own node stands near the top.
_MAX_DEPTH = 6
_MAX_NODES = 500
_MAX_COMMENTS = 2_000
# A longer last step of the breadcrumbs is a headline.
_MAX_STEP_CHARACTERS = 40
# The development pages have at most 58; 50,000 broken ones took 2.6 s.
_MAX_SCRIPTS = 200
# A larger script is data for an application, not metadata.
_MAX_SCRIPT_CHARACTERS = 3_000_000
# What may stand between two values, or behind the last.
_BETWEEN = re.compile(r"[\s\ufeff;,]*")
_OPENING = re.compile(r"(?://|/\*)?\s*(?:<!--|<!\[CDATA\[)(?:\s*\*/)?")
_CLOSING = re.compile(r"(?:(?://|/\*)\s*)?(?:-->|\]\]>)(?:\s*\*/)?$")
_MARK_CHARACTERS = 40  # comment marks stand at the very ends
# A string is kept whole: its slashes begin no comment, its commas are its own. One that never ends
# is taken to the end of the text, else each quotation mark in it would be tried as a beginning.
_STRING = r'("(?:[^"\\]|\\.)*+\\?"?)'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_BAD_ESCAPE = re.compile(r"\\(?![\"\\/bfnrt]|u[0-9a-fA-F]{4})")
# NUL and other controls, which JSON can spell out, and what is left of halved emoji.
UNSTORABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_TAG = re.compile(r"<[^<>]{1,200}>")
_BREAKING_TAG = re.compile(r"</?(?:p|div|br|li|h[1-6]|blockquote)\b[^<>]{0,200}>", re.IGNORECASE)
# The longest live blogs of a day of polls or war have several hundred.
_MAX_POSTS = 1_000


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
    breadcrumb: str = ""  # last step of the page's breadcrumbs that is not the article itself
    comments: tuple[dict[str, Any], ...] = ()  # readers' comments as they are described


def read_json_ld(root: etree._Element) -> JsonLdArticle:
    """Article described by the page's JSON-LD, a live blog with its posts; an empty one if none."""
    best: dict[str, Any] = {}
    best_score = 0
    known: dict[str, dict[str, Any]] = {}
    steps: list[str] = []
    posts: list[dict[str, Any]] = []
    for script in islice(_scripts(root), _MAX_SCRIPTS):
        for node in _nodes(load_json(script.text or "")):
            if isinstance(node.get("@id"), str) and len(node) > 1:
                known.setdefault(node["@id"], node)
            if "BreadcrumbList" in _types(node):
                steps = steps or _steps(node)
            posts = posts or live_posts(node)
            score = _rank(node)
            if score > best_score:
                best, best_score = node, score
    article = _article(best, known) if best else JsonLdArticle()
    body = with_posts(article.body, [(_text(post.get("headline")), _body(post)) for post in posts])
    return replace(article, body=body, breadcrumb=_section_of(steps, article.headline))


def _scripts(root: etree._Element) -> Iterator[etree._Element]:
    return (
        script for script in root.iter("script") if "ld+json" in (script.get("type") or "").lower()
    )


def _steps(node: dict[str, Any]) -> list[str]:
    items = node.get("itemListElement")
    found = (
        [item for item in items[:20] if isinstance(item, dict)] if isinstance(items, list) else []
    )
    return [_text(item.get("name")) or _text(item.get("item")) for item in found]


def _section_of(steps: list[str], headline: str) -> str:
    """Last step between the home page and the article."""
    inner = [step for step in steps[1:] if step and step != headline]
    return inner[-1] if inner and len(inner[-1]) <= _MAX_STEP_CHARACTERS else ""


def load_json(text: str) -> Any:
    """Value of a script's JSON, forgiving what real pages do to it; None where it has none.

    Forgiven are comments, CDATA and HTML comment marks around it, trailing commas, control
    characters and wrong escapes in strings, HTML entities, a semicolon or a second value behind it
    (several values become a list).
    """
    if len(text) > _MAX_SCRIPT_CHARACTERS:
        return None
    for attempt in (_as_is, _without_comments, _with_good_escapes, _unescaped):
        try:
            return _values(attempt(text))
        except (ValueError, RecursionError):
            continue
    return None


_DECODER = json.JSONDecoder(strict=False)


def _values(text: str) -> Any:
    """Value of a text, or the list of its values where one follows the other."""
    found: list[Any] = []
    position = _BETWEEN.match(text).end()  # type: ignore[union-attr]  # matches the empty text
    while position < len(text) or not found:
        value, position = _DECODER.raw_decode(text, position)
        found.append(value)
        position = _BETWEEN.match(text, position).end()  # type: ignore[union-attr]
    return found[0] if len(found) == 1 else found


def _as_is(text: str) -> str:
    return text


def _without_comments(text: str) -> str:
    """Drop what stands outside of strings and is no JSON: marks, comments, trailing commas."""
    text = text.strip()
    text = _OPENING.sub("", text[:_MARK_CHARACTERS], count=1) + text[_MARK_CHARACTERS:]
    text = text[:-_MARK_CHARACTERS] + _CLOSING.sub("", text[-_MARK_CHARACTERS:], count=1)
    text = _COMMENT.sub(lambda match: match[1] or "", text)
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", text)


def _with_good_escapes(text: str) -> str:
    return _BAD_ESCAPE.sub(r"\\\\", _without_comments(text))


def _unescaped(text: str) -> str:
    return _with_good_escapes(html.unescape(text))


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


def _article(node: dict[str, Any], known: dict[str, dict[str, Any]]) -> JsonLdArticle:
    author = _resolved(node.get("author") or node.get("creator"), known)
    publisher = _resolved(node.get("publisher"), known)
    return JsonLdArticle(
        headline=_text(node.get("headline")) or _text(node.get("name")),
        authors=tuple(dict.fromkeys(name for name in _names(author) if name)),
        published=_text(
            node.get("datePublished") or node.get("dateCreated") or node.get("uploadDate")
        ),
        modified=_text(node.get("dateModified")),
        section=_text(node.get("articleSection")),
        tags=_words(node.get("keywords")),
        language=_text(node.get("inLanguage")),
        description=_text(node.get("description")),
        body=_body(node),
        publisher=next(iter(_names(publisher)), ""),
        is_free=_is_node_free(node),
        kind=next(iter(_types(node)), ""),
        comments=_comments(node.get("comment")),
    )


def _resolved(value: Any, known: dict[str, dict[str, Any]]) -> Any:
    """Put the described thing where a value only points to it by its @id."""
    if isinstance(value, list):
        return [_resolved(item, known) for item in value[:50] if not isinstance(item, list)]
    if isinstance(value, dict) and "name" not in value and isinstance(value.get("@id"), str):
        return known.get(value["@id"], value)
    return value


def _comments(value: Any) -> tuple[dict[str, Any], ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items[:_MAX_COMMENTS] if isinstance(item, dict))


def _is_node_free(node: dict[str, Any]) -> bool | None:
    """Whether the article can be read by everybody; a part that cannot be counts too."""
    own = _is_free(node.get("isAccessibleForFree"))
    if own is not None:
        return own
    parts = node.get("hasPart")
    values = parts if isinstance(parts, list) else [parts]
    said = [
        _is_free(part.get("isAccessibleForFree")) for part in values[:50] if isinstance(part, dict)
    ]
    return False if False in said else None


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = next((item for item in value if item), "")
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name") or value.get("alternateName") or ""
    if not isinstance(value, str):
        return ""
    text = UNSTORABLE.sub("", html.unescape(value))
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
    return UNSTORABLE.sub("", value)


def _is_free(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(str(value).strip().lower().rsplit("/", 1)[-1])


def live_posts(node: dict[str, Any]) -> list[dict[str, Any]]:
    """List the posts of a node, in its order; none for what is no live blog."""
    value = node.get("liveBlogUpdate") or ()
    items = value if isinstance(value, list) else [value]
    return [item for item in items[:_MAX_POSTS] if isinstance(item, dict)]


def with_posts(body: str, posts: list[tuple[str, str]]) -> str:
    """Text of a live blog: what its node says itself, then each post's headline and text.

    Parameters
    ----------
    body
        `articleBody` of the page's article; some publishers put all posts there too.
    posts
        Headline and text of each post; a post without text is a headline for a picture, say.

    Returns
    -------
    str
        Lines; what the body holds already is not said again.
    """
    parts = [body] if body else []
    for headline, text in posts:
        if text and text not in body:
            parts.extend(part for part in (headline, text) if part)
    return "\n".join(parts)
