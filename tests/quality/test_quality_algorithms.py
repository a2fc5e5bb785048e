"""Gate on the published algorithms: every fourth page of one labelled set, and real pages' lines.

The floors are what was measured; they guard against regressions only. The figures beside the
published ones stand in docs/design/extraction-algorithms.md.
"""

import pytest
from shared_data import SHARED, shared

from extraction.evaluation.labelled_pages import read_set
from extraction.evaluation.set_comparison import compare_on_set
from extraction.evaluation.summaries import summarize
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.algorithms.scored_page import read_page
from extraction.html.algorithms.source_lines import (
    block_breaks,
    outline_positions,
    source_lines,
)
from extraction.html.page import PageInput

pytestmark = pytest.mark.data

FLOORS = {
    "tag_ratio": 0.777,
    "text_density": 0.857,
    "qread": 0.806,
    "dgwc": 0.775,
    "templateness": 0.855,
}


@pytest.fixture(scope="module")
def pages():
    shared("data/extraction/gold/zyte.jsonl")
    return list(read_set(SHARED / "data/extraction", "zyte"))[::4]


def test_no_algorithm_falls_below_its_floor(pages):
    rows = compare_on_set(pages, {name: ExtractorChoice.of(name) for name in FLOORS})
    found = {name: round(summarize(own).figures["f1"].value, 3) for name, own in rows.items()}

    assert {name: f1 for name, f1 in found.items() if f1 < FLOORS[name]} == {}


def test_source_lines_are_the_outline_on_real_pages(pages):
    for page in pages:
        outline = read_page(PageInput(body=page.html, url=page.url)).outline

        lines = source_lines(outline, block_breaks(outline))

        assert outline_positions(lines, outline) == tuple(range(len(outline.lines)))
