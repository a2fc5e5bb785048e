"""Near spellings: words of the corpus one change away from a word that was not found.

References
----------
P. Norvig, How to write a spelling corrector (2007), for making the candidates.
"""

from dataclasses import dataclass

import numpy as np

from search.opened_index import current_snapshot

MAX_WORD = 40
MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class NearWord:
    """A word of the corpus with its occurrences, upper and lower case together."""

    word: str
    n: int


def near_words(word: str) -> list[NearWord]:
    """Return words of the corpus spelled nearly like this one, most frequent first."""
    if not 1 < len(word) <= MAX_WORD:
        return []
    snapshot = current_snapshot()
    lexicon = snapshot.lexicon
    by_form = np.zeros(lexicon.size.n_forms, dtype=np.int64)
    np.add.at(by_form, lexicon.lower[lexicon.words], snapshot.type_counts)
    found = []
    for candidate in sorted(one_change_away(word.lower())):
        number = lexicon.find_form(candidate)
        if number is not None and by_form[number]:
            found.append(NearWord(candidate, int(by_form[number])))
    return sorted(found, key=lambda near: (-near.n, near.word))[:MOST_WORDS]


def one_change_away(word: str) -> set[str]:
    """Return all strings one letter left out, doubled up, exchanged, changed or added away."""
    letters = set("abcdefghijklmnopqrstuvwxyz'-") | set(word)
    splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    deleted = {a + b[1:] for a, b in splits if b}
    swapped = {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
    changed = {a + c + b[1:] for a, b in splits if b for c in letters}
    added = {a + c + b for a, b in splits for c in letters}
    return (deleted | swapped | changed | added) - {word}
