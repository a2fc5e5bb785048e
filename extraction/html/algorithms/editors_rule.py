"""The editor's rule for the body as an algorithm: what it matches is kept, and nothing else."""

from dataclasses import dataclass

from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.site_rules.body_patterns import positions_of


@dataclass(frozen=True, slots=True)
class RuleParameters:
    """None: the rule is all there is."""


def editors_rule(page: ReadPage, parameters: RuleParameters) -> ScoredPage:  # noqa: ARG001 (one signature)
    """Lines inside what the body rule matched, score 1; the others 0.

    A page of a publication without a body rule keeps nothing, and the remark says so.
    """
    outline = page.outline
    wanted = set(page.ruled)
    kept = {
        position
        for index, element in enumerate(outline.elements)
        if element in wanted
        for position in range(outline.first_line[index], outline.end_line[index])
    }
    kept.update(positions_of(outline, page.ruled_texts))
    blocks = (
        ScoredBlock((position,), float(position in kept), position in kept)
        for position in range(len(outline.lines))
    )
    return ScoredPage(tuple(blocks), "" if wanted or page.ruled_texts else "No body rule matched.")
