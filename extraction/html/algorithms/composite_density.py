"""Composite text density with DensitySum as an algorithm of this package.

The formulas of Sun, Song & Liao 2011 are in `extraction.html.lines.text_density`, which the default
extractor uses as its second opinion.
"""

from dataclasses import dataclass

from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.lines.text_density import content_elements, text_densities


@dataclass(frozen=True, slots=True)
class DensityParameters:
    """The algorithm has none: its threshold comes from each page."""


def composite_density(page: ReadPage, parameters: DensityParameters) -> ScoredPage:  # noqa: ARG001 (one signature)
    """Content elements with their DensitySum; every other line is a block of its own.

    The score of a line outside the content is the composite density of its element.
    """
    outline = page.outline
    densities = text_densities(outline)
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
