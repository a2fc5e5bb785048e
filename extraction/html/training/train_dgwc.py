"""Train DGWC: `python -m extraction.html.training.train_dgwc DATA`.

Labelled pages → `data/dgwc.json`. With `--folds 10` nothing is written and each classifier's
precision and recall on lines of sites it has not seen are printed: folds are whole domains, never
lines, which is stricter than the source's ten folds.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.dgwc import Classifier, content_lines, is_topical
from extraction.html.algorithms.dgwc_model import MODEL_PATH, DgwcModel
from extraction.html.algorithms.line_classifiers import train_naive_bayes, train_svm, train_tree
from extraction.html.algorithms.line_values import Matrix, line_values
from extraction.html.algorithms.memberships import CutPoints, levels, one_hot
from extraction.html.training.labelled_lines import LabelledOutline, read_labelled
from extraction.html.training.train_line_model import fold_of


@dataclass(frozen=True, slots=True)
class TrainingLines:
    """Lines of one page: values of shape (n_lines, 5), and which of them are topical."""

    group: str
    values: Matrix
    topical: npt.NDArray[np.bool_]


def training_lines(labelled: LabelledOutline) -> TrainingLines:
    """Values and labels of a page; a line is topical when most of its characters are."""
    lines = content_lines(labelled.page)
    topical = [
        2 * sum(n for position, n in line.shares.items() if labelled.labels[position])
        > line.shares.total()
        for line in lines
    ]
    return TrainingLines(labelled.group, line_values(lines), np.array(topical, dtype=bool))


def train(pages: Sequence[TrainingLines]) -> DgwcModel:
    """Cut points and all classifiers from the lines of the pages.

    Raises
    ------
    ValueError
        When the pages have no topical lines, or only such.
    """
    values = np.concatenate([page.values for page in pages])
    topical = np.concatenate([page.topical for page in pages])
    cuts = CutPoints.of(values, topical)
    found = levels(values, cuts)
    flags = one_hot(found)
    return DgwcModel(
        cuts=cuts,
        svm=train_svm(flags, topical),
        svm_raw=train_svm(np.concatenate([flags, values], axis=1), topical),
        naive_bayes=train_naive_bayes(flags, topical),
        tree=train_tree(found, topical),
    )


def cross_validated(
    pages: Sequence[TrainingLines], n_folds: int
) -> dict[Classifier, tuple[float, float]]:
    """Precision and recall of topical lines by each classifier, on domains it has not seen."""
    counts = {classifier: np.zeros(3) for classifier in Classifier}
    for fold in range(n_folds):
        model = train([page for page in pages if fold_of(page.group, n_folds) != fold])
        for page in pages:
            if fold_of(page.group, n_folds) != fold:
                continue
            for classifier in Classifier:
                said = is_topical(page.values, classifier, model)
                counts[classifier] += ((said & page.topical).sum(), said.sum(), page.topical.sum())
    return {
        classifier: (float(both / (said or 1)), float(both / (topical or 1)))
        for classifier, (both, said, topical) in counts.items()
    }


def main(arguments: Sequence[str]) -> None:
    """Train and write the model, or cross-validate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, default=MODEL_PATH)
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args(arguments)
    pages = [training_lines(labelled) for labelled in read_labelled(options.data)]
    if not options.folds:
        train(pages).save(options.output)
        sys.stdout.write(f"{len(pages)} pages -> {options.output}\n")
        return
    for classifier, (precision, recall) in cross_validated(pages, options.folds).items():
        sys.stdout.write(f"{classifier}: precision {precision:.3f}, recall {recall:.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
