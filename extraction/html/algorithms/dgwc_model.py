"""What DGWC learnt from labelled lines: cut points and classifiers, kept as a small JSON file.

Made by `python -m extraction.html.algorithms.train_dgwc DATA`; loaded once per process.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from extraction.html.algorithms.line_classifiers import LinearModel, TableModel
from extraction.html.algorithms.line_values import N_VALUES
from extraction.html.algorithms.memberships import N_LEVELS, CutPoints

MODEL_PATH = Path(__file__).parent / "data" / "dgwc.json"
_DIGITS = 6


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
            "cuts": {name: _rounded(getattr(self.cuts, name)) for name in ("low", "mean", "high")},
            "tree": _rounded(self.tree.shares.ravel()),
        } | {
            name: {"weights": _rounded(linear.weights), "bias": round(linear.bias, _DIGITS)}
            for name, linear in (
                ("svm", self.svm),
                ("svm_raw", self.svm_raw),
                ("naive_bayes", self.naive_bayes),
            )
        }
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "DgwcModel":
        """Read a model file.

        Raises
        ------
        OSError, KeyError, ValueError
            When the file is missing or is not a model.
        """
        found = json.loads(path.read_text(encoding="utf-8"))
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


def _rounded(values: Any) -> list[float]:
    return [round(float(value), _DIGITS) for value in values]
