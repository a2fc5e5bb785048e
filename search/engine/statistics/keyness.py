"""Keyness: the items by which one stretch of the corpus stands out against another.

Input → output: two selections of documents, or one and a list of words with frequencies, a measure
and floors → ranked items with frequencies, rates, score, significance and texts on both sides, and
how much the two stretches overlap.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from search.engine.index.selection import Selection
from search.engine.statistics.counted_words import CountedWords, listed_values
from search.engine.statistics.counting.attribute_values import TypeValues, type_values
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.counting.type_counts import document_counts, type_counts
from search.engine.statistics.counting.word_classes import (
    function_words,
    names,
    value_flags,
    with_letters_or_digits,
)
from search.engine.statistics.keyness_measures import (
    Frequencies,
    corrected_alpha,
    critical_value,
    log_likelihood,
    log_likelihood_ratio,
    log_ratio,
    log_ratio_margin,
    odds_ratio,
    percent_difference,
    simple_maths,
)
from search.engine.statistics.shared_texts import shared_copies, shared_documents

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

USUAL_ALPHA = 0.05  # of the interval around log ratio, and of the test if no other is asked for
MANY_CANDIDATES = 2_000  # more than so many have their texts counted with those of all values


class KeynessMeasure(StrEnum):
    """By what items are ranked."""

    SIMPLE_MATHS = "simple"
    LOG_LIKELIHOOD = "ll"
    FULL_LOG_LIKELIHOOD = "ll4"
    LOG_RATIO = "logratio"
    PERCENT_DIFFERENCE = "diff"
    ODDS_RATIO = "odds"


class Side(StrEnum):
    """Which items are wanted."""

    HERE = "here"
    THERE = "there"
    ONLY_HERE = "only"


@dataclass(frozen=True, slots=True)
class KeynessRequest:
    """What to compare and which items to leave out.

    Parameters
    ----------
    attribute : str
        ``word``, ``lower``, ``lemma``, ``pos`` or another of `type_values`.
    side : Side
        Items more frequent here, more frequent there, or only here. On the other side the two
        stretches change places, so that the score says how much more frequent an item is there.
    smoothing : float
        N of simple maths.
    min_hits, min_texts, min_publications : int
        Floors in the stretch in which the item is more frequent: without them a single text, or
        the template of one publication, fills the list.
    alpha : float
        Error allowed for all compared items together (Šidák); 1 for no test.
    without_function_words, without_names : bool
    limit : int
        Rows to return.
    """

    attribute: str = "lower"
    measure: KeynessMeasure = KeynessMeasure.SIMPLE_MATHS
    side: Side = Side.HERE
    smoothing: float = 1.0
    min_hits: int = 3
    min_texts: int = 2
    min_publications: int = 1
    alpha: float = USUAL_ALPHA
    without_function_words: bool = False
    without_names: bool = False
    limit: int = 100


@dataclass(frozen=True, slots=True)
class KeyItem:
    """An item with what is known of it on both sides; rates are per million tokens.

    The focus is the stretch in which items were asked to be more frequent, the reference the other.
    ``margin`` is half the width of the 95 % interval around ``log_ratio``.
    """

    value: str
    focus_hits: int
    reference_hits: int
    focus_rate: float
    reference_rate: float
    focus_texts: int
    reference_texts: int
    score: float
    log_likelihood: float
    log_ratio: float
    margin: float


@dataclass(frozen=True, slots=True)
class Keyness:
    """The first key items, and what was compared.

    ``n_items`` is how many items pass all floors, ``n_compared`` how many were compared,
    ``critical`` the log-likelihood they had to reach, ``shared_documents`` how many documents are
    in both stretches, ``shared_copies`` how many texts have a copy on either side.
    """

    items: tuple[KeyItem, ...]
    n_items: int
    n_compared: int
    critical: float
    shared_documents: int
    shared_copies: int = 0


@dataclass(frozen=True, slots=True)
class _Stretches:
    """Both sides with the counts of all values, the side that is asked for first.

    A list is None, for it has no texts; the words of it that the lexicon has not stand behind all
    values.
    """

    focus: Selection | None
    reference: Selection | None
    n: int  # tokens of the focus
    m: int  # of the reference
    values: TypeValues
    a: I64
    b: I64
    unknown: tuple[str, ...] = ()

    def frequencies(self, chosen: I64) -> Frequencies:
        return Frequencies(self.a[chosen], self.b[chosen], self.n, self.m)

    def spell(self, number: int) -> str:
        known = len(self.a) - len(self.unknown)
        return self.values.spell(number) if number < known else self.unknown[number - known]

    def texts_of(self, side: Selection | None, chosen: I64) -> list[int]:
        """Count the texts of a side that have each value; none of a list, or of a word beyond."""
        texts = np.zeros(len(chosen), dtype=np.int64)
        if side is not None:
            is_known = chosen < len(self.a) - len(self.unknown)
            texts[is_known] = spread_of(side, self.values.numbers, chosen[is_known]).texts
        return texts.tolist()


def keyness(here: Selection, there: Selection | CountedWords, wanted: KeynessRequest) -> Keyness:
    """Compare two stretches of one snapshot, or one with a list of words of elsewhere.

    Parameters
    ----------
    here, there : Selection
        They may overlap; see ``shared_documents`` of the result. Floors of texts and publications
        hold for the focus where it is no list.

    Returns
    -------
    Keyness
        Highest score first, then by log-likelihood. Nothing if one of the stretches is empty.
        O(types) and, for texts, O(hits of the candidates).

    Raises
    ------
    ValueError
        Where a list cannot be counted by the attribute.
    """
    if isinstance(there, CountedWords):
        shared, copies, n_there = 0, 0, there.n_tokens
    else:
        shared, copies = shared_documents(here, there), shared_copies(here, there)
        n_there = there.base.n_tokens
    if not here.base.n_tokens or not n_there:
        return Keyness((), 0, 0, 0.0, shared, copies)
    if isinstance(there, CountedWords):
        stretches, compared = _with_list(here, there, wanted)
    else:
        stretches, compared = _stretches(here, there, wanted)
    error = corrected_alpha(wanted.alpha, len(compared)) if wanted.alpha < 1 else 1.0
    critical = critical_value(error) if error < 1 else 0.0
    chosen = _candidates(stretches, compared, wanted, critical)
    chosen = _with_texts(stretches, chosen, wanted)
    scores = score_items(stretches.frequencies(chosen), wanted)
    evidence = log_likelihood(stretches.frequencies(chosen))
    order = np.lexsort((chosen, -evidence, -scores))[: wanted.limit]
    items = _items(stretches, chosen[order], scores[order])
    return Keyness(items, len(chosen), len(compared), critical, shared, copies)


def score_items(items: Frequencies, wanted: KeynessRequest) -> F64:
    """Return the measure by which items are ranked: shape (n_items,)."""
    match wanted.measure:
        case KeynessMeasure.SIMPLE_MATHS:
            return simple_maths(items, wanted.smoothing)
        case KeynessMeasure.LOG_LIKELIHOOD:
            return log_likelihood(items)
        case KeynessMeasure.FULL_LOG_LIKELIHOOD:
            return log_likelihood_ratio(items)
        case KeynessMeasure.LOG_RATIO:
            return log_ratio(items)
        case KeynessMeasure.PERCENT_DIFFERENCE:
            return percent_difference(items)
        case KeynessMeasure.ODDS_RATIO:
            return odds_ratio(items)


def _stretches(here: Selection, there: Selection, wanted: KeynessRequest) -> tuple[_Stretches, I64]:
    """Count both sides, and tell which values are compared at all."""
    lexicon = here.snapshot.lexicon
    values = type_values(lexicon, wanted.attribute)
    focus, reference = (there, here) if wanted.side is Side.THERE else (here, there)
    of_focus, of_reference = type_counts(focus), type_counts(reference)
    a, b = values.fold(of_focus), values.fold(of_reference)
    is_item = (a + b > 0) & with_letters_or_digits(value_flags(lexicon, values, wanted.attribute))
    both = of_focus + of_reference
    if wanted.without_function_words:
        is_item &= ~function_words(lexicon, values, both)
    if wanted.without_names:
        is_item &= ~names(lexicon, values, both)
    n, m = focus.base.n_tokens, reference.base.n_tokens
    return _Stretches(focus, reference, n, m, values, a, b), np.flatnonzero(is_item)


def _with_list(
    here: Selection, listed: CountedWords, wanted: KeynessRequest
) -> tuple[_Stretches, I64]:
    """Count a stretch, and take the counts of a list; classes of words are those of the stretch."""
    lexicon = here.snapshot.lexicon
    values = type_values(lexicon, wanted.attribute)
    found = listed_values(lexicon, wanted.attribute, listed)
    of_types = type_counts(here)
    n_unknown = len(found.unknown)
    of_here = np.concatenate([values.fold(of_types), np.zeros(n_unknown, dtype=np.int64)])
    is_word = with_letters_or_digits(value_flags(lexicon, values, wanted.attribute))
    if wanted.without_function_words:
        is_word = is_word & ~function_words(lexicon, values, of_types)
    if wanted.without_names:
        is_word = is_word & ~names(lexicon, values, of_types)
    beyond = np.array([any(map(str.isalnum, word)) for word in found.unknown], dtype=np.bool_)
    is_item = (of_here + found.counts > 0) & np.concatenate([is_word, beyond])
    n, m = here.base.n_tokens, listed.n_tokens
    if wanted.side is Side.THERE:
        sides = _Stretches(None, here, m, n, values, found.counts, of_here, found.unknown)
    else:
        sides = _Stretches(here, None, n, m, values, of_here, found.counts, found.unknown)
    return sides, np.flatnonzero(is_item)


def _candidates(
    stretches: _Stretches, compared: I64, wanted: KeynessRequest, critical: float
) -> I64:
    """Keep the values that are more frequent in the focus, frequent enough, and significant."""
    a, b = stretches.a[compared], stretches.b[compared]
    is_key = (a / stretches.n > b / stretches.m) & (a >= wanted.min_hits)
    if wanted.side is Side.ONLY_HERE:
        is_key &= b == 0
    kept = compared[is_key]
    evidence = log_likelihood(stretches.frequencies(kept))
    return kept[evidence >= critical]


def _with_texts(stretches: _Stretches, chosen: I64, wanted: KeynessRequest) -> I64:
    """Keep the values that are in enough texts and publications of the focus."""
    if stretches.focus is None:
        return chosen
    numbers = stretches.values.numbers
    if wanted.min_texts > 1 and len(chosen) > MANY_CANDIDATES:
        texts = document_counts(stretches.focus, numbers)
        chosen = chosen[texts[chosen] >= wanted.min_texts]
    if wanted.min_texts <= 1 and wanted.min_publications <= 1:
        return chosen
    spread = spread_of(stretches.focus, numbers, chosen)
    is_spread = spread.texts >= wanted.min_texts
    if wanted.min_publications > 1:
        is_spread &= spread.n_publications >= wanted.min_publications
    return chosen[is_spread]


def _items(stretches: _Stretches, chosen: I64, scores: F64) -> tuple[KeyItem, ...]:
    frequencies = stretches.frequencies(chosen)
    columns = zip(
        map(stretches.spell, chosen.tolist()),
        frequencies.a.tolist(),
        frequencies.b.tolist(),
        frequencies.rate_a.tolist(),
        frequencies.rate_b.tolist(),
        stretches.texts_of(stretches.focus, chosen),
        stretches.texts_of(stretches.reference, chosen),
        scores.tolist(),
        log_likelihood(frequencies).tolist(),
        log_ratio(frequencies).tolist(),
        log_ratio_margin(frequencies, USUAL_ALPHA).tolist(),
        strict=True,
    )
    return tuple(KeyItem(*row) for row in columns)
