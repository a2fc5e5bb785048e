"""From values to axes and words: nice ticks, printed numbers, thinned labels."""

import math
from collections.abc import Iterable, Sequence

from presentation.wording.figures import grouped

# Up to this many values are printed beside their marks.
MAX_PRINTED_VALUES = 12
_STEPS = (1, 2, 2.5, 5, 10)  # times a power of ten: steps that people count in


def nice_ticks(highest: float, n_intervals: int = 2, *, whole: bool = False) -> list[float]:
    """Return ticks from 0 to at least `highest` in round steps.

    A step is 1, 2, 2.5 or 5 times a power of ten.

    Parameters
    ----------
    highest
        Greatest value to be shown, at least 0.
    n_intervals
        How many intervals to aim at; the result has at most that many.
    whole
        Take whole numbers alone: there is no half of an article.

    Returns
    -------
    list of float
        Ascending, at least two ticks; [0, 1] when there is nothing to show.

    Examples
    --------
    >>> nice_ticks(1490)
    [0, 1000, 2000]
    >>> nice_ticks(7, 4)
    [0, 2, 4, 6, 8]
    >>> nice_ticks(5), nice_ticks(5, whole=True)
    ([0, 2.5, 5], [0, 5])
    """
    if highest <= 0:
        return [0, 1]
    power: float = 10.0 ** math.floor(math.log10(highest / n_intervals))
    steps = [s * (max(1.0, power) if whole else power) for s in _STEPS]
    # the small allowance keeps 0.3 / 0.1 from counting as more than 3 intervals
    step = next(
        step
        for step in steps
        if (step.is_integer() or not whole) and math.ceil(highest / step - 1e-9) <= n_intervals
    )
    n_steps = math.ceil(highest / step - 1e-9)
    return [_plain(index * step) for index in range(n_steps + 1)]


def are_whole(values: Iterable[float]) -> bool:
    """Say whether values are counts: each a whole number."""
    return all(float(value).is_integer() for value in values)


def _plain(value: float) -> float:
    """Cut what binary fractions leave behind (0.30000000000000004)."""
    rounded = float(f"{value:.10g}")
    return int(rounded) if rounded.is_integer() else rounded


def format_value(value: float) -> str:
    """Write a value for the reader: whole numbers grouped by narrow spaces, others to 3 figures.

    Examples
    --------
    >>> "_".join(format_value(3135).split())
    '3_135'
    >>> format_value(96.83), format_value(0.0214)
    ('96.8', '0.0214')
    """
    if float(value).is_integer() or abs(value) >= 1000:
        return grouped(round(value))
    if abs(value) >= 0.001:
        return f"{float(f'{value:.3g}'):.10f}".rstrip("0").rstrip(".")
    return f"{value:.1e}"


def shown_labels(labels: Sequence[str], n_shown: int = 8) -> list[int]:
    """Choose which labels of an axis are written: at most `n_shown`, evenly spaced."""
    step = max(1, math.ceil(len(labels) / n_shown))
    return list(range(0, len(labels), step))


def log_ticks(lowest: float, highest: float) -> list[float]:
    """Return the powers of ten that span two positive values: [1, 10, 100] for 1 and 57."""
    first, last = math.floor(math.log10(lowest)), math.ceil(math.log10(highest))
    return [_plain(10.0**power) for power in range(first, max(last, first + 1) + 1)]
