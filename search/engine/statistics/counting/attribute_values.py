"""What each type counts as under an attribute: its word, lower case, lemma, tag or a pair.

Input → output: lexicon and attribute → one value number per type, and how values are spelled.
Tokens are counted by type first, then types are folded into values: the lexicon is a hundredth of
the corpus.
"""

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.lexicon import TAG_LIMIT, Lexicon, LexiconSize, LexiconView

I64 = npt.NDArray[np.int64]

ATTRIBUTES = ("word", "lower", "folded", "stem", "lemma", "pos", "lemma+pos")
# Stands between lemma and tag as it is read; slashes are rare in lemmas, and only spelled, never
# split again.
PAIR_SIGN = "/"


@dataclass(frozen=True, slots=True)
class TypeValues:
    """Values of an attribute by type.

    Parameters
    ----------
    numbers : ndarray of shape (n_types,)
        Value number of each type, below ``n_values``.
    spell : callable
        Value number → how it is written.
    n_values : int
        Bound of the value numbers; not every number below it need occur.
    """

    numbers: I64
    spell: Callable[[int], str]
    n_values: int

    def fold(self, type_counts: npt.NDArray[np.integer]) -> I64:
        """Add up counts by type into counts by value.

        Parameters
        ----------
        type_counts : ndarray of shape (n_types,)

        Returns
        -------
        ndarray of shape (n_values,)
            O(types that count).
        """
        types = np.flatnonzero(type_counts)
        sums = np.bincount(self.numbers[types], weights=type_counts[types], minlength=self.n_values)
        return sums.astype(np.int64)


_known: WeakKeyDictionary[Lexicon, dict[tuple[LexiconSize, str], TypeValues]] = WeakKeyDictionary()


def type_values(lexicon: LexiconView, attribute: str) -> TypeValues:
    """Return the values of all types.

    Parameters
    ----------
    attribute : str
        One of `ATTRIBUTES`: ``word`` as printed, ``lower`` the word in lower case, ``folded``
        without case and accents, ``stem`` the stem of the word, ``lemma``, ``pos`` (the tag),
        ``lemma+pos`` both as one value.

    Returns
    -------
    TypeValues
        Remembered as long as the lexicon is open. O(types) the first time.

    Raises
    ------
    ValueError
        If there is no such attribute.
    """
    if attribute not in ATTRIBUTES:
        raise ValueError(f"“{attribute}” is no attribute: {', '.join(ATTRIBUTES)}.")
    remembered = _known.setdefault(lexicon.lexicon, {})
    key = (lexicon.size, attribute)
    if key not in remembered:
        for old in [k for k in remembered if k[0] != lexicon.size and k[1] == attribute]:
            remembered.pop(old, None)  # one version of each attribute is enough
        remembered[key] = _values(lexicon, attribute)
    return remembered[key]


def numbers_of(lexicon: LexiconView, attribute: str, value: str) -> list[int]:
    """Return the number of a value under an attribute, as `type_values` gives it; [] for none.

    Values that no token has may still have a number.
    """
    if attribute == "pos":
        names = lexicon.tag_names()
        return [names.index(value)] if value in names else []
    if attribute == "lemma+pos":
        lemma, _, tag = value.rpartition(PAIR_SIGN)
        lemmas, tags = (numbers_of(lexicon, *of) for of in (("lemma", lemma), ("pos", tag)))
        types = np.flatnonzero(np.isin(lexicon.lemmas, lemmas) & np.isin(lexicon.tags, tags))
        found: list[int] = np.unique(type_values(lexicon, attribute).numbers[types]).tolist()
        return found
    number = lexicon.find_stem(value) if attribute == "stem" else lexicon.find_form(value)
    return [] if number is None else [number]


def _values(lexicon: LexiconView, attribute: str) -> TypeValues:
    """Make the values of all types."""
    if attribute == "lemma+pos":
        return _pairs(lexicon)
    if attribute == "pos":
        return TypeValues(lexicon.tags.astype(np.int64), lexicon.tag, lexicon.size.n_tags)
    if attribute == "stem":
        stems = lexicon.stems
        n_stems = int(stems.max()) + 1 if len(stems) else 0
        return TypeValues(stems[lexicon.words].astype(np.int64), lexicon.stem, n_stems)
    forms = lexicon.lemmas if attribute == "lemma" else lexicon.words
    if attribute in ("lower", "folded"):
        forms = (lexicon.lower if attribute == "lower" else lexicon.folded)[forms]
    return TypeValues(forms.astype(np.int64), lexicon.form, lexicon.size.n_forms)


def _pairs(lexicon: LexiconView) -> TypeValues:
    """Give a number to each pair of lemma and tag that occurs."""
    width = TAG_LIMIT + 1
    packed = lexicon.lemmas.astype(np.int64) * width + lexicon.tags
    pairs, numbers = np.unique(packed, return_inverse=True)

    def spell(number: int) -> str:
        lemma, tag = divmod(int(pairs[number]), width)
        return f"{lexicon.form(lemma)}{PAIR_SIGN}{lexicon.tag(tag)}"

    return TypeValues(numbers.astype(np.int64), spell, len(pairs))
