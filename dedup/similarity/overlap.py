"""What two articles have in common: two sets of sentence hashes → a similarity from 0 to 1.

The method of the South African English corpus; its limits are the first two below.
"""

from collections.abc import Set as AbstractSet

# A sentence in more articles than this is boilerplate ("subscribe to our newsletter").
MAX_ARTICLES_PER_SENTENCE = 10
# Above this share of common sentences two articles are similar.
SIMILAR_ABOVE = 0.30
# The source gives no limit for "duplicate": chosen, not measured.
DUPLICATE_FROM = 0.80


def jaccard(
    first: AbstractSet[int], second: AbstractSet[int], popular: AbstractSet[int] = frozenset()
) -> float | None:
    """Share of common sentences among all distinct sentences of both articles.

    Parameters
    ----------
    first, second
        Sentence hashes of the two articles.
    popular
        Hashes that more than `MAX_ARTICLES_PER_SENTENCE` articles hold. They are left out of both
        sets (the source leaves them out of the look-up only), so that boilerplate neither joins nor
        parts two articles.

    Returns
    -------
    float or None
        From 0 to 1; None when an article has no usable sentence: such articles are not comparable
        (the source divides by zero there).

    Examples
    --------
    >>> jaccard({1, 2, 3}, {2, 3, 4})
    0.5
    >>> jaccard({1, 2, 3}, {2, 3, 4}, popular={1, 4})
    1.0
    """
    if popular:
        first, second = first - popular, second - popular
    if not first or not second:
        return None
    n_shared = len(first & second)
    return n_shared / (len(first) + len(second) - n_shared)
