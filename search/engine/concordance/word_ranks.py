"""Ranks of word forms: which comes before which, decided once for the whole lexicon.

Input → output: a lexicon and an alphabet → a number per form, so that comparing words becomes
comparing integers. An order is kept with its lexicon; when that has grown, new forms are put in
where they belong and nothing is sorted again.

The order of dictionaries is that of the default table of the Unicode collation algorithm for Latin
script, without its table: punctuation before digits before letters; words that differ in accents
only stand together, the plain one first; of words that differ in case only, the small letter comes
first. Other scripts follow by code point. Punctuation is not ignored.

References
----------
Unicode Technical Standard #10, Unicode collation algorithm, sections 1.1 and 4 (levels 1 to 3).
"""

import threading
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.lexicon import Lexicon, LexiconView
from search.engine.index.lexicon.strings import StringTable

_BEFORE_DIGITS = "\x01"  # put before a character that is neither digit nor letter


def dictionary_key(word: str) -> tuple[str, str, str, str]:
    """Return the key of a word: base letters, accents, case, and the word itself.

    Examples
    --------
    >>> sorted(["rule", "roles", "Role", "rôle", "role"], key=dictionary_key)
    ['role', 'Role', 'rôle', 'roles', 'rule']
    """
    if word.isascii():
        folded = word.lower()
        letters = folded if folded.isalnum() else _marked(folded)
        return letters, folded, word.swapcase(), word
    folded = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    return _marked(bare), folded, word.swapcase(), word


def _marked(text: str) -> str:
    return "".join(c if c.isalnum() else f"{_BEFORE_DIGITS}{c}" for c in text)


U32 = npt.NDArray[np.uint32]

# Putting in one form costs some twenty comparisons by key, sorting all about as many for each.
MANY_NEW_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Alphabet:
    """How words are compared: from the first or the last letter, by code point or as dictionaries.

    Parameters
    ----------
    is_retrograde, is_dictionary : bool
    """

    is_retrograde: bool = False
    is_dictionary: bool = False

    def key(self, word: str) -> Any:
        """Return what is compared of a word."""
        text = word[::-1] if self.is_retrograde else word
        return dictionary_key(text) if self.is_dictionary else text


class FormOrder:
    """The forms of a growing table in the order of an alphabet."""

    def __init__(self, forms: StringTable, alphabet: Alphabet) -> None:
        self._forms = forms
        self._key = alphabet.key
        self._order: U32 = np.empty(0, dtype=np.uint32)
        if alphabet == Alphabet():
            self._order = forms.order  # code-point order comes with the lexicon's base
        self._ranks: U32 = np.empty(0, dtype=np.uint32)
        self._lock = threading.Lock()

    def ranks(self, n_forms: int) -> U32:
        """Return the rank of each form from 1 on: shape (n,) with n at least ``n_forms``."""
        with self._lock:
            if len(self._ranks) < n_forms:
                self._extend(len(self._forms))
            return self._ranks

    def _extend(self, n_forms: int) -> None:
        known = len(self._order)
        if n_forms - known > MANY_NEW_SHARE * n_forms:
            self._order = sorted_numbers(self._forms.all()[:n_forms], self._key)
        elif n_forms > known:
            self._put_in(range(known, n_forms))
        ranks = np.empty(n_forms, dtype=np.uint32)
        ranks[self._order] = np.arange(1, n_forms + 1, dtype=np.uint32)
        self._ranks = ranks

    def _put_in(self, numbers: range) -> None:
        get, key = self._forms.get, self._key
        new = sorted(numbers, key=lambda number: key(get(number)))
        order = self._order
        places = [
            bisect_left(order, key(get(number)), key=lambda other: key(get(int(other))))
            for number in new
        ]
        self._order = np.insert(order, places, np.array(new, dtype=np.uint32))


def sorted_numbers(words: list[str], key: Callable[[str], Any]) -> U32:
    """Return the numbers of words in the order of their keys."""
    keys = list(map(key, words))
    return np.array(sorted(range(len(words)), key=keys.__getitem__), dtype=np.uint32)


_orders: "WeakKeyDictionary[Lexicon, dict[Alphabet, FormOrder]]" = WeakKeyDictionary()
_orders_lock = threading.Lock()


def form_ranks(lexicon: LexiconView, alphabet: Alphabet) -> U32:
    """Return the rank of each form in an alphabet, from 1 on.

    The first call for a lexicon sorts it (0.5 s for 330,000 forms as dictionaries do; nothing by
    code point when the lexicon has a base); later ones look the ranks up.

    Returns
    -------
    ndarray of shape (n,)
        By form number; n is at least the number of forms of the view.
    """
    with _orders_lock:
        known = _orders.setdefault(lexicon.lexicon, {})
        order = known.get(alphabet)
        if order is None:
            order = known[alphabet] = FormOrder(lexicon.lexicon.forms, alphabet)
    return order.ranks(lexicon.size.n_forms)
