"""Templateness: how likely each element is template, by a classifier a range of size.

Elements of a cleaned page → seven numbers each → logistic regression of the range its area falls in
→ a score, template from 0.5 on. Sizes and places are those of the browser where one drew the page,
estimates else (`page_layout`); the ranges are quartiles of estimates, not those of the study.

Smoothing on the tree is off. Patents US 7,870,474 and US 7,987,417 are on record for it (assignee
Yahoo, nominal end 2027); whoever switches it on should have judged that.
"""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.page_layout import lay_out
from extraction.html.algorithms.parameters import limited
from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.algorithms.templateness_model import TemplatenessModel, shipped_model
from extraction.html.algorithms.tree_smoothing import smooth
from extraction.html.markup.outline import Outline
from extraction.html.site.fragments import page_fragments

Matrix = npt.NDArray[np.float64]

N_NUMBERS = 7
# Scores are rounded to this many steps before smoothing, which then costs a fixed amount a node.
_SMOOTHING_STEPS = 100


class Smoothing(StrEnum):
    """How scores are smoothed on the tree."""

    NONE = "none"
    ISOTONIC = "isotonic"
    ISOTONIC_PENALTY = "isotonic_penalty"  # with the c term


@dataclass(frozen=True, slots=True)
class TemplatenessParameters:
    """As the paper has them: its c is the penalty, the least area is in square pixels."""

    smoothing: Smoothing = Smoothing.NONE
    penalty: float = limited(0.01, 0.0, 10.0)
    least_area: float = limited(2000.0, 0.0, 1e6)
    template_score: float = limited(0.5, 0.0, 1.0)


def templateness(
    page: ReadPage, parameters: TemplatenessParameters, model: TemplatenessModel | None = None
) -> ScoredPage:
    """Keep the lines whose nearest judged element is not template.

    A line's score is one minus the templateness of that element; elements below `least_area` are
    not judged.
    """
    outline = page.outline
    judged = element_scores(page, parameters, model or shipped_model())
    nearest = [-1.0] * len(outline.tags)
    for index, parent in enumerate(outline.parents):
        inherited = nearest[parent] if parent >= 0 else -1.0
        nearest[index] = judged.get(index, inherited)
    return ScoredPage(
        tuple(
            ScoredBlock(
                (position,),
                1.0 - nearest[line.node],
                0.0 <= nearest[line.node] < parameters.template_score,
            )
            for position, line in enumerate(outline.lines)
        ),
        "" if page.boxes else "Sizes and places are estimated, not rendered.",
    )


def element_scores(
    page: ReadPage, parameters: TemplatenessParameters, model: TemplatenessModel
) -> dict[int, float]:
    """Templateness, 0 to 1, of every element of at least `least_area`, smoothed as asked for."""
    elements, areas, numbers = element_numbers(page, parameters.least_area)
    if not elements:
        return {}
    scores = model.scores(areas, numbers).tolist()
    if parameters.smoothing is not Smoothing.NONE:
        is_plain = parameters.smoothing is Smoothing.ISOTONIC
        rounded = [round(score * _SMOOTHING_STEPS) / _SMOOTHING_STEPS for score in scores]
        parents = _judged_parents(page.outline, elements)
        scores = smooth(rounded, parents, 0.0 if is_plain else parameters.penalty)
    return dict(zip(elements, scores, strict=True))


def element_numbers(
    page: ReadPage, least_area: float
) -> tuple[list[int], npt.NDArray[np.float64], Matrix]:
    """Elements of at least `least_area`, their areas, and their seven numbers.

    Returns
    -------
    list of int, ndarray of shape (n,), ndarray of shape (n, 7)
        The numbers: distance to the top and to the left margin, links a word, share of text in
        links, mean words of a link, share of links within the site, visible characters a character
        of HTML. Distances are logarithms, shares 0 to 1.
    """
    outline = page.outline
    layout = lay_out(outline, page.boxes)
    fragments = page_fragments(outline)
    n_links, n_inner_links = link_counts(outline, page.url)
    n_linked = [
        sum(runs) if linked else 0
        for runs, linked in zip(outline.runs, outline.in_link, strict=True)
    ]
    n_chars = [sum(runs) for runs in outline.runs]
    for counts in (n_linked, n_chars):
        add_up(outline, counts)
    elements = [index for index, area in enumerate(layout.area) if area >= least_area]
    rows = [
        (
            np.log1p(layout.top[index]),
            np.log1p(layout.left[index]),
            n_links[index] / max(n_chars[index] / _CHARACTERS_A_WORD, 1.0),
            n_linked[index] / (n_chars[index] or 1),
            n_linked[index] / _CHARACTERS_A_WORD / (n_links[index] or 1),
            n_inner_links[index] / (n_links[index] or 1),
            fragments.n_text[index] / (fragments.n_html[index] or 1),
        )
        for index in elements
    ]
    areas = np.array([layout.area[index] for index in elements], dtype=np.float64)
    return elements, areas, np.array(rows, dtype=np.float64).reshape(len(elements), N_NUMBERS)


# Words are reckoned by their characters, blank included: scripts without blanks have words too.
_CHARACTERS_A_WORD = 6.0


def _judged_parents(outline: Outline, elements: list[int]) -> list[int]:
    """Position of the nearest judged ancestor in `elements`; areas only grow towards the root."""
    place = {element: position for position, element in enumerate(elements)}
    return [place.get(outline.parents[element], -1) for element in elements]


def link_counts(outline: Outline, url: str) -> tuple[list[int], list[int]]:
    """Links in each element's subtree, itself included, and those of them within the site."""
    host = urlsplit(url).hostname or ""
    n_links, n_inner = [0] * len(outline.tags), [0] * len(outline.tags)
    for index, tag in enumerate(outline.tags):
        if tag == "a":
            n_links[index] = 1
            n_inner[index] = int(_is_inner(str(outline.elements[index].get("href") or ""), host))
    add_up(outline, n_links)
    add_up(outline, n_inner)
    return n_links, n_inner


def _is_inner(address: str, host: str) -> bool:
    try:
        target = urlsplit(address).hostname
    except ValueError:
        return False
    return target is None or target.removeprefix("www.") == host.removeprefix("www.")


def add_up(outline: Outline, counts: list[int]) -> None:
    """Turn counts of elements into counts of their subtrees, in place."""
    for index in range(len(counts) - 1, 0, -1):
        if outline.parents[index] >= 0:
            counts[outline.parents[index]] += counts[index]
