"""Are two texts the same? Their overlap → one number, 1 and more for near-duplicates.

A logistic regression over the measures of `alignment.py`, fitted by
`tests/benchmarks/near_training.py` to the pairs met on the development set and to bulletins of our
own, and checked by cross-validation over whole clusters.
"""

import math

from dedup.similarity.alignment import Overlap

# One weight a measure, in their order in `measures`; rounded as they are used.
WEIGHTS = (6.52, -14.38, 5.58, 9.96, 2.86, -0.66, 9.03)
INTERCEPT = -9.56
# From this probability on two texts are one: a false pair costs more than a missed one.
DUPLICATE_PROBABILITY = 0.62
# Closeness below which the fullest text of a cluster speaks against joining: even odds of e to 1.
CONTRADICTION = 0.43


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
    """Return the probability of one text, by `DUPLICATE_PROBABILITY`: from 0 to 1.6."""
    logit = INTERCEPT + sum(
        weight * measure for weight, measure in zip(WEIGHTS, measures(overlap), strict=True)
    )
    return 1.0 / (1.0 + math.exp(-logit)) / DUPLICATE_PROBABILITY
