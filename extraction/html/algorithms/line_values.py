"""The five values of a line that DGWC classifies by: smoothed, then scaled to 0 … 1 page by page.

The first half of the source is lost; what the values are is read from the same authors' other work.
Unit: one line of the cleaned source, with line breaks at block tags as well; lines with neither
text nor an image are left out.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.source_lines import SourceLine

Matrix = npt.NDArray[np.float64]

# Columns, in this order: T, O, D, L, I of the score.
TEXT_LENGTH, OUTPUT_LENGTH, DENSITY, LINKS, IMAGES = range(5)
N_VALUES = 5
# Weights of the line before, the line itself and the line after: a short line between long ones is
# lifted.
_KERNEL = (0.25, 0.5, 0.25)


def has_content(line: SourceLine) -> bool:
    """Whether a line counts at all."""
    return bool(line.text) or line.n_images > 0


def line_values(lines: Sequence[SourceLine]) -> Matrix:
    """Values of the lines of one page.

    Returns
    -------
    ndarray of shape (n_lines, 5)
        TextLength, OutputTextLength, Density, LinkNum, ImgNum, each smoothed and then scaled by its
        least and greatest value on the page; 0 where all lines are equal.
    """
    raw = np.array(
        [
            (
                len(line.text),
                line.html_bytes,
                min(len(line.text.encode()) / (line.html_bytes or 1), 1.0),
                line.n_links,
                line.n_images,
            )
            for line in lines
        ],
        dtype=np.float64,
    ).reshape(len(lines), N_VALUES)
    return scaled(smoothed(raw))


def smoothed(values: Matrix) -> Matrix:
    """Mean of each row with its neighbours, weights 1/4, 1/2, 1/4; ends repeat themselves.

    Examples
    --------
    >>> smoothed(np.array([[4.0], [0.0], [8.0]])).ravel().tolist()
    [3.0, 3.0, 6.0]
    """
    if not len(values):
        return values
    padded = np.concatenate([values[:1], values, values[-1:]])
    before, here, after = _KERNEL
    return before * padded[:-2] + here * padded[1:-1] + after * padded[2:]


def scaled(values: Matrix) -> Matrix:
    """(x - min) / (max - min) of each column, 0 when all are equal.

    Examples
    --------
    >>> scaled(np.array([[2.0, 1.0], [4.0, 1.0], [3.0, 1.0]])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]
    """
    if not len(values):
        return values
    low, high = values.min(axis=0), values.max(axis=0)
    spread = high - low
    return np.where(spread > 0, (values - low) / np.where(spread > 0, spread, 1.0), 0.0)
