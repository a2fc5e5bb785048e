"""Random samples of hits that come out the same on any machine and after any merge of segments.

Input → output: identities of hits and a seed → a number per hit; the hits with the smallest numbers
are the sample. As the number depends on the hit alone, a sample of a grown corpus keeps what it
shares with the older one.

References
----------
G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014
(the finalizer of SplitMix64).
"""

import numpy as np
import numpy.typing as npt

U64 = npt.NDArray[np.uint64]

# Those of SplitMix64.
GOLDEN = 0x9E3779B97F4A7C15
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


def mix(values: U64) -> U64:
    """Scramble 64-bit numbers, one to one."""
    values = (values ^ (values >> np.uint64(30))) * FIRST_FACTOR
    values = (values ^ (values >> np.uint64(27))) * SECOND_FACTOR
    return values ^ (values >> np.uint64(31))


def random_numbers(identities: U64, offsets: npt.NDArray[np.integer], seed: int) -> U64:
    """Return a random-looking number for each hit.

    Parameters
    ----------
    identities : ndarray of shape (n_hits,)
        Kind and key of the document, see ``columns.make_identities``.
    offsets : ndarray of shape (n_hits,)
        Token number of the hit within its document.
    seed : int
        Any integer; equal seeds give equal numbers.
    """
    start = np.uint64((seed * GOLDEN + GOLDEN) % (1 << 64))
    return mix(mix(identities + start) + offsets.astype(np.uint64) + start)
