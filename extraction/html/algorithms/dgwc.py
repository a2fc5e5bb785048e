"""DGWC: lines classified as topical, then blocks of them that score high enough.

Stage 1 classifies each line by its five discretised values; stage 2 joins topical lines that are at
most phi lines apart to blocks, which repairs lines that are too short to be recognised, and keeps
the blocks whose mean score is above 1.5.

Notes
-----
Two misprints of the source are repaired: the first condition repeats the start of the block where
it means lines before the start, and the third says "all pairs" where successive ones are meant.
When no block passes the limit the best one is the answer, with a remark (ours).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.dgwc_model import DgwcModel, shipped_model
from extraction.html.algorithms.line_values import (
    DENSITY,
    IMAGES,
    LINKS,
    OUTPUT_LENGTH,
    TEXT_LENGTH,
    Matrix,
    has_content,
    line_values,
)
from extraction.html.algorithms.memberships import levels, one_hot
from extraction.html.algorithms.parameters import limited
from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.algorithms.source_lines import (
    SourceLine,
    block_breaks,
    outline_positions,
    source_lines,
)


class Classifier(StrEnum):
    """Which classifier labels the lines; the source's experiment used the SVM."""

    SVM = "svm"
    SVM_RAW = "svm_raw"  # with the undiscretised values beside the levels
    NAIVE_BAYES = "naive_bayes"
    TREE = "tree"


@dataclass(frozen=True, slots=True)
class DgwcParameters:
    """The source gives phi and the limit of a block's mean score, which ranges from -2 to 3."""

    classifier: Classifier = Classifier.SVM
    phi: int = limited(5, 1, 100)
    least_score: float = limited(1.5, -2.0, 3.0)


def dgwc(page: ReadPage, parameters: DgwcParameters, model: DgwcModel | None = None) -> ScoredPage:
    """Blocks of a page with their mean scores; those above the limit are kept.

    Topical lines that made no block do not exist: a single topical line is a block of one line.
    """
    lines = content_lines(page)
    values = line_values(lines)
    topical = np.flatnonzero(
        is_topical(values, parameters.classifier, model or shipped_model())
    ).tolist()
    spans = blocks_of(topical, parameters.phi)
    if not spans:
        return ScoredPage((), "No line of the page is topical.")
    scores = line_scores(values)
    means = [float(scores[start : end + 1].mean()) for start, end in spans]
    kept = {index for index, mean in enumerate(means) if mean > parameters.least_score}
    remark = ""
    if not kept:
        kept = {max(range(len(means)), key=means.__getitem__)}
        remark = "No block scores high enough; the best one is kept."
    blocks = (
        ScoredBlock(
            outline_positions(lines[start : end + 1], page.outline), means[index], index in kept
        )
        for index, (start, end) in enumerate(spans)
    )
    return ScoredPage(tuple(block for block in blocks if block.lines), remark)


def content_lines(page: ReadPage) -> list[SourceLine]:
    """Lines of the page that have text or an image."""
    lines = source_lines(page.outline, block_breaks(page.outline))
    return [line for line in lines if has_content(line)]


def is_topical(values: Matrix, classifier: Classifier, model: DgwcModel) -> npt.NDArray[np.bool_]:
    """Stage 1: which lines the classifier calls topical, shape (n_lines,)."""
    if not len(values):
        return np.zeros(0, dtype=bool)
    found = levels(values, model.cuts)
    if classifier is Classifier.TREE:
        return model.tree.margins(found) > 0.0
    flags = one_hot(found)
    if classifier is Classifier.NAIVE_BAYES:
        return model.naive_bayes.margins(flags) > 0.0
    if classifier is Classifier.SVM_RAW:
        return model.svm_raw.margins(np.concatenate([flags, values], axis=1)) > 0.0
    return model.svm.margins(flags) > 0.0


def line_scores(values: Matrix) -> npt.NDArray[np.float64]:
    """Score(P) = T + O + D - L - I of each line, -2 to 3."""
    scores: npt.NDArray[np.float64] = (
        values[:, TEXT_LENGTH]
        + values[:, OUTPUT_LENGTH]
        + values[:, DENSITY]
        - values[:, LINKS]
        - values[:, IMAGES]
    )
    return scores


def blocks_of(topical: Sequence[int], phi: int) -> list[tuple[int, int]]:
    """Stage 2: first and last line of each block.

    Parameters
    ----------
    topical
        Positions of topical lines, ascending.
    phi
        Successive topical lines of a block are at most this far apart.

    Examples
    --------
    >>> blocks_of([3, 4, 9, 15], 5)
    [(3, 9), (15, 15)]
    """
    if not topical:
        return []
    starts = [topical[0], *(after for before, after in pairwise(topical) if after - before > phi)]
    ends = [*(before for before, after in pairwise(topical) if after - before > phi), topical[-1]]
    return list(zip(starts, ends, strict=True))
