"""Composite text density with DensitySum: Sun, Song & Liao 2011, over the outline.

Outline → for each element its density and density sum → the elements that are content. Faithful to
the formulas; the public ports disagree with them (one turns the comparison with the threshold
round, one takes the mean instead of the minimum).

References
----------
F. Sun, D. Song, L. Liao: DOM based content extraction via text density. SIGIR 2011, 245-254.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import e, log

from extraction.html.markup.outline import LINK_TAGS, Outline
from extraction.html.markup.page_size import body_index


@dataclass(frozen=True, slots=True)
class TextDensities:
    """Per element of the outline, in its order."""

    density: list[float]  # composite text density, 0 or more
    density_sum: list[float]
    n_chars: list[int]
    n_link_chars: list[int]


def text_densities(outline: Outline, runs: Sequence[list[int]] | None = None) -> TextDensities:
    """Composite text density and DensitySum of every element.

    Parameters
    ----------
    outline
        Outline of a cleaned page; its first `body` is the reference for the page's link share (the
        root where there is none).
    runs
        What counts in place of characters: of each element, one number a run of its own text.

    Returns
    -------
    TextDensities
        Lists as long as the outline has elements; linear in elements and text runs.

    Notes
    -----
    With C characters, T tags, LC characters in links and LT links below an element, NLC = C - LC,
    and LCb / Cb the share of the body's characters that are in links:

        CTD = C/T * ln(C*T / (LC*LT)) / ln(ln(C/NLC * LC + LCb/Cb * C + e))

    Zero denominators are 1; a negative value, or one whose outer logarithm is not positive, is 0.
    """
    runs = outline.runs if runs is None else runs
    n_chars, n_link_chars, n_tags, n_links = _counts(outline, runs)
    body = body_index(outline)
    link_share = n_link_chars[body] / (n_chars[body] or 1) if outline.tags else 0.0
    density = [
        _composite(chars, tags, link_chars, links, link_share)
        for chars, tags, link_chars, links in zip(
            n_chars, n_tags, n_link_chars, n_links, strict=True
        )
    ]
    density_sum = [0.0] * len(density)
    for index in range(len(density) - 1, -1, -1):
        parent = outline.parents[index]
        if parent >= 0:
            density_sum[parent] += density[index]
        for length in runs[index]:
            density_sum[index] += _run_density(length, link_share)
    return TextDensities(density, density_sum, n_chars, n_link_chars)


def content_elements(outline: Outline, densities: TextDensities) -> list[int]:
    """Find the elements whose whole subtrees are the content, in document order.

    Empty for a page without text.

    The threshold is the smallest density on the way from the element of greatest DensitySum up to
    the body.
    """
    if not outline.tags:
        return []
    body = body_index(outline)
    best = _greatest_sum(outline, densities, body)
    if densities.density_sum[best] <= 0.0:
        return []
    threshold = densities.density[best]
    node = best
    while node != body and outline.parents[node] >= 0:
        node = outline.parents[node]
        threshold = min(threshold, densities.density[node])
    return _marked(outline, densities, body, threshold)


def _marked(outline: Outline, densities: TextDensities, body: int, threshold: float) -> list[int]:
    """Walk from the body down.

    Inside an element that is dense enough, its subtree's greatest DensitySum is content.
    """
    marked: set[int] = set()
    stack = [body]
    while stack:
        node = stack.pop()
        if densities.density[node] < threshold:
            continue
        best = _greatest_sum(outline, densities, node)
        marked.add(best)
        if best != node:  # all below the marked element is content already
            stack.extend(_children(outline, node))
    return _outermost(outline, marked)


def _outermost(outline: Outline, marked: set[int]) -> list[int]:
    kept: list[int] = []
    end = -1
    for index in sorted(marked):
        if index >= end:
            kept.append(index)
            end = outline.ends[index]
    return kept


def _children(outline: Outline, node: int) -> list[int]:
    children = []
    child = node + 1
    while child < outline.ends[node]:
        children.append(child)
        child = outline.ends[child]
    return children


def _greatest_sum(outline: Outline, densities: TextDensities, node: int) -> int:
    return max(range(node, outline.ends[node]), key=densities.density_sum.__getitem__)


def _counts(
    outline: Outline, runs: Sequence[list[int]]
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Characters, characters in links, tags and links below each element (tags.

    Without the element itself).
    """
    n_elements = len(outline.tags)
    n_chars = [sum(own) for own in runs]
    n_link_chars = [
        chars if linked else 0 for chars, linked in zip(n_chars, outline.in_link, strict=True)
    ]
    n_tags = [0] * n_elements
    n_links = [0] * n_elements
    for index in range(n_elements - 1, 0, -1):
        parent = outline.parents[index]
        if parent < 0:
            continue
        n_chars[parent] += n_chars[index]
        n_link_chars[parent] += n_link_chars[index]
        n_tags[parent] += n_tags[index] + 1
        n_links[parent] += n_links[index] + (outline.tags[index] in LINK_TAGS)
    return n_chars, n_link_chars, n_tags, n_links


def _composite(chars: int, tags: int, link_chars: int, links: int, link_share: float) -> float:
    if chars == 0:
        return 0.0
    tags = tags or 1
    outside = (chars - link_chars) or 1
    base = log(chars / outside * link_chars + link_share * chars + e)
    scale = log(base)
    if scale <= 0.0:  # no links on the whole page: ln(ln(e)) = 0, the limit is the plain density
        return chars / tags
    value = chars / tags * log(chars * tags / ((link_chars or 1) * (links or 1))) / scale
    return max(value, 0.0)


def _run_density(length: int, link_share: float) -> float:
    if length <= 1:
        return 0.0
    scale = log(log(link_share * length + e))
    return length * log(length) / scale if scale > 0.0 else float(length)
