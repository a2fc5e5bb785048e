"""Extractors side by side on a labelled set: rows of scores for each of them."""

from collections.abc import Callable, Mapping, Sequence

from extraction.evaluation.extractor_runs import (
    ExtractorAnswer,
    PreparedPage,
    prepare,
    reference_of,
    run,
    score,
)
from extraction.evaluation.labelled_pages import LabelledPage, by_site
from extraction.evaluation.page_scores import score_segments
from extraction.evaluation.peers import Compared
from extraction.evaluation.summaries import PageRow
from extraction.html.algorithms.scored_page import read_page
from extraction.html.algorithms.site_level import SAMPLE_PAGES
from extraction.html.page import PageInput
from extraction.html.site.fragments import SiteSample, page_fragments


def compare_on_set(
    pages: Sequence[LabelledPage],
    extractors: Mapping[str, Compared],
    on_page: Callable[[], None] = lambda: None,
) -> dict[str, list[PageRow]]:
    """Score every extractor on every page.

    Parameters
    ----------
    pages
        Labelled pages; what recurs on a site is learnt from those of the same site, never from
        their gold.
    extractors
        By the name under which the result stands.
    on_page
        Called after each page.

    Returns
    -------
    dict of lists
        Rows of each extractor, one a page, pages of a site together.
    """
    rows: dict[str, list[PageRow]] = {name: [] for name in extractors}
    needs_site = any(choice.name == "site_level" for choice in extractors.values())
    for own in by_site(pages).values():
        site = _sample(own) if needs_site else None
        for page in own:
            prepared = prepare(PageInput(body=page.html, url=page.url), site)
            for name, row in _rows(page, prepared, extractors):
                rows[name].append(row)
            on_page()
    return rows


def _rows(
    page: LabelledPage, prepared: PreparedPage, extractors: Mapping[str, Compared]
) -> list[tuple[str, PageRow]]:
    answers = {name: run(choice, prepared) for name, choice in extractors.items()}
    if not page.body:
        return [(name, _segment_row(page, answer)) for name, answer in answers.items()]
    reference = reference_of(prepared, page.body, as_published=page.as_published)
    return [(name, score(prepared, answer, reference)) for name, answer in answers.items()]


def _segment_row(page: LabelledPage, answer: ExtractorAnswer) -> PageRow:
    segments = score_segments(page.wanted, page.unwanted, answer.text)
    return PageRow(None, None, answer.milliseconds, segments, answer.error)


def _sample(pages: Sequence[LabelledPage]) -> SiteSample:
    read = (read_page(PageInput(body=page.html, url=page.url)) for page in pages[:SAMPLE_PAGES])
    return SiteSample.of([page_fragments(page.outline) for page in read])
