"""Near spellings: words of the corpus one change away from a word that was not found.

A word that differs by its marks alone, *reën* for *reen*, is nearer than any other. Only a word
that is more frequent than the one typed is a likelier spelling of it.

References
----------
P. Norvig, How to write a spelling corrector (2007), for making the candidates.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from search.engine.index.lexicon.folding import strip_accents
from search.engine.index.lexicon.lexicon import LexiconView
from search.opened_index import current_snapshot

MAX_WORD = 40
MOST_WORDS = 6
MOST_COUNTED = 12  # candidates, the most frequent of the index first: each count is a query


@dataclass(frozen=True, slots=True)
class NearWord:
    """A word of the corpus with the hits that its link opens."""

    word: str
    n: int


def near_words(word: str, count: Callable[[str], int]) -> list[NearWord]:
    """Return words spelled nearly like this one that have hits.

    First stand those that differ by marks alone, and of like ones those with most hits.

    Parameters
    ----------
    count : callable
        Word → the hits that a link to it opens, filters and all.
    """
    found = [NearWord(near, count(near)) for near in _candidates(word)]
    bare = _bare(word)
    return sorted(
        (near for near in found if near.n),
        key=lambda near: (_bare(near.word) != bare, -near.n, near.word),
    )[:MOST_WORDS]


def _bare(word: str) -> str:
    return strip_accents(word.lower())


def _candidates(word: str) -> list[str]:
    """Return near words of the whole index, old versions of texts too, the nearest first."""
    if not 1 < len(word) <= MAX_WORD:
        return []
    snapshot = current_snapshot()
    lexicon = snapshot.lexicon
    by_form = np.zeros(lexicon.size.n_forms, dtype=np.int64)
    np.add.at(by_form, lexicon.lower[lexicon.words], snapshot.type_counts)
    with_marks = _with_other_marks(word, lexicon)
    own = lexicon.find_form(word.lower())
    n_own = 0 if own is None else by_form[own]
    found = []
    for candidate in sorted(one_change_away(word.lower()) | with_marks):
        number = lexicon.find_form(candidate)
        if number is not None and by_form[number] > n_own:
            found.append((candidate not in with_marks, -int(by_form[number]), candidate))
    return [candidate for *_, candidate in sorted(found)[:MOST_COUNTED]]


def _with_other_marks(word: str, lexicon: LexiconView) -> set[str]:
    """Return the words that differ from this one by their marks alone, in lower case."""
    number = lexicon.find_form(_bare(word))
    if number is None:
        return set()
    alike = np.unique(lexicon.lower[lexicon.folded == number])
    return set(lexicon.forms_of(alike)) - {word.lower()}


def one_change_away(word: str) -> set[str]:
    """Return all strings one letter left out, doubled up, exchanged, changed or added away."""
    letters = set("abcdefghijklmnopqrstuvwxyz'-") | set(word)
    splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    deleted = {a + b[1:] for a, b in splits if b}
    swapped = {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
    changed = {a + c + b[1:] for a, b in splits if b for c in letters}
    added = {a + c + b for a, b in splits for c in letters}
    return (deleted | swapped | changed | added) - {word}
