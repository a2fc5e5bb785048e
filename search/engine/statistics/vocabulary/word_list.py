"""Word lists: every word, lemma or tag of the selected documents with its frequency.

Input → output: selection, switches and floors → one page of rows with rank, hits, rate, texts,
dispersion, first day and Zipf's c. Ranks are those among all words that count under the switches,
whatever part of the list a pattern shows.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.statistics.counting.attribute_values import TypeValues, type_values
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.counting.type_counts import document_counts, type_counts
from search.engine.statistics.counting.word_classes import (
    function_words,
    letters_only,
    names,
    value_flags,
    with_digits,
    with_letters_or_digits,
)
from search.engine.statistics.ranking import Ranked, SpellAll, ValueRanking
from search.engine.statistics.vocabulary.zipf import zipf_score

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

FORM_ATTRIBUTES = ("word", "lower", "folded", "lemma")  # values are numbers of forms


class WordOrder(StrEnum):
    """How a word list is sorted."""

    HITS = "hits"
    RAREST = "rarest"
    TEXTS = "texts"
    ALPHABET = "alphabet"


@dataclass(frozen=True, slots=True)
class Switches:
    """What counts as a word at all; punctuation never does.

    Parameters
    ----------
    attribute : str
        ``lower`` counts "I" and "i" together and keeps apostrophes; ``word`` counts as printed.
    letters_only : bool
        Only forms of letters, apostrophes and hyphens.
    digits : bool
        Whether forms with digits count.
    """

    attribute: str = "lower"
    letters_only: bool = False
    digits: bool = True


@dataclass(frozen=True, slots=True)
class WordListRequest:
    """Which part of a word list is wanted.

    Parameters
    ----------
    without_function_words, without_names : bool
        Stop lists by tag, see `function_words` and `names`.
    min_hits, min_texts : int
    first, limit : int
        The page: how many rows to skip and to return.
    """

    switches: Switches = Switches()
    without_function_words: bool = False
    without_names: bool = False
    min_hits: int = 1
    min_texts: int = 1
    order: WordOrder = WordOrder.HITS
    first: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True)
class WordRow:
    """A row: ``c`` is rank × hits ÷ words, ``dispersion`` DP, ``first_day`` days since 1970."""

    rank: int
    value: str
    hits: int
    per_million: float
    c: float
    texts: int
    dispersion: float
    first_day: int | None


@dataclass(frozen=True, slots=True)
class WordListPage:
    """A page of rows, how many there are in all, and the words they are among.

    ``n_words`` counts the tokens that are words under the switches, ``n_types`` the different ones,
    ``n_listed`` the tokens of all listed rows.
    """

    rows: tuple[WordRow, ...]
    n_rows: int
    n_words: int
    n_types: int
    n_listed: int


@dataclass(frozen=True)
class Vocabulary:
    """The words that count: values, tokens of each value, and which values are words.

    ``n_words`` is how many tokens are words.
    """

    values: TypeValues
    counts: I64
    is_word: Mask
    spell_all: SpellAll
    n_words: int

    @cached_property
    def ranking(self) -> ValueRanking:
        """All words in order of frequency."""
        numbers = np.flatnonzero(self.is_word)
        return ValueRanking(numbers, self.counts[numbers], self.spell_all)


# Of a selection: 5 MB each with its ranking at 100 million tokens.
_VOCABULARIES: Remembered[Switches, Vocabulary] = Remembered(2)


def vocabulary(selection: Selection, switches: Switches) -> Vocabulary:
    """Count the words of a selection. O(types); kept with it, its arrays are not to be written."""
    return _VOCABULARIES.of(selection).get_or(switches, lambda: _vocabulary(selection, switches))


def _vocabulary(selection: Selection, switches: Switches) -> Vocabulary:
    lexicon = selection.snapshot.lexicon
    values = type_values(lexicon, switches.attribute)
    counts = values.fold(type_counts(selection))
    flags = value_flags(lexicon, values, switches.attribute)
    is_word = letters_only(flags) if switches.letters_only else with_letters_or_digits(flags)
    if not switches.digits:
        is_word = is_word & ~with_digits(flags)
    is_form = switches.attribute in FORM_ATTRIBUTES

    def spell_all(numbers: list[int]) -> list[str]:
        if is_form:
            return lexicon.forms_of(np.array(numbers, dtype=np.intp))
        return list(map(values.spell, numbers))

    is_word = is_word & (counts > 0)
    counts.flags.writeable = is_word.flags.writeable = False
    return Vocabulary(values, counts, is_word, spell_all, int(counts[is_word].sum()))


def word_list(
    selection: Selection, wanted: WordListRequest, allowed: Mask | None = None
) -> WordListPage:
    """Return a page of the word list.

    Parameters
    ----------
    allowed : ndarray of shape (n_values,) or None
        Values that a pattern lets through.

    Returns
    -------
    WordListPage
        O(types) and the documents of the shown rows; with a floor or an order by texts O(tokens)
        the first time.
    """
    words = vocabulary(selection, wanted.switches)
    listed = _listed(selection, words, wanted, allowed)
    ranking = words.ranking
    shown = _page(selection, words, listed, wanted)
    return WordListPage(
        rows=tuple(_rows(selection, words, ranking, shown)),
        n_rows=len(listed),
        n_words=words.n_words,
        n_types=len(ranking),
        n_listed=int(words.counts[listed].sum()),
    )


def _listed(
    selection: Selection, words: Vocabulary, wanted: WordListRequest, allowed: Mask | None
) -> I64:
    """Return the numbers of all values that pass."""
    lexicon = selection.snapshot.lexicon
    is_listed = words.is_word & (words.counts >= wanted.min_hits)
    if allowed is not None:
        is_listed &= allowed
    if wanted.without_function_words:
        is_listed &= ~function_words(lexicon, words.values, type_counts(selection))
    if wanted.without_names:
        is_listed &= ~names(lexicon, words.values, type_counts(selection))
    if wanted.min_texts > 1:
        texts = document_counts(selection, words.values.numbers)
        is_listed[: len(texts)] &= texts >= wanted.min_texts
    return np.flatnonzero(is_listed)


def _page(
    selection: Selection, words: Vocabulary, listed: I64, wanted: WordListRequest
) -> list[Ranked]:
    """Return the rows of the page; their ranks are still those in the listed part."""
    places = range(wanted.first + 1, wanted.first + wanted.limit + 1)
    match wanted.order:
        case WordOrder.HITS:
            return ValueRanking(listed, words.counts[listed], words.spell_all).at(places)
        case WordOrder.RAREST:
            found = ValueRanking(listed, -words.counts[listed], words.spell_all).at(places)
            return [Ranked(row.rank, row.number, row.value, -row.hits) for row in found]
        case WordOrder.TEXTS:
            texts = document_counts(selection, words.values.numbers)
            found = ValueRanking(listed, texts[listed], words.spell_all).at(places)
        case WordOrder.ALPHABET:
            found = ValueRanking(listed, np.ones(len(listed), np.int64), words.spell_all).at(places)
    hits = words.counts
    return [Ranked(row.rank, row.number, row.value, int(hits[row.number])) for row in found]


def _rows(
    selection: Selection, words: Vocabulary, ranking: ValueRanking, shown: list[Ranked]
) -> list[WordRow]:
    numbers = np.array([row.number for row in shown], dtype=np.int64)
    spread = spread_of(selection, words.values.numbers, numbers)
    n_words, n_tokens = words.n_words, selection.base.n_tokens
    rows = []
    for i, (row, first) in enumerate(zip(shown, spread.first_documents(), strict=True)):
        rank = ranking.rank_of(row.value, row.hits)
        rows.append(
            WordRow(
                rank=rank,
                value=row.value,
                hits=row.hits,
                per_million=1e6 * row.hits / n_tokens,
                c=zipf_score(rank, row.hits, n_words),
                texts=int(spread.texts[i]),
                dispersion=float(spread.dispersion[i]),
                first_day=first.day if first else None,
            )
        )
    return rows
