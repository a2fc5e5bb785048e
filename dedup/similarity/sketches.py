"""Sketches: a text → the hashes by which it is found and compared.

Sampled 5-grams of words are the fingerprints (Manber 1994; at least the smallest few, as in
Broder 1997), all 3-grams the shingles. The words themselves, in order, say how shared stretches
lie in the text, and which of the words are facts.
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

Hashes = npt.NDArray[np.uint64]
Fingerprints = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]

FINGERPRINT_WORDS = 5
SHINGLE_WORDS = 3
# One 5-gram in eight, at least sixteen: 37 a text of the development set. At one in sixteen (25)
# a point of recall goes, at one in four (69) nothing is won.
SAMPLED = 1 / 8
MIN_FINGERPRINTS = 16
# A book is found by its smallest fingerprints.
MAX_FINGERPRINTS = 512
# What follows in a very long text is not compared: 5 MB stay cheap.
MAX_CHARACTERS = 1_000_000

_WORD = re.compile(r"\w+")
_SOFT_HYPHEN = "\N{SOFT HYPHEN}"
# Constants of SplitMix64 (Steele, Lea & Flood 2014).
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A text as it is found and compared.

    Attributes
    ----------
    fingerprints
        Distinct sampled 5-gram hashes, ascending; int64 of shape (k,), as databases store them.
    shingles
        Distinct 3-gram hashes, ascending; uint64 of shape (n,).
    words
        Hashes of the words in order, without case; uint64 of shape (n_words,).
    numbers, facts
        Which words have a digit; which have one or begin with a capital: bool of shape (n_words,).
    """

    fingerprints: Fingerprints
    shingles: Hashes
    words: Hashes
    numbers: Marks
    facts: Marks

    @property
    def n_words(self) -> int:
        """Words of the text, repetitions included."""
        return len(self.words)


def sketch(text: str) -> Sketch:
    r"""Reduce a text to its sketch.

    Parameters
    ----------
    text
        Any text; only the first `MAX_CHARACTERS` count.

    Returns
    -------
    Sketch
        Case, punctuation, white space, soft hyphens and compatibility forms (NFKC) make no
        difference, save that capitals mark facts. A text without words has an empty sketch; one of
        fewer words than an n-gram has a single n-gram of all of them.

    Notes
    -----
    Linear in the length; the same on every machine and in every process.

    Examples
    --------
    >>> one, other = sketch("The braai is off."), sketch("the  braai\nis OFF")
    >>> (one.fingerprints == other.fingerprints).all(), one.n_words, len(one.shingles)
    (np.True_, 4, 2)
    """
    words = _WORD.findall(_composed(text[:MAX_CHARACTERS]))
    hashed = np.fromiter((_word_hash(word) for word in words), np.uint64, len(words))
    numbers = np.fromiter((_has_digit(word) for word in words), np.bool_, len(words))
    capitals = np.fromiter((word[0].isupper() for word in words), np.bool_, len(words))
    return Sketch(
        _fingerprints(hashed), np.unique(shingles(hashed)), hashed, numbers, numbers | capitals
    )


def shingles(words: Hashes) -> Hashes:
    """Hash each run of `SHINGLE_WORDS` words, in order; a shorter text is one run."""
    return _grams(words, SHINGLE_WORDS)


def _composed(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.replace(_SOFT_HYPHEN, ""))


def _word_hash(word: str) -> int:
    unsigned: int = xxhash.xxh3_64_intdigest(word.casefold().encode("utf-8", "surrogatepass"))
    return unsigned


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(character.isdigit() for character in word)


def _fingerprints(words: Hashes) -> Fingerprints:
    grams = np.unique(_grams(words, FINGERPRINT_WORDS))
    n_sampled = int(np.searchsorted(grams, np.uint64(2**64 * SAMPLED)))
    n_kept = min(max(n_sampled, MIN_FINGERPRINTS), MAX_FINGERPRINTS)
    return np.sort(grams[:n_kept].view(np.int64))


def _grams(words: Hashes, n: int) -> Hashes:
    if not len(words):
        return words
    n = min(n, len(words))
    n_grams = len(words) - n + 1
    mixed = np.zeros(n_grams, np.uint64)
    for offset in range(n):
        mixed = _mixed(mixed + words[offset : n_grams + offset])
    return mixed


def _mixed(values: Hashes) -> Hashes:
    """Spread 64-bit values evenly (the finalizer of SplitMix64); arithmetic is modulo 2^64."""
    values = values + _STEP
    values ^= values >> np.uint64(30)
    values *= _FIRST
    values ^= values >> np.uint64(27)
    values *= _SECOND
    return values ^ (values >> np.uint64(31))
