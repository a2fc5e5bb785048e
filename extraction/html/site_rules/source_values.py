"""Values taken from a page's source instead of its elements: by a pattern, or from embedded JSON.

A pattern runs on RE2 over the source as decoded; its first group, or else the whole match, is the
value, without tags. A JSON path such as `props.pageProps.article.author.name` goes through the JSON
of every script that has one: keys and list positions between dots; a list that is met by a key is
searched item by item.
"""

import re
from collections.abc import Iterator
from typing import Any

import re2
from lxml import etree

from extraction.html.markup.json_ld import load_json

# More of the source than this is never searched: the longest article page has 2.3 million.
MAX_SOURCE_CHARACTERS = 5_000_000
MAX_VALUES = 20  # of one rule: an article's authors or sections
_MAX_DIGITS = 9  # of a position in a list
_TAGS = re.compile(r"<[^<>]*>")


def pattern_values(pattern: "re2._Regexp", source: str) -> list[str]:
    """Take what the pattern's first group matches, else its whole match; tags are left out."""
    found = []
    for match in pattern.finditer(source[:MAX_SOURCE_CHARACTERS]):
        text = match.group(1) if match.re.groups else match.group(0)
        found.append(" ".join(_TAGS.sub(" ", text or "").split()))
        if len(found) >= MAX_VALUES:
            break
    return found


def json_steps(path: str) -> tuple[str | int, ...]:
    """Split a JSON path into keys and positions.

    Raises
    ------
    ValueError
        Two arguments, the reason and the position of the character it is about.

    Examples
    --------
    >>> json_steps("article.authors.0.name")
    ('article', 'authors', 0, 'name')
    """
    steps: list[str | int] = []
    at = 0
    for part in path.split("."):
        if not part.strip():
            raise ValueError("A key is missing between two dots.", at)
        if any(sign in part for sign in "[]{}$"):
            sign_at = next(place for place, sign in enumerate(part) if sign in "[]{}$")
            raise ValueError("Write keys and positions between dots: authors.0.name.", at + sign_at)
        if part.isdecimal() and len(part) > _MAX_DIGITS:
            raise ValueError("A position has at most nine digits.", at)
        steps.append(int(part) if part.isdecimal() else part.strip())
        at += len(part) + 1
    return tuple(steps)


def json_values(steps: tuple[str | int, ...], root: etree._Element) -> list[str]:
    """Strings and numbers at the path in any embedded JSON, in page order."""
    found: list[str] = []
    for script in root.iter("script"):
        kind = (script.get("type") or "").lower()
        if "json" not in kind:
            continue
        for value in _at(load_json(script.text or ""), steps):
            found.append(" ".join(_TAGS.sub(" ", value).split()))
            if len(found) >= MAX_VALUES:
                return found
    return found


def _at(value: Any, steps: tuple[str | int, ...]) -> Iterator[str]:
    if isinstance(value, list) and not (steps and isinstance(steps[0], int)):
        for item in value[:MAX_VALUES]:
            yield from _at(item, steps)
    elif not steps:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            yield str(value)
    elif isinstance(value, list):
        position = steps[0]
        if isinstance(position, int) and position < len(value):
            yield from _at(value[position], steps[1:])
    elif isinstance(value, dict):
        yield from _at(value.get(str(steps[0])), steps[1:])
