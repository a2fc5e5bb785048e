"""Low, middle and high: the fuzzy levels into which DGWC sorts each value.

Cut points come from the training lines; a value belongs to at most two neighbouring levels, and
its discretised value is the level it belongs to most.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.line_values import Matrix

ALPHA = 0.5  # the source's weight of the topical lines in F.MEAN
N_LEVELS = 3
LOW, MIDDLE, HIGH = range(N_LEVELS)


@dataclass(frozen=True, slots=True)
class CutPoints:
    """F.Low, F.MEAN and F.High of each value; arrays of shape (n_values,)."""

    low: npt.NDArray[np.float64]
    mean: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]

    @classmethod
    def of(
        cls, values: Matrix, topical: npt.NDArray[np.bool_], alpha: float = ALPHA
    ) -> "CutPoints":
        """Cut points of training lines.

        F.MEAN = alpha x mean of the topical lines + (1 - alpha) x mean of the others; F.Low and
        F.High are the means of F.MEAN with F.MIN and F.MAX.

        Raises
        ------
        ValueError
            When there are no topical lines, or only such.
        """
        if not topical.any() or topical.all():
            raise ValueError("both topical and other lines are needed")
        mean = alpha * values[topical].mean(axis=0) + (1 - alpha) * values[~topical].mean(axis=0)
        return cls((values.min(axis=0) + mean) / 2, mean, (mean + values.max(axis=0)) / 2)


def memberships(values: Matrix, cuts: CutPoints) -> npt.NDArray[np.float64]:
    """How much each value is low, middle and high.

    Parameters
    ----------
    values : ndarray of shape (n_lines, n_values)
    cuts
        Cut points of the values.

    Returns
    -------
    ndarray of shape (n_lines, n_values, 3)
        Each 0 to 1, adding up to 1 and at most two of them above 0.
    """
    low = 1.0 - _rise(values, cuts.low, cuts.mean)
    high = _rise(values, cuts.mean, cuts.high)
    return np.stack([low, 1.0 - low - high, high], axis=2)


def levels(values: Matrix, cuts: CutPoints) -> npt.NDArray[np.int64]:
    """Discretised values, shape (n_lines, n_values); of two equal memberships the lower level."""
    found: npt.NDArray[np.int64] = memberships(values, cuts).argmax(axis=2)
    return found


def one_hot(found: npt.NDArray[np.int64]) -> Matrix:
    """Levels as flags, shape (n_lines, 3 x n_values): the three of the first value come first."""
    flags: Matrix = (found[:, :, None] == np.arange(N_LEVELS)).astype(np.float64)
    return flags.reshape(len(found), -1)


def _rise(
    values: Matrix, start: npt.NDArray[np.float64], end: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """0 up to `start`, 1 from `end` on, a straight line between; a step where both are one."""
    width = end - start
    safe = np.where(width > 0, width, 1.0)
    rise: Matrix = np.where(
        width > 0, np.clip((values - start) / safe, 0.0, 1.0), (values > start).astype(np.float64)
    )
    return rise
