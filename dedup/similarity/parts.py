"""Is one text a part of another? Two signatures → whether the shorter stands inside the longer.

A trimmed text, an early version and a copy with lines of its site begin together with the whole
one. A report inside a round-up stands behind another body: both are texts of their own.
"""

import numpy as np

from dedup.similarity.alignment import bridged, held
from dedup.similarity.signatures import Signature

# Share of the shorter text that stands in the longer one, in runs with short gaps.
_WHOLE = 0.70
# Share of the longer text below which the shorter one is a part: most of it is another body. Parts
# of the development set have up to .28; a text of two halves is taken for the whole of each.
_PART = 0.45
# Words of the longer text before the part. On the development set the whole of a trimmed or early
# text has at most 45 before what both hold; what contains a text of another cluster has at least
# 158, or none.
_OWN_WORDS = 85


def is_part(one: Signature, other: Signature) -> bool:
    """Tell whether the shorter of two texts stands inside the longer one, behind another body.

    Notes
    -----
    The same in both directions. A longer text that begins with the shorter one is its update: by
    words alone nobody knows whether what follows belongs to it.
    """
    shorter, longer = sorted((one, other), key=lambda text: len(text.in_order))
    n_places = len(longer.in_order)
    if not len(shorter.in_order) or len(shorter.in_order) * _WHOLE >= n_places * _PART:
        return False
    held_by_longer = bridged(held(longer.shingles, shorter.in_order))
    if held_by_longer.mean() < _WHOLE:
        return False
    part = bridged(held(shorter.shingles, longer.in_order))
    return bool(np.argmax(part) >= _OWN_WORDS and part.mean() < _PART)
