"""Text-to-tag ratio: the simple form of the college crawler (COE-06 to COE-09, ALG-1).

Listed tags are taken away; a child of the body stays when it has more than twice as many characters
of text as tags. Link words are not counted (links are among the listed tags) but stay in the text
of what is kept, since words inside sentences would vanish otherwise (COE-13).
"""

from dataclasses import dataclass

from extraction.html.algorithms.parameters import limited
from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.outline import Outline
from extraction.html.text_density import body_index

# COE-07. Scripts, styles, head and frames have left the tree in the general cleaning already.
_REMOVED_WHOLE = frozenset(["nav", "footer", "header", "button", "form"])
_NOT_COUNTED = frozenset(["br", "img", "input", "a"])


@dataclass(frozen=True, slots=True)
class TagRatioParameters:
    """Source: COE-08 (the first threshold, 4, removed most of the content: COE-09)."""

    least_ratio: float = limited(2.0, 0.0, 1000.0)
    is_recursive: bool = False  # the source looks at the children of the body only


def tag_ratio(page: ReadPage, parameters: TagRatioParameters) -> ScoredPage:
    """Keep what has more than `least_ratio` characters a tag; linear in elements.

    In the recursive form the children of what stays are judged the same way, down to the elements
    that hold no block; text directly in an element that stays, stays.
    """
    outline = page.outline
    if not outline.tags:
        return ScoredPage(())
    judge = _Judge(outline, _ratios(outline), parameters)
    blocks: dict[int, tuple[float, list[int]]] = {}
    for position, line in enumerate(outline.lines):
        element, score = judge.verdict(line.node)
        blocks.setdefault(element, (score, []))[1].append(position)
    return ScoredPage(
        tuple(
            ScoredBlock(tuple(positions), score, score > parameters.least_ratio)
            for score, positions in blocks.values()
        )
    )


class _Judge:
    """Verdicts by element: which element decides about the lines of a block, and its ratio."""

    def __init__(
        self, outline: Outline, ratios: list[float], parameters: TagRatioParameters
    ) -> None:
        self.outline = outline
        self.ratios = ratios
        self.parameters = parameters
        self.body = body_index(outline)
        self.known: dict[int, tuple[int, float]] = {}

    def verdict(self, node: int) -> tuple[int, float]:
        """Find the deciding element and its ratio for lines of block `node`."""
        if node not in self.known:
            self.known[node] = self._decide(node)
        return self.known[node]

    def _decide(self, node: int) -> tuple[int, float]:
        path = [node]
        while path[-1] > self.body and self.outline.parents[path[-1]] > self.body:
            path.append(self.outline.parents[path[-1]])
        for element in reversed(path):
            if self.outline.tags[element] in _REMOVED_WHOLE:
                return element, 0.0
            is_judged = self.parameters.is_recursive or element == path[-1]
            if is_judged and self.ratios[element] <= self.parameters.least_ratio:
                return element, self.ratios[element]
        deciding = node if self.parameters.is_recursive else path[-1]
        return deciding, self.ratios[deciding]


def _ratios(outline: Outline) -> list[float]:
    """Characters of text a tag below each element, the listed tags taken away."""
    n_chars, n_tags = [0] * len(outline.tags), [0] * len(outline.tags)
    for index in range(len(outline.tags) - 1, -1, -1):
        tag = outline.tags[index]
        if tag in _REMOVED_WHOLE:
            n_chars[index] = n_tags[index] = 0
            continue
        if not outline.in_link[index]:
            n_chars[index] += sum(outline.runs[index])
        parent = outline.parents[index]
        if parent >= 0:
            n_chars[parent] += n_chars[index]
            n_tags[parent] += n_tags[index] + (tag not in _NOT_COUNTED)
    return [chars / (tags or 1) for chars, tags in zip(n_chars, n_tags, strict=True)]
