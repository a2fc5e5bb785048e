r"""How good an example a hit is: readable whole sentences first, after the idea of GDEX.

Input → output: hits of a segment → a score from 0 to 1 000 for the sentence each begins in.

A sentence is knocked out (half of the score) if it is no whole one or is too short or long, holds
a token that is no word (an address, a run of signs) or a very long one. The other half falls with
each thing that makes it hard to read out of its context: a length away from the best, rare words,
names, numbers and brackets, words that point back ("he", "this"). Nothing is said of whether the
example is typical.

References
----------
A. Kilgarriff, M. Husák, K. McAdam, M. Rundell and P. Rychlý, GDEX: Automatically finding good
dictionary examples in a corpus, EURALEX (2008); the two halves as in the configurations of
I. Kosem, M. Husák and D. McCarthy, GDEX for Slovene, eLex (2011). Weights and lists are ours.
"""

from enum import IntFlag

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

MOST_POINTS = 1_000  # of an example; what differs by less than a thousandth is equally good
SHORTEST, BEST_FROM, BEST_TO, LONGEST = 6, 10, 20, 35  # tokens; GDEX prefers 10 to 25 words
LONGEST_WORD = 20  # characters
COMMON_WORDS = 17_000  # GDEX's list of words that readers know
# What is left of the second half for each such token.
RARE, NAME, ODD, POINTS_BACK = 0.85, 0.9, 0.8, 0.85
_ENDS = frozenset(".!?")
_CLOSES = frozenset("\"'”’)]''")
_PRONOUNS = ("he", "she", "it", "they", "him", "her", "them", "his", "its", "their")
_BACK = frozenset((*_PRONOUNS, "this", "that", "these", "those", "there", "then", "thus", "so"))


class _Sign(IntFlag):
    """What is true of a type."""

    KNOWN = 1
    RARE = 2
    NAME = 4
    ODD = 8
    BACK = 16
    NO_WORD = 32
    ENDS = 64
    CLOSES = 128


class GoodExamples:
    """Scores the hits of a snapshot; what was worked out of a type is kept."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._lexicon = snapshot.lexicon
        self._signs: U8 = np.zeros(snapshot.lexicon.size.n_types, dtype=np.uint8)
        self._rare = _rare_types(snapshot)

    def points(self, segment: Segment, positions: I64) -> I64:
        """Return the scores of the sentences of some tokens.

        Parameters
        ----------
        positions : ndarray of shape (n,)
            Where hits begin.

        Returns
        -------
        ndarray of shape (n,)
            0 to 1 000; O(n log n + tokens of the sentences).
        """
        edges = segment.sentence_edges
        number = np.searchsorted(edges, positions, side="right") - 1
        sentences, of_hit = np.unique(number, return_inverse=True)
        starts, ends = edges[sentences], edges[sentences + 1]
        scores = np.zeros(len(sentences))
        lengths = ends - starts
        fit = np.flatnonzero((lengths >= SHORTEST) & (lengths <= LONGEST))
        if len(fit):
            scores[fit] = self._scores(segment.stream, starts[fit], lengths[fit])
        points: I64 = np.rint(MOST_POINTS * scores[of_hit]).astype(np.int64)
        return points

    def _scores(self, stream: npt.NDArray[np.uint32], starts: I64, lengths: I64) -> F64:
        first = np.cumsum(lengths) - lengths
        places = np.repeat(starts - first, lengths) + np.arange(int(lengths.sum()))
        types = stream[places]
        self._look_at(np.unique(types))
        signs = self._signs[types]

        def counted(sign: _Sign) -> I64:
            found: I64 = np.add.reduceat((signs & sign) != 0, first, dtype=np.int64)
            return found

        last = first + lengths - 1
        closing = (signs[last] & _Sign.CLOSES) != 0
        ended = (signs[np.where(closing, last - 1, last)] & _Sign.ENDS) != 0
        is_whole = ended & self._begins(types[first]) & (counted(_Sign.NO_WORD) == 0)
        # The first word of a sentence is capital: whether it is a name its tag knows.
        readable = RARE ** counted(_Sign.RARE) * NAME ** counted(_Sign.NAME)
        readable *= ODD ** counted(_Sign.ODD) * POINTS_BACK ** counted(_Sign.BACK)
        return np.asarray(0.5 * is_whole + 0.5 * readable * _length_score(lengths))

    def _begins(self, types: npt.NDArray[np.uint32]) -> Mask:
        """Return which types are written with a capital letter."""
        lexicon = self._lexicon
        words = lexicon.words[types]
        return np.asarray(lexicon.lower[words] != words)

    def _look_at(self, types: npt.NDArray[np.uint32]) -> None:
        """Work out the signs of types that are new."""
        lexicon = self._lexicon
        new = types[self._signs[types] == 0]
        names = _name_tags(lexicon)[lexicon.tags[new]]
        words = lexicon.forms_of(lexicon.words[new])
        signs = np.fromiter(map(_signs_of, words), dtype=np.uint8, count=len(words))
        signs[names & ((signs & _Sign.NO_WORD) == 0)] |= np.uint8(_Sign.NAME)
        hard = self._rare[lexicon.lower[lexicon.words[new]]] & ~names
        signs[hard] |= np.uint8(_Sign.RARE)
        self._signs[new] = signs


def _length_score(lengths: I64) -> F64:
    """Return 1 for the best lengths, falling to 0 at the shortest and the longest."""
    bounds = (SHORTEST - 1, BEST_FROM, BEST_TO, LONGEST + 1)
    return np.asarray(np.interp(lengths, bounds, (0.0, 1.0, 1.0, 0.0)))


def _signs_of(word: str) -> int:
    signs = _Sign.KNOWN
    if word.lower() in _BACK:
        signs |= _Sign.BACK
    if set(word) <= _ENDS:
        signs |= _Sign.ENDS
    elif set(word) <= _CLOSES:
        signs |= _Sign.CLOSES
    has_letters = any(map(str.isalpha, word))
    if len(word) > LONGEST_WORD or "://" in word or "@" in word or word.startswith("www."):
        signs |= _Sign.NO_WORD
    if any(map(str.isdigit, word)) or word in "()[]{}/*#<>=+_|~":
        signs |= _Sign.ODD
    if not has_letters and len(word) > 3 and not any(map(str.isdigit, word)):
        signs |= _Sign.NO_WORD
    return int(signs)


def _name_tags(lexicon: LexiconView) -> Mask:
    return np.array([tag.startswith(("NNP", "PROPN")) for tag in lexicon.tag_names()] or [False])


def _rare_types(snapshot: Snapshot) -> Mask:
    """Return which lower-case forms are none of the commonest words: shape (n_forms,)."""
    lexicon = snapshot.lexicon
    by_type = np.zeros(lexicon.size.n_types, dtype=np.int64)
    for view in snapshot.segments:
        postings = view.segment.postings
        by_type[postings.types] += postings.counts()
    by_form = np.bincount(
        lexicon.lower[lexicon.words], weights=by_type, minlength=lexicon.size.n_forms
    )
    if np.count_nonzero(by_form) <= COMMON_WORDS:
        return by_form < 2  # of a small corpus the words that stand in it once
    floor = np.partition(by_form, -COMMON_WORDS)[-COMMON_WORDS]
    return np.asarray(by_form < floor)
