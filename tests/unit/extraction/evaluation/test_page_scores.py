"""Scores by hand, and equal to the shared harness' on real pages."""

import gzip
import json

import pytest
from benchmarks.extraction_scores import SETS, harness
from hypothesis import given
from hypothesis import strategies as st
from shared_data import SHARED, shared

from extraction.evaluation.labelled_pages import read_set
from extraction.evaluation.page_scores import (
    PageOutcome,
    SegmentScores,
    WordOverlap,
    score_lines,
    score_segments,
    score_text,
)
from extraction.evaluation.summaries import PageRow, summarize

GOLD = " ".join(f"word{number}" for number in range(100))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOLD, PageOutcome.ACCURATE),
        (GOLD + " read also", PageOutcome.ACCURATE),  # two words of 102: nobody would notice
        (GOLD + " read also this other text", PageOutcome.EXTRA),
        (GOLD.removesuffix(" word98 word99"), PageOutcome.ACCURATE),
        (GOLD.removesuffix(" word97 word98 word99"), PageOutcome.MISSED),
        ("another text", PageOutcome.MISSED),
        ("", PageOutcome.MISSED),
    ],
)
def test_outcomes(text, expected):
    assert score_text(GOLD, text).outcome is expected


def test_shingles_are_counted_with_multiplicity():
    found = score_text("a b c d e a b c d", "a b c d").shingles

    # Six shingles in the reference, "a b c d" twice among them; one in the text.
    assert found == WordOverlap(common=1, found=1, wanted=6)


def test_bag_is_measured_in_html_bytes():
    # "ä" has two bytes, "x" one; the bag knows no order. `&` is no word, so nothing to escape.
    found = score_text("ä x x", "x ä y").html_bytes

    assert found == WordOverlap(common=3, found=4, wanted=4)
    assert (found.precision, found.recall) == (0.75, 0.75)


def test_nothing_found_has_no_precision():
    found = score_text("a", "").shingles

    assert (found.precision, found.recall) == (None, 0.0)


def test_content_lines():
    assert score_lines([1, 2, 3], [3, 4]) == WordOverlap(common=1, found=2, wanted=3)


def test_segments_count_in_collapsed_text():
    found = score_segments(["sour milk", "tea"], ["menu"], "The sour\n milk. Menu")

    assert found == SegmentScores(1, 0, 1, 1)


@given(st.text(), st.text(), st.booleans())
def test_text_scores_equal_the_harness_on_any_text(gold, text, as_published):
    evaluate = harness(shared("bench/extraction").parents[1])

    expected = evaluate.score_body(gold, text, "zyte" if as_published else "sites")

    found = score_text(gold, text, as_published=as_published)
    assert (found.shingles.precision, found.shingles.recall, found.is_exact) == expected


@pytest.mark.data
@pytest.mark.parametrize("set_name", SETS)
def test_figures_equal_the_harness_on_real_pages(set_name):
    """Texts of the pages by a crude extractor: every third line of the gold, and the id."""
    gold_file = shared(f"data/extraction/gold/{set_name}.jsonl")
    evaluate = harness(SHARED)
    golds = [json.loads(row) for row in gold_file.read_text(encoding="utf-8").splitlines()[:25]]
    texts = [
        gold["id"] + "\n".join((gold.get("body") or "\n".join(gold["with"])).split("\n")[::3])
        for gold in golds
    ]
    scores = [
        evaluate.score_page(gold, {"text": text}, set_name)
        for gold, text in zip(golds, texts, strict=True)
    ]

    rows = []
    pages = read_set(SHARED / "data/extraction", set_name)
    for page, text in zip(pages, texts, strict=False):
        if page.body:
            own = score_text(page.body, text, as_published=page.as_published)
            rows.append(PageRow(own, None, 0.0))
        else:
            rows.append(PageRow(None, None, 0.0, score_segments(page.wanted, page.unwanted, text)))
    figures = summarize(rows).figures

    if set_name == "segments":
        expected = evaluate.segment_summary([score["segments"] for score in scores])
        names = ("segment_f1", "segment_precision", "segment_recall", "segment_accuracy")
    else:
        expected = evaluate.body_summary([score["body"] for score in scores])
        names = ("f1", "precision", "recall", "exact")
    found = [figures[name].value for name in names]
    assert found == pytest.approx(
        [expected[name] for name in ("f1", "precision", "recall", "accuracy")]
    )


def test_labelled_pages_are_read_as_they_lie(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "pages/small").mkdir(parents=True)
    (tmp_path / "gold/small.jsonl").write_text('{"id": "a", "url": "u", "body": "b"}\n')
    (tmp_path / "pages/small/a.html.gz").write_bytes(gzip.compress(b"<p>b"))

    [page] = read_set(tmp_path, "small")

    assert (page.html, page.body, page.wanted, page.as_published) == (b"<p>b", "b", (), False)
