"""Words with frequencies from elsewhere, to compare a corpus with: a list, and its counts by value.

Input → output: lexicon, attribute and list → how often each value of the lexicon stands in the
list, and the words of the list that the lexicon has not.
"""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.lexicon import LexiconSize, LexiconView

I64 = npt.NDArray[np.int64]

# What a list of words can be counted by; stems, tags and pairs are no words of a list.
LISTED_ATTRIBUTES = ("lower", "word", "lemma")
_MOST_REMEMBERED = 4  # a list of 100,000 words takes some 10 MB


@dataclass(frozen=True, slots=True)
class CountedWords:
    """A list of words of a corpus elsewhere.

    Parameters
    ----------
    key : str
        What it is known by; lists never change.
    words : tuple of str
    counts : tuple of int
        Of each word.
    n_tokens : int
        Of the whole corpus, which may have more than what is listed.
    """

    key: str
    words: tuple[str, ...]
    counts: tuple[int, ...]
    n_tokens: int


@dataclass(frozen=True, slots=True)
class ListedValues:
    """A list by the values of a lexicon.

    Parameters
    ----------
    counts : ndarray of shape (n_values + n_unknown,)
        Of all values of the lexicon, and behind them of the words that it has not.
    unknown : tuple of str
    """

    counts: I64
    unknown: tuple[str, ...]


_remembered: OrderedDict[tuple[str, str, int, LexiconSize], ListedValues] = OrderedDict()


def listed_values(lexicon: LexiconView, attribute: str, listed: CountedWords) -> ListedValues:
    """Find the words of a list in a lexicon; remembered. O(words of the list) look-ups.

    Raises
    ------
    ValueError
        Where the attribute is none of words.
    """
    if attribute not in LISTED_ATTRIBUTES:
        raise ValueError(f"a list of words cannot be counted by {attribute}")
    key = (listed.key, attribute, id(lexicon.lexicon), lexicon.size)
    found = _remembered.get(key)
    if found is None:
        found = _remembered[key] = _find(lexicon, attribute, listed)
        while len(_remembered) > _MOST_REMEMBERED:
            _remembered.popitem(last=False)
    return found


def _find(lexicon: LexiconView, attribute: str, listed: CountedWords) -> ListedValues:
    counts = np.zeros(lexicon.size.n_forms, dtype=np.int64)
    unknown: dict[str, int] = {}
    for word, count in zip(listed.words, listed.counts, strict=True):
        form = word.lower() if attribute == "lower" else word
        number = lexicon.find_form(form)
        if number is None:
            unknown[form] = unknown.get(form, 0) + count
        else:
            counts[number] += count
    behind = np.fromiter(unknown.values(), dtype=np.int64, count=len(unknown))
    return ListedValues(np.concatenate([counts, behind]), tuple(unknown))
