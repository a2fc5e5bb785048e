"""Composite text density with DensitySum as an algorithm of this package.

The formulas of Sun, Song & Liao 2011 are in `extraction.html.lines.text_density`, which the default
extractor uses as its second opinion.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.lines.text_density import content_elements, text_densities
from extraction.html.markup.outline import Outline

_MARKS = re.compile(r"[^\w\s]")


class Counted(StrEnum):
    """What is dense."""

    CHARACTERS = "characters"  # as the paper has it
    PUNCTUATION = "punctuation"  # sentences have marks, menus hardly any


@dataclass(frozen=True, slots=True)
class DensityParameters:
    """The threshold comes from each page."""

    counts: Counted = Counted.CHARACTERS


def composite_density(page: ReadPage, parameters: DensityParameters) -> ScoredPage:
    """Content elements with their DensitySum; every other line is a block of its own.

    The score of a line outside the content is the composite density of its element.
    """
    outline = page.outline
    of_marks = parameters.counts is Counted.PUNCTUATION
    densities = text_densities(outline, _punctuation(outline) if of_marks else None)
    blocks = []
    done = 0
    for element in content_elements(outline, densities):
        lines = tuple(range(outline.first_line[element], outline.end_line[element]))
        if not lines:
            continue
        blocks += [
            ScoredBlock((position,), densities.density[outline.lines[position].node], is_kept=False)
            for position in range(done, lines[0])
        ]
        blocks.append(ScoredBlock(lines, densities.density_sum[element], is_kept=True))
        done = lines[-1] + 1
    blocks += [
        ScoredBlock((position,), densities.density[outline.lines[position].node], is_kept=False)
        for position in range(done, len(outline.lines))
    ]
    return ScoredPage(tuple(blocks))


def _punctuation(outline: Outline) -> list[list[int]]:
    """Count the marks in each run of text that stands directly in an element."""
    return [
        [
            len(_MARKS.findall(run))
            for run in (element.text, *(child.tail for child in element))
            if run
        ]
        for element in outline.elements
    ]
