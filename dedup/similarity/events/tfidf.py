"""What a text is about, as numbers: title and lead → term counts; counts of a window → likenesses.

TF-IDF (Salton & Buckley 1988) over the texts of a window, so that weights follow the news of the
days; nothing is trained. Texts are stored as packed counts and weighed anew for each window.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

from dedup.similarity.events.tfidf_words import STOP_WORDS, WORD_OR_NUMBER, fold
from dedup.similarity.sentences import MIN_SENTENCE_CHARACTERS, sentence_hash
from extraction.text.comparable import comparable
from extraction.text.sentences import split_sentences

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

# News says at the top what happened; from there on background of earlier events prevails.
# Events of the development set by plain cosine: F1 at best 94.6 with 700 characters, 95.3 with
# 1,200, 98.9 with 2,500; 1,600 keeps what is stored small.
LEAD_CHARACTERS = 1600
# One byte a word is stored: how often it occurs, and in the two upper bits where.
_MAX_COUNT = 0x3F
# The word stands in the title or the first sentences; the text uses it as a name.
IN_OPENING, IS_NAME = 0x40, 0x80
# They say what happened; what follows tells more of it, and what led to it.
_OPENING_SENTENCES = 2
# Imaginary texts beside those of the window, of which each holds a word with this probability:
# keeps weights finite and in proportion while a window has a dozen texts.
_PRIOR_TEXTS, _PRIOR_SHARE = 200, 0.01
# A word is specific from this weight on: in a window of many texts, when 1 of 33 or fewer has it.
SPECIFIC_WEIGHT = 3.5
# Two texts that share fewer specific words have a likeness below any limit in use.
MIN_SHARED = 3
# Of the texts that share the most specific words so many are compared: bounds a look-up whatever
# the window holds.
MAX_COMPARED = 1000
# Evidence: likeness is damped by (m / (m + 8))² with m shared specific words (significance
# weighting, Herlocker et al. 1999). At equal recall of events (80 % of the pairs) cosine and shared
# words together let through a quarter of the other pairs that the cosine alone lets through.
_DAMPING = 8.0
# Numbers are told from words by their hash. They are weighed, so that tables of figures (results,
# prices) are unlike with all their common words, but never count as shared: they agree by chance.
# Counted as well, the same recall of events takes in a tenth more of the other texts.
_NUMBERS_FROM = 0xFF000000


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a text's title and lead.

    `hashes` are distinct and ascending, uint32[n]; `counts` says how often each occurs, 63 for
    more, uint8[n]; `marks` are `IN_OPENING` and `IS_NAME`, uint8[n].
    """

    hashes: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint8]
    marks: npt.NDArray[np.uint8]

    def packed(self) -> bytes:
        """Give the bytes that `unpacked` reads: hashes little endian, then counts with marks."""
        return self.hashes.astype("<u4").tobytes() + (self.counts | self.marks).tobytes()


def unpacked(packed: bytes) -> Terms:
    """Read what `Terms.packed` gave; bytes of another length than a multiple of five are refused.

    Raises
    ------
    ValueError
        For bytes that no text was packed into.
    """
    n, rest = divmod(len(packed), 5)
    if rest:
        message = f"{len(packed)} bytes are no packed terms"
        raise ValueError(message)
    last = np.frombuffer(packed, np.uint8, n, offset=4 * n)
    hashes = np.frombuffer(packed, "<u4", n).astype(np.uint32)
    return Terms(hashes, last & np.uint8(_MAX_COUNT), last & np.uint8(IN_OPENING | IS_NAME))


def lead_of(text: str) -> str:
    """Give the beginning of a text that is compared, cut at a blank."""
    if len(text) <= LEAD_CHARACTERS:
        return text
    return text[: LEAD_CHARACTERS + 1].rpartition(" ")[0] or text[:LEAD_CHARACTERS]


def lead_hashes(text: str) -> list[int]:
    """Give the keys of the lead's sentences, as `sentences.py` makes them."""
    lead = lead_of(text)
    normalized = (comparable(lead[start:end]) for start, end in split_sentences(lead))
    return [sentence_hash(words) for words in normalized if len(words) >= MIN_SENTENCE_CHARACTERS]


def terms(title: str, text: str, recurring: Container[int] = frozenset()) -> Terms:
    """Count the words of a title and of the beginning of a text.

    Parameters
    ----------
    title, text
        As stored; either may be empty. Lone surrogates are taken as any other sign.
    recurring
        Keys of sentences that stand in other texts as well, such as the standing sentences of a
        column: they are left out, since they tell nothing of the event.

    Returns
    -------
    Terms
        Without stop words, single letters and digits.

    Notes
    -----
    O(LEAD_CHARACTERS). Different words share a hash with a chance of 2⁻³²: harmless here.
    """
    lead = lead_of(text)
    kept = [lead[start:end] for start, end in split_sentences(lead)]
    if recurring:
        kept = [part for part in kept if sentence_hash(comparable(part)) not in recurring]
    counted: Counter[str] = Counter()
    marks: defaultdict[str, int] = defaultdict(int)
    for word, _ in _words_of(title):
        counted[word] += 1
        marks[word] |= IN_OPENING
    for number, sentence in enumerate(kept):
        place = IN_OPENING if number < _OPENING_SENTENCES else 0
        for word, is_name in _words_of(sentence):
            counted[word] += 1
            marks[word] |= place | (IS_NAME if is_name else 0)
    by_hash = {_hash(word): word for word in counted}
    hashes = sorted(by_hash)
    words = [by_hash[key] for key in hashes]
    return Terms(
        np.array(hashes, np.uint32),
        np.array([min(counted[word], _MAX_COUNT) for word in words], np.uint8),
        np.array([marks[word] for word in words], np.uint8),
    )


def _words_of(sentence: str) -> Iterator[tuple[str, bool]]:
    """Give each word that may tell of an event, folded, and whether it is written as a name.

    A word that begins a sentence is one when another of the kind follows, or it is in capitals.
    """
    found = WORD_OR_NUMBER.findall(sentence)
    is_before_name = len(found) > 1 and found[1][0].isupper()
    for number, written in enumerate(found):
        word = fold(written)
        if len(word) > 1 and word not in STOP_WORDS:
            stands_out = number > 0 or written[1:].isupper() or is_before_name
            yield word, written[0].isupper() and stands_out


def _hash(word: str) -> int:
    if word[0].isdecimal():
        return _NUMBERS_FROM | (_digest(word.replace(",", "")) & 0xFFFFFF)
    key = _digest(word) & 0xFFFFFFFF
    return key if key < _NUMBERS_FROM else key ^ 0x80000000


def _digest(word: str) -> int:
    digest: int = xxhash.xxh3_64_intdigest(word.encode("utf-8", "surrogatepass"))
    return digest


@dataclass(frozen=True, slots=True)
class Likeness:
    """Texts that are like one text.

    `places` in the window, int64[n]; `cosines` of the weighted words and `likenesses`, that is the
    cosines damped where few specific words are shared, float32[n], from 0 to 1.
    """

    places: Ints
    cosines: Floats
    likenesses: Floats


class WeighedTexts:
    """The texts of a window, each as a vector of unit length, with lists of who holds a word.

    Parameters
    ----------
    texts
        At most some 100,000: 13 bytes a word are held, and more while they are sorted: a pass over
        100,000 texts of 64 words took 566 MB in all.

    Notes
    -----
    Weight of a word in a text: (1 + log count) · log((N + 200) / (df + 2)). Building takes
    O(n log n) for n words in all; a look-up the length of the specific words' lists.
    """

    def __init__(self, texts: Sequence[Terms]) -> None:
        n_texts = len(texts)
        lengths = np.array([len(text.hashes) for text in texts], np.int64)
        self.starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        hashes = np.concatenate([text.hashes for text in texts] or [np.zeros(0, np.uint32)])
        counts = np.concatenate([text.counts for text in texts] or [np.zeros(0, np.uint8)])
        self.marks = np.concatenate([text.marks for text in texts] or [np.zeros(0, np.uint8)])
        vocabulary, words = np.unique(hashes, return_inverse=True)
        self.words = words.astype(np.int32)
        frequencies = np.bincount(self.words, minlength=len(vocabulary))
        idf = np.log((n_texts + _PRIOR_TEXTS) / (frequencies + _PRIOR_TEXTS * _PRIOR_SHARE))
        self.idf = idf.astype(np.float32)
        # The weight that a word of a single text would have.
        self.highest_idf = float(
            np.log((n_texts + _PRIOR_TEXTS) / (1 + _PRIOR_TEXTS * _PRIOR_SHARE))
        )
        owners = np.repeat(np.arange(n_texts, dtype=np.int32), lengths)
        weights = (1 + np.log(counts.astype(np.float32))) * self.idf[self.words]
        norms = np.sqrt(np.bincount(owners, weights * weights, minlength=n_texts))
        self.weights = (weights / np.maximum(norms, 1e-9)[owners]).astype(np.float32)
        self.is_number = vocabulary >= _NUMBERS_FROM
        self.is_specific = ~self.is_number & (self.idf >= SPECIFIC_WEIGHT) & (frequencies > 1)
        self._hold(owners, frequencies)
        self._vector = np.zeros(len(vocabulary), np.float32)
        self._n_texts = n_texts

    def _hold(self, owners: npt.NDArray[np.int32], frequencies: Ints) -> None:
        """Sort the texts by specific word: `_holders[_first[w]:_first[w + 1]]` hold word w."""
        is_listed = self.is_specific[self.words]
        order = np.argsort(self.words[is_listed], kind="stable")
        self._holders = owners[is_listed][order]
        listed = np.where(self.is_specific, frequencies, 0)
        self._first = np.concatenate([np.zeros(1, np.int64), np.cumsum(listed)])

    def like(self, place: int) -> Likeness:
        """Find the texts that share specific words with the text at a place, itself left out."""
        words = self.words[self.starts[place] : self.starts[place + 1]]
        specific = words[self.is_specific[words]]
        lists = [self._holders[self._first[word] : self._first[word + 1]] for word in specific]
        if not lists:
            nothing = np.zeros(0, np.float32)
            return Likeness(np.zeros(0, np.int64), nothing, nothing)
        n_shared = np.bincount(np.concatenate(lists), minlength=self._n_texts)
        n_shared[place] = 0
        places = np.flatnonzero(n_shared >= MIN_SHARED)
        if len(places) > MAX_COMPARED:
            best = np.argsort(-n_shared[places], kind="stable")[:MAX_COMPARED]
            places = np.sort(places[best])
        cosines = self._cosines(place, places)
        evidence = n_shared[places] / (n_shared[places] + _DAMPING)
        return Likeness(places, cosines, (cosines * evidence**2).astype(np.float32))

    def cells_of(self, places: Ints) -> tuple[Ints, Ints]:
        """Give where the words of some texts stand, one text after the other, and how many each."""
        starts, lengths = self.starts[places], self.starts[places + 1] - self.starts[places]
        ends = np.cumsum(lengths)
        n_cells = ends[-1] if len(ends) else 0
        return np.arange(n_cells) + np.repeat(starts - (ends - lengths), lengths), lengths

    def _cosines(self, place: int, places: Ints) -> Floats:
        own = slice(self.starts[place], self.starts[place + 1])
        cells, lengths = self.cells_of(places)
        ends = np.cumsum(lengths)
        self._vector[self.words[own]] = self.weights[own]
        products = self._vector[self.words[cells]] * self.weights[cells]
        self._vector[self.words[own]] = 0
        if not len(places):
            return np.zeros(0, np.float32)
        sums: Floats = np.add.reduceat(products, ends - lengths).astype(np.float32)
        return sums
