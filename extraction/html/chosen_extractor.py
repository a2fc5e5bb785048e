"""The extractor that a publication's editor chose, in the place of the default one.

The editor's body rule still comes first, and where the chosen algorithm finds nothing, or its
stored parameters are no longer allowed, the default extractor answers and the reason says so.
"""

from dataclasses import replace

from extraction.html.algorithms.parameters import ParameterError
from extraction.html.algorithms.registry import ALGORITHMS, AUTO, ExtractorChoice
from extraction.html.algorithms.scored_page import ReadPage
from extraction.html.cascade import CascadeInput, Choice, choose
from extraction.html.page import Extractor, PageInput

# The algorithms' scores are no probabilities: a text without a remark is as good as not, one with a
# remark is doubtful.
_CONFIDENCE, _DOUBTFUL = 0.5, 0.3


def choose_for(page: PageInput, candidates: CascadeInput) -> Choice:
    """Choose the article of a page with the publication's extractor."""
    if page.extractor == AUTO:
        return choose(candidates)
    try:
        chosen = ExtractorChoice.of(page.extractor, dict(page.extractor_values))
    except ParameterError as error:
        return _instead(candidates, f"The chosen extractor cannot run: {error}")
    if candidates.ruled:
        return choose(candidates)
    read = ReadPage(
        candidates.outline, candidates.context.title, page.url, candidates.ruled, page.site_sample
    )
    scored = chosen.run(read)
    label = ALGORITHMS[chosen.name].label
    if not scored.kept_lines:
        return _instead(candidates, f"{label} found no text.")
    return Choice(
        lines=scored.kept_lines,
        extractor=Extractor(chosen.name),
        confidence=_DOUBTFUL if scored.remark else _CONFIDENCE,
        reason=f"{label}, chosen for this publication. {scored.remark}".rstrip(),
    )


def _instead(candidates: CascadeInput, why: str) -> Choice:
    choice = choose(candidates)
    return replace(choice, reason=f"{why} {choice.reason}")
