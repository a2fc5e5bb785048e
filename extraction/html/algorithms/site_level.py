"""SiteLevel: what recurs on a site's pages is template.

All sampled pages of one site → for each page, which elements are template; the text is what lies in
none of them. Other articles' teasers differ from page to page and stay in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.html.algorithms.parameters import limited
from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.markup.outline import Outline
from extraction.html.site.fragments import PageFragments, SiteSample, page_fragments

# At most this many pages a site are looked at; below the other number the result is worth a warning
# (the paper asked for 100).
SAMPLE_PAGES = 200
FEW_PAGES = 20
# Never template (ours): under a large frame a short article is less than 15 % of its page.
_WHOLE_PAGE = frozenset(["html", "body"])


@dataclass(frozen=True, slots=True)
class SiteLevelParameters:
    """The shares of pages (p) and of containment are the source's.

    The least number of pages and of characters are ours: of few pages 10 % is one page, and the
    source says nothing on size, by which every line break would be template.
    """

    page_share: float = limited(0.10, 0.0, 1.0)
    contained_share: float = limited(0.85, 0.0, 1.0)
    least_pages: int = limited(3, 1, SAMPLE_PAGES)
    least_characters: int = limited(2, 0, 1000)


def site_level(page: ReadPage, parameters: SiteLevelParameters) -> ScoredPage:
    """Keep the lines that lie in no template element.

    A line's score is the share of the site's pages that do not have the most frequent fragment
    around it. Without a sample, or with too few pages, nothing is template and the remark says so.
    """
    outline, sample = page.outline, page.site
    n_pages = sample.n_pages if sample else 0
    if sample is None or n_pages < parameters.least_pages:
        lines = tuple(range(len(outline.lines)))
        blocks = (ScoredBlock(lines, 1.0, is_kept=True),) if lines else ()
        return ScoredPage(blocks, f"Only {n_pages} pages of the site are known.")
    fragments = page_fragments(outline)
    template = template_elements(outline, fragments, sample, parameters)
    covered = inherited(outline, template)
    frequency = [sample.counts[value] / n_pages for value in fragments.hashes]
    remark = f"Only {n_pages} pages of the site are known." if n_pages < FEW_PAGES else ""
    return ScoredPage(
        tuple(
            ScoredBlock((position,), 1.0 - min(frequency[line.node], 1.0), not covered[line.node])
            for position, line in enumerate(outline.lines)
        ),
        remark,
    )


def template_elements(
    outline: Outline,
    fragments: PageFragments,
    sample: SiteSample,
    parameters: SiteLevelParameters,
) -> list[bool]:
    """Which elements are template, by frequency or by what they contain.

    Returns
    -------
    list of bool
        One an element. An element on at least `page_share` of the pages (and on `least_pages`) is
        template; then, from the leaves up, one whose template children make up more than
        `contained_share` of the characters of its HTML.
    """
    least = max(parameters.page_share * sample.n_pages, parameters.least_pages)
    template = [
        n_text >= parameters.least_characters and sample.counts[value] >= least
        for value, n_text in zip(fragments.hashes, fragments.n_text, strict=True)
    ]
    n_covered = [0] * len(template)
    for index in range(len(template) - 1, -1, -1):
        is_contained = n_covered[index] > parameters.contained_share * fragments.n_html[index]
        is_page = outline.tags[index] in _WHOLE_PAGE
        template[index] = (template[index] or is_contained) and not is_page
        parent = outline.parents[index]
        if template[index] and parent >= 0:
            n_covered[parent] += fragments.n_html[index]
    return template


def inherited(outline: Outline, flags: Sequence[bool]) -> list[bool]:
    """Hand flags of elements down to all they contain."""
    found = list(flags)
    for index, parent in enumerate(outline.parents):
        found[index] = found[index] or (parent >= 0 and found[parent])
    return found
