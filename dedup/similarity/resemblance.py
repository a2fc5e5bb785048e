"""Are two texts the same? Their overlap → one number, 1 and more for near-duplicates.

A logistic regression over the measures of `alignment.py`, fitted by
`tests/benchmarks/near_training.py` to the pairs met on the development set and to bulletins of our
own, and checked by cross-validation over whole clusters.
"""

import math

from dedup.similarity.alignment import Overlap

# One weight a measure, in their order in `measures`; rounded as they are used.
WEIGHTS = (5.56, -11.99, 6.1, 8.89, 4.46, -0.86, 9.39)
INTERCEPT = -8.89
# From this probability on two texts are one: a false pair costs more than a missed one. Held-out
# clusters of three orders of arrival, precision / recall / F1 at .72: 99.3 98.4 98.8, at .76: 99.4
# 98.1 98.7, at .80: 99.4 97.8 98.6, at .84: 99.5 97.6 98.5.
DUPLICATE_PROBABILITY = 0.72
# A text that is one with texts of two clusters from this probability on makes them one cluster:
# the whole text, come after its parts. Without, held out: 99.3 97.7 98.5; from .94 on: 99.2 98.2
# 98.8.
BRIDGING_PROBABILITY = 0.90
# Closeness below which the fullest text of a cluster speaks against joining: odds of e to 1.
CONTRADICTION = 0.37


def measures(overlap: Overlap) -> tuple[float, ...]:
    """Give the measures that decide, in the order of `WEIGHTS`."""
    return (
        overlap.containment,
        overlap.conflict,
        overlap.aligned,
        overlap.aligned_jaccard,
        overlap.common_facts,
        overlap.length,
        overlap.breaks,
    )


def closeness(overlap: Overlap) -> float:
    """Return the probability of one text, by `DUPLICATE_PROBABILITY`: from 0 to 1.39."""
    logit = INTERCEPT + sum(
        weight * measure for weight, measure in zip(WEIGHTS, measures(overlap), strict=True)
    )
    return 1.0 / (1.0 + math.exp(-logit)) / DUPLICATE_PROBABILITY
