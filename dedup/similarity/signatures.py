"""Signatures: a text → the hashes by which it is found and compared.

Sampled 4-grams of words are the fingerprints (Manber 1994; at least the smallest few, as in
Broder 1997), all 3-grams the shingles. The words themselves, in order, say how shared stretches
lie in the text, and which of the words are facts.
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash
from propcache.api import cached_property

Hashes = npt.NDArray[np.uint64]
Fingerprints = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]

FINGERPRINT_WORDS = 4
SHINGLE_WORDS = 3
# One 4-gram in fourteen, at least sixteen: 24 a text of the development set. They find more than
# one 5-gram in eight (37) in two thirds of the rows; one in sixteen (22) finds a little less.
SAMPLED = 1 / 14
MIN_FINGERPRINTS = 16
# A book is found by its smallest fingerprints.
MAX_FINGERPRINTS = 512
# What follows in a very long text is not compared: 5 MB stay cheap.
MAX_CHARACTERS = 1_000_000

# Word forms that are remembered: nine in ten words of a text, some 15 MB.
_WORDS_KEPT = 1 << 16

# What is longer is cut into words: the memory of forms stays small whatever a text holds.
_LONGEST_WORD = 64
_WORD = re.compile(rf"\w{{1,{_LONGEST_WORD}}}")
# In a text of ASCII letters words are cut three times as fast by making all else blanks.
_BLANKED = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
# The signs for which English texts are not ASCII; none is part of a word.
_PRINTERS_SIGNS = "‘’“”–—…\N{NO-BREAK SPACE}"
_SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_FORM = np.dtype([("hash", "<u8"), ("kind", "u1")])
_IS_NUMBER, _IS_FACT = 1, 2
# Constants of SplitMix64 (Steele, Lea & Flood 2014).
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


@dataclass(frozen=True, eq=False)
class Signature:
    """A text as it is found and compared.

    Attributes
    ----------
    fingerprints
        Distinct sampled 4-gram hashes, ascending; int64 of shape (k,), as databases store them.
    shingles
        Distinct 3-gram hashes, ascending; uint64 of shape (n,).
    in_order
        The 3-gram hashes in the order of the text, repetitions included.
    words
        Hashes of the words in order, without case; uint64 of shape (n_words,).
    numbers, facts
        Which words have a digit; which have one or begin with a capital: bool of shape (n_words,).
    """

    fingerprints: Fingerprints
    shingles: Hashes
    in_order: Hashes
    words: Hashes
    numbers: Marks
    facts: Marks

    @property
    def n_words(self) -> int:
        """Words of the text, repetitions included."""
        return len(self.words)

    @cached_property
    def vocabulary(self) -> Hashes:
        """Distinct words, ascending."""
        return distinct(self.words)

    @cached_property
    def distinct_numbers(self) -> Hashes:
        """Distinct words with a digit, ascending."""
        return distinct(self.words[self.numbers])

    @cached_property
    def distinct_facts(self) -> Hashes:
        """Distinct facts, ascending."""
        return distinct(self.words[self.facts])


def signature(text: str) -> Signature:
    r"""Reduce a text to its signature.

    Parameters
    ----------
    text
        Any text; only the first `MAX_CHARACTERS` count.

    Returns
    -------
    Signature
        Case, punctuation, white space, soft hyphens and compatibility forms (NFKC) make no
        difference, save that capitals mark facts. A text without words has an empty signature;
        one of fewer words than an n-gram has a single n-gram of all of them.

    Notes
    -----
    Linear in the length; the same on every machine and in every process.

    Examples
    --------
    >>> one, other = signature("The braai is off."), signature("the  braai\nis OFF")
    >>> (one.fingerprints == other.fingerprints).all(), one.n_words, len(one.shingles)
    (np.True_, 4, 2)
    """
    forms = b"".join(map(_FORMS.__getitem__, _cut(text[:MAX_CHARACTERS])))
    read = np.frombuffer(forms, _FORM)
    words, kinds = read["hash"].astype(np.uint64), read["kind"]
    in_order = shingles(words)
    return Signature(
        _fingerprints(words, in_order),
        distinct(in_order),
        in_order,
        words,
        (kinds & _IS_NUMBER) != 0,
        (kinds & _IS_FACT) != 0,
    )


def distinct(hashes: Hashes) -> Hashes:
    """Sort and drop repetitions; for a few hundred values many times faster than `np.unique`."""
    ascending = np.sort(hashes)
    is_first = np.ones(len(ascending), np.bool_)
    is_first[1:] = ascending[1:] != ascending[:-1]
    return ascending[is_first]


def shingles(words: Hashes) -> Hashes:
    """Hash each run of `SHINGLE_WORDS` words, in order; a shorter text is one run."""
    n = min(SHINGLE_WORDS, len(words))
    n_runs = len(words) - n + 1 if n else 0
    mixed = np.zeros(n_runs, np.uint64)
    for offset in range(n):
        mixed = _mixed(mixed, words[offset : n_runs + offset])
    return mixed


class _Forms(dict[str, bytes]):
    """Word forms with hash and kind as the bytes of a `_FORM`; begun anew when it is full.

    A word that is too long is that of its pieces, and is not kept.
    """

    def __missing__(self, word: str) -> bytes:
        if len(word) > _LONGEST_WORD:
            pieces = range(0, len(word), _LONGEST_WORD)
            return b"".join(_read(word[start : start + _LONGEST_WORD]) for start in pieces)
        if len(self) >= _WORDS_KEPT:
            self.clear()
        form = self[word] = _read(word)
        return form


_FORMS = _Forms()


def forget_words() -> None:
    """Let all word forms go that are remembered."""
    _FORMS.clear()


def _read(word: str) -> bytes:
    """Hash a word; tell whether it is a number and whether it is a fact."""
    unsigned = xxhash.xxh3_64_intdigest(word.casefold().encode("utf-8", "surrogatepass"))
    is_number = not word.isalpha() and any(character.isdigit() for character in word)
    kind = _IS_NUMBER * is_number | _IS_FACT * (is_number or word[0].isupper())
    return unsigned.to_bytes(8, "little") + bytes([kind])


def _cut(text: str) -> list[str]:
    """Cut into words, which in a text of ASCII letters may still be too long."""
    if not text.isascii():
        text = text.replace(_SOFT_HYPHEN, "")
        for sign in _PRINTERS_SIGNS:
            text = text.replace(sign, " ")
    if text.isascii():
        return text.translate(_BLANKED).split()
    # One sign may become eighteen.
    return _WORD.findall(unicodedata.normalize("NFKC", text)[:MAX_CHARACTERS])


def _fingerprints(words: Hashes, in_order: Hashes) -> Fingerprints:
    """Sample the 4-grams, which are shingles and one word more."""
    n_more = max(0, min(FINGERPRINT_WORDS, len(words)) - SHINGLE_WORDS)
    mixed = in_order[: len(in_order) - n_more]
    for offset in range(SHINGLE_WORDS, SHINGLE_WORDS + n_more):
        mixed = _mixed(mixed, words[offset : len(mixed) + offset])
    grams = distinct(mixed)
    n_sampled = int(np.searchsorted(grams, np.uint64(2**64 * SAMPLED)))
    n_kept = min(max(n_sampled, MIN_FINGERPRINTS), MAX_FINGERPRINTS)
    return np.sort(grams[:n_kept].view(np.int64))


def _mixed(values: Hashes, words: Hashes) -> Hashes:
    """Take in a word and spread evenly (SplitMix64's finalizer); arithmetic is modulo 2^64."""
    mixed = values + words
    mixed += _STEP
    mixed ^= mixed >> _SHIFTS[0]
    mixed *= _FIRST
    mixed ^= mixed >> _SHIFTS[1]
    mixed *= _SECOND
    mixed ^= mixed >> _SHIFTS[2]
    return mixed
