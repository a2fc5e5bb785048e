"""Are two tellings of one event? Their measures → log odds, by weights that were fitted.

`tests/benchmarks/story_training.py` prints the constants. Pairs of the labelled events speak for
one event and against, and so do pairs on one topic that a reader has judged: without those the
weights would learn only to tell topics apart.
"""

import numpy as np

from dedup.similarity.events.tfidf_measures import Sums

# Penalized logistic regression; the order is that of `tfidf_measures.MEASURES`.
_CONSTANT = 8.0603
_WEIGHTS = np.array(
    [
        -0.7319,  # cosine
        5.6140,  # n_specific
        2.9452,  # openings
        -1.2205,  # opening_shared_less
        1.5666,  # opening_shared_more
        0.4981,  # opening_names_shared_less
        0.9900,  # opening_names_shared_more
        -4.5842,  # names_shared
        -1.1672,  # n_names
        3.7817,  # numbers_shared
        3.0012,  # names
        -7.3350,  # plain_words
        -11.2781,  # rarest
        0.9930,  # rare
        -1.9206,  # shorter
        -1.6489,  # longer
    ]
)


def closeness(measures: Sums) -> Sums:
    """Weigh measures of pairs.

    Parameters
    ----------
    measures
        float64[n, 16], columns as in `tfidf_measures.MEASURES`.

    Returns
    -------
    ndarray of shape (n,)
        Log odds that both tell of one event. They are those of the training pairs, of which far
        more are of one event than among all pairs of a window: limits are chosen by results.
    """
    found: Sums = _CONSTANT + measures @ _WEIGHTS
    return found
