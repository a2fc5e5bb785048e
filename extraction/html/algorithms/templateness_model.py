"""Logistic regressions of templateness, one a range of area, kept as a small JSON file.

Made by `python -m extraction.html.training.train_templateness DATA`; loaded once per process.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.model_json import DIGITS, read_model, rounded, write_model

MODEL_PATH = Path(__file__).parent / "data" / "templateness.json"
_STEPS = 50  # of Newton: far more than it needs to settle
# Ridge: keeps the weights finite where a range's lines are separable.
_RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class Logistic:
    """One regression over standardised numbers: mean, deviation and weights of each, and a bias."""

    mean: npt.NDArray[np.float64]
    deviation: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    bias: float

    def probabilities(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Probability of each row to be template, shape (n,)."""
        margins = (numbers - self.mean) / self.deviation @ self.weights + self.bias
        found: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(margins, -30.0, 30.0)))
        return found


@dataclass(frozen=True, slots=True)
class TemplatenessModel:
    """Upper limits of the first three ranges of area, ascending, and the four regressions."""

    limits: tuple[float, float, float]
    regressions: tuple[Logistic, ...]

    def scores(
        self, areas: npt.NDArray[np.float64], numbers: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Templateness of elements, 0 to 1, shape (n,), by the regression of each one's range."""
        ranges = self.ranges(areas)
        found = np.zeros(len(areas))
        for position, regression in enumerate(self.regressions):
            rows = ranges == position
            if rows.any():
                found[rows] = regression.probabilities(numbers[rows])
        return found

    def ranges(self, areas: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Range of each area, 0 to 3; a limit belongs to the range above it."""
        return np.searchsorted(np.array(self.limits), areas, side="right")

    def save(self, path: Path) -> None:
        """Write the model; numbers are rounded to six digits."""
        rows = [
            {
                "mean": rounded(regression.mean),
                "deviation": rounded(regression.deviation),
                "weights": rounded(regression.weights),
                "bias": round(regression.bias, DIGITS),
            }
            for regression in self.regressions
        ]
        found = {"limits": [round(limit, 1) for limit in self.limits], "regressions": rows}
        write_model(path, found)

    @classmethod
    def load(cls, path: Path) -> "TemplatenessModel":
        """Read a model file.

        Raises
        ------
        OSError, KeyError, ValueError
            When the file is missing or is not a model.
        """
        found = read_model(path)
        regressions = tuple(
            Logistic(
                mean=np.array(row["mean"]),
                deviation=np.array(row["deviation"]),
                weights=np.array(row["weights"]),
                bias=float(row["bias"]),
            )
            for row in found["regressions"]
        )
        first, second, third = found["limits"]
        return cls((first, second, third), regressions)


def fit_logistic(numbers: npt.NDArray[np.float64], is_template: npt.NDArray[np.bool_]) -> Logistic:
    """Fit by Newton's method; `numbers` has shape (n, n_numbers), at least one row."""
    mean, deviation = numbers.mean(axis=0), numbers.std(axis=0) + 1e-9
    inputs = np.concatenate([(numbers - mean) / deviation, np.ones((len(numbers), 1))], axis=1)
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        probability = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30.0, 30.0)))
        gradient = inputs.T @ (probability - is_template) / len(inputs) + _RIDGE * weights
        curvature = (inputs * (probability * (1 - probability))[:, None]).T @ inputs / len(inputs)
        step = np.linalg.solve(curvature + _RIDGE * np.eye(len(weights)), gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return Logistic(mean, deviation, weights[:-1], float(weights[-1]))


@cache
def shipped_model() -> TemplatenessModel:
    """Load the model that ships with the package."""
    return TemplatenessModel.load(MODEL_PATH)
