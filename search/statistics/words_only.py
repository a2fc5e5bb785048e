"""Which values are words or numbers, and not punctuation.

Input → output: lexicon and attribute → a flag per value. A value is punctuation as a whole,
whatever its tokens look like, so that counts without punctuation are those of a query for it.
"""

import numpy as np
import numpy.typing as npt

from search.index.lexicon import LexiconView
from search.statistics.attribute_values import type_values
from search.statistics.word_classes import value_flags, with_letters_or_digits

Mask = npt.NDArray[np.bool_]


def word_values(lexicon: LexiconView, attribute: str) -> Mask:
    """Tell values with a letter or a digit from others.

    Returns
    -------
    ndarray of shape (n_values,)
        For the tag: whether its name has a letter (``,`` and ``.`` have none).
    """
    if attribute == "pos":
        names = lexicon.tag_names()
        return np.array([any(map(str.isalnum, name)) for name in names], dtype=np.bool_)
    values = type_values(lexicon, attribute)
    return with_letters_or_digits(value_flags(lexicon, values, attribute))
