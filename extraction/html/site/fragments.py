"""Fragments of a page: a hash of each element's normalised subtree, for counting over a site.

Elements → 64-bit hashes. Two subtrees are the same when tags, lasting attributes and text are.
Attributes that change from visit to visit (inline style, event handlers, data of scripts, digits in
ids and classes) do not count.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import xxhash
from lxml import etree

from extraction.html.markup.outline import Outline

_LASTING = ("class", "id", "href", "src", "alt", "title", "rel", "role", "type")
_DIGITS = re.compile(r"\d+")
# Characters of `<a></a>` besides the two names.
_TAG_CHARACTERS = 5


@dataclass(frozen=True, slots=True)
class PageFragments:
    """Per element of the outline, in its order."""

    hashes: list[int]
    n_html: list[int]  # characters of the element's HTML, tags and attributes included
    n_text: list[int]  # visible characters below the element


def page_fragments(outline: Outline) -> PageFragments:
    """Hash every element of a page; linear in elements, since a hash is made of its children's."""
    n_elements = len(outline.tags)
    children: list[list[int]] = [[] for _ in range(n_elements)]
    for index, parent in enumerate(outline.parents):
        if parent >= 0:
            children[parent].append(index)
    hashes, n_html, n_text = [0] * n_elements, [0] * n_elements, [0] * n_elements
    for index in range(n_elements - 1, -1, -1):
        element = outline.elements[index]
        attributes = _attributes(element)
        runs = [element.text, *(outline.elements[child].tail for child in children[index])]
        texts = [" ".join((run or "").split()) for run in runs]
        below = "".join(f"\x01{hashes[child]:x}" for child in children[index])
        material = "\x00".join((outline.tags[index], attributes, *texts, below))
        hashes[index] = xxhash.xxh3_64_intdigest(material.encode("utf-8", "replace"))
        n_own = sum(map(len, texts))
        n_text[index] = n_own + sum(n_text[child] for child in children[index])
        n_html[index] = (
            n_own
            + 2 * len(outline.tags[index])
            + _TAG_CHARACTERS
            + len(attributes)
            + sum(n_html[child] for child in children[index])
        )
    return PageFragments(hashes, n_html, n_text)


@dataclass(frozen=True, slots=True)
class SiteSample:
    """How many of a site's sampled pages each fragment stands on."""

    n_pages: int
    counts: Counter[int]

    @classmethod
    def of(cls, pages: Sequence[PageFragments]) -> "SiteSample":
        """Count the fragments of a site's pages; memory is linear in the different ones."""
        return cls(len(pages), page_counts(pages))


def page_counts(pages: Iterable[PageFragments]) -> Counter[int]:
    """Count the pages each fragment stands on; once a page, however often it stands there."""
    counts: Counter[int] = Counter()
    for page in pages:
        counts.update(set(page.hashes))
    return counts


def _attributes(element: etree._Element) -> str:
    found = []
    for name in _LASTING:
        value = element.get(name)
        if value:
            kept = _DIGITS.sub("0", str(value)) if name in {"class", "id"} else str(value)
            found.append(f'{name}="{kept}"')
    return " ".join(found)
