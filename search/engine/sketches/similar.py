r"""Words that are used alike: they share many and telling relations.

Input → output: a selection, a grammar, a lemma and its class → the words of the class most like it.

Notes
-----
The measure of Lin, D. 1998. Automatic Retrieval and Clustering of Similar Words. COLING-ACL 98,
768-774. Of the relations *T(w)* of a word only those count that it has more often than chance:

.. math::
    I(w, r, c) = \ln \frac{\|w, r, c\| \cdot \|*, r, *\|}{\|w, r, *\| \cdot \|*, r, c\|} > 0

    sim(w_1, w_2) = \frac{\sum_{(r, c) \in T(w_1) \cap T(w_2)} I(w_1, r, c) + I(w_2, r, c)}
    {\sum_{T(w_1)} I(w_1, r, c) + \sum_{T(w_2)} I(w_2, r, c)}

Here *r* is a list of the grammar, with the lemma of its `by:`, and pairs are counted as the grammar
finds them, several times where it finds them in several ways. All words are looked at together, in
an even part of a large corpus.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.sketches.grammar import Grammar
from search.engine.sketches.totals import Scan, stretches
from search.engine.statistics.counting.in_parallel import in_parallel
from search.engine.statistics.frequency import largest

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
F64 = npt.NDArray[np.float64]

MOST_TOKENS = 2_000_000  # looked at: a second of one processor, 60 MB while they are kept
FEWEST_SHARED = 3  # relations that two words share; fewer are chance
KEPT_CLASSES = 2  # of a selection


@dataclass(frozen=True, slots=True)
class SimilarWord:
    """A word, its likeness from 0 to 1, and how many relations it shares."""

    lemma: str
    similarity: float
    n_shared: int


@dataclass(frozen=True, slots=True)
class SimilarWords:
    """The most similar words, and the share of the base's tokens that was looked at."""

    rows: tuple[SimilarWord, ...]
    share: float


@dataclass(frozen=True, slots=True)
class _Relations:
    """All words of a class with their relations.

    ``lemmas`` has shape (n_words,), ascending; ``words``, ``features`` and ``information`` have one
    entry for each relation of a word that is more frequent than chance; ``sums`` adds up a word's.
    """

    lemmas: I64
    words: I32
    features: I32
    n_features: int
    information: F64
    sums: F64
    share: float


_KEPT: Remembered[tuple[str, str], _Relations] = Remembered(KEPT_CLASSES)


def similar_words(
    selection: Selection, grammar: Grammar, word: tuple[str, str], limit: int
) -> SimilarWords:
    """Find the words most like a lemma of a class.

    Returns
    -------
    SimilarWords
        Most similar first, then by name; none where the lemma is not in what was looked at. O(all
        relations of the class).

    Raises
    ------
    KeyError
        If the grammar has no such class.
    """
    lemma, word_class = word
    known = _KEPT.of(selection).get_or(
        (grammar.digest, word_class), lambda: _relations(selection, grammar, word_class)
    )
    lexicon = selection.snapshot.lexicon
    number = lexicon.find_form(lemma)
    at = int(np.searchsorted(known.lemmas, -1 if number is None else number))
    if number is None or at == len(known.lemmas) or known.lemmas[at] != number:
        return SimilarWords((), known.share)
    own = known.words == at
    of_word = np.zeros(known.n_features)
    of_word[known.features[own]] = known.information[own]
    shared = np.flatnonzero(of_word[known.features] > 0)
    words = known.words[shared]
    weights = known.information[shared] + of_word[known.features[shared]]
    n_words = len(known.lemmas)
    n_shared = np.bincount(words, minlength=n_words)
    with np.errstate(invalid="ignore", divide="ignore"):
        likeness: F64 = np.bincount(words, weights=weights, minlength=n_words) / (
            known.sums + known.sums[at]
        )
    enough = np.flatnonzero(n_shared >= FEWEST_SHARED)
    enough = enough[enough != at]

    def name(i: int) -> str:
        return lexicon.form(int(known.lemmas[enough[i]]))

    best = largest(likeness[enough], limit, lambda i: (name(i),)).tolist()
    rows = [
        SimilarWord(name(i), float(likeness[enough[i]]), int(n_shared[enough[i]])) for i in best
    ]
    return SimilarWords(tuple(rows), known.share)


def _relations(selection: Selection, grammar: Grammar, word_class: str) -> _Relations:
    """Look at all words of a class together."""
    lemmas, features, sizes, share = _pairs(selection, grammar, word_class)
    known, words = np.unique(lemmas, return_inverse=True)
    n_words = max(1, len(known))
    pairs, counts = np.unique(features * n_words + words, return_counts=True)
    features, words = np.divmod(pairs, n_words)
    n_features = int(sizes.sum())
    list_of = np.repeat(np.arange(len(sizes)), sizes)[features]
    of_feature = np.bincount(features, weights=counts, minlength=n_features)
    of_list = np.bincount(list_of, weights=counts, minlength=len(sizes))
    of_word = np.bincount(list_of * n_words + words, weights=counts, minlength=len(sizes) * n_words)
    expected = of_word[list_of * n_words + words] * of_feature[features] / of_list[list_of]
    information = np.log(counts / expected)
    kept = information > 0
    words, information = words[kept], information[kept]
    return _Relations(
        known,
        words.astype(np.int32),
        features[kept].astype(np.int32),
        n_features,
        information,
        np.bincount(words, weights=information, minlength=len(known)).astype(np.float64),
        share,
    )


def _pairs(selection: Selection, grammar: Grammar, word_class: str) -> tuple[I64, I64, I64, float]:
    """Return lemma and number of the feature of each match, and the features of each relation.

    The numbers of the features of one relation stand together.
    """
    scan = Scan(selection, grammar.lists_of(word_class))
    lexicon = selection.snapshot.lexicon
    chosen, n_seen, n_all = [], 0, 0
    masks = zip(
        selection.snapshot.segments, selection.document_masks, selection.is_empty_in, strict=True
    )
    places = [(view.segment, mask) for view, mask, is_empty in masks if not is_empty]
    n_all = sum(segment.n_tokens for segment, _ in places)
    for segment, mask in places:
        wanted = min(1.0, MOST_TOKENS / n_all) * segment.n_tokens
        for low, high in stretches(segment):
            if wanted <= 0:
                break
            chosen.append((segment, mask, (low, high)))
            wanted -= high - low
            n_seen += high - low
    lemmas, relations, keys = [], [], []
    for found in in_parallel(lambda place: scan.matches(*place), chosen):
        for number, matches in enumerate(found):
            lemmas.append(lexicon.lemmas[matches.words].astype(np.int64))
            keys.append(scan.keys.collocates(matches))
            relations.append(scan.keys.groups(matches) * len(scan.lists) + number)
    nothing = np.empty(0, np.int64)
    relation, key = np.concatenate([nothing, *relations]), np.concatenate([nothing, *keys])
    order = np.lexsort((key, relation))
    relation, key = relation[order], key[order]
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = (relation[1:] != relation[:-1]) | (key[1:] != key[:-1])
    features = np.cumsum(is_new) - 1
    _, sizes = np.unique(relation[is_new], return_counts=True)
    words = np.concatenate([nothing, *lemmas])[order]
    return words, features, sizes, n_seen / n_all if n_all else 1.0
