"""What DGWC learnt from labelled lines: cut points and classifiers, kept as a small JSON file.

Made by `python -m extraction.html.training.train_dgwc DATA`; loaded once per process.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from extraction.html.algorithms.line_classifiers import LinearModel, TableModel
from extraction.html.algorithms.line_values import N_VALUES
from extraction.html.algorithms.memberships import N_LEVELS, CutPoints
from extraction.html.algorithms.model_json import DIGITS, read_model, rounded, write_model

MODEL_PATH = Path(__file__).parent / "data" / "dgwc.json"


@dataclass(frozen=True, slots=True)
class DgwcModel:
    """Cut points of the five values and the classifiers over their levels."""

    cuts: CutPoints
    svm: LinearModel
    svm_raw: LinearModel
    naive_bayes: LinearModel
    tree: TableModel

    def save(self, path: Path) -> None:
        """Write the model; numbers are rounded to six digits."""
        found = {
            "cuts": {name: rounded(getattr(self.cuts, name)) for name in ("low", "mean", "high")},
            "tree": rounded(self.tree.shares.ravel()),
        } | {
            name: {"weights": rounded(linear.weights), "bias": round(linear.bias, DIGITS)}
            for name, linear in (
                ("svm", self.svm),
                ("svm_raw", self.svm_raw),
                ("naive_bayes", self.naive_bayes),
            )
        }
        write_model(path, found)

    @classmethod
    def load(cls, path: Path) -> "DgwcModel":
        """Read a model file.

        Raises
        ------
        OSError, KeyError, ValueError
            When the file is missing or is not a model.
        """
        found = read_model(path)
        cuts = {name: np.array(values, dtype=np.float64) for name, values in found["cuts"].items()}
        return cls(
            cuts=CutPoints(**cuts),
            svm=_linear(found["svm"]),
            svm_raw=_linear(found["svm_raw"]),
            naive_bayes=_linear(found["naive_bayes"]),
            tree=TableModel(np.array(found["tree"]).reshape((N_LEVELS,) * N_VALUES)),
        )


@cache
def shipped_model() -> DgwcModel:
    """Load the model that ships with the package."""
    return DgwcModel.load(MODEL_PATH)


def _linear(found: dict[str, Any]) -> LinearModel:
    return LinearModel(np.array(found["weights"], dtype=np.float64), float(found["bias"]))
