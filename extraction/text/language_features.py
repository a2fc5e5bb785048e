"""What the language model sees of a text: hashed byte n-grams and words of its letters.

Texts in, bucket numbers out, for any number of texts in the same few numpy calls: paragraphs of an
article cost hardly more than the article. Byte 3- to 5-grams of lower-cased letters with one blank
for whatever lies between them (Cavnar and Trenkle 1994; hashing as in Weinberger et al. 2009), and
whole words: what is longer than five letters is a feature of its own too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

# Buckets of the shipped model, and the n-grams that are hashed into them.
BUCKET_BITS = 17
ORDERS = (3, 4, 5)

_NOT_LETTERS = re.compile(r"[\W\d_]+")
# The signs beyond ASCII that newspapers use most.
_TYPOGRAPHY = "‘’“”–—…\u00a0"
_PLAIN_LETTERS = bytes(ord(chr(k).lower()) if chr(k).isalpha() else 0x20 for k in range(128)) + (
    b" " * 128
)
# FNV-1a's prime (32 bits), 2^32 / golden ratio (Knuth), and a constant of MurmurHash3 that tells
# whole words from n-grams.
_FNV_PRIME = np.uint32(0x01000193)
_MIX = np.uint32(0x9E3779B1)
_WORD_SALT = np.uint32(0x85EBCA6B)
_SHIFT = np.uint32(32 - BUCKET_BITS)
_BLANK = 0x20
_FIRST = np.zeros((1, 1), dtype=np.int64)
_SPARE = np.zeros(1, dtype=np.uint32)

Buckets = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Features:
    """The features of some texts, by kind: n-grams of each order, then words.

    `buckets` holds one number for each place of a kind (byte for n-grams, word for words), kind
    behind kind, and a spare one at the end; those of kind k and text i are
    buckets[starts[k, i]:ends[k, i]], and what lies between two texts is of none.
    """

    buckets: Buckets
    starts: Places
    ends: Places

    def sums(self, rows: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
        """Add up rows (buckets x columns) by text: an array (texts x columns)."""
        n_kinds, n_texts = self.starts.shape
        edges = np.empty(2 * self.starts.size, dtype=np.int64)
        edges[::2] = self.starts.ravel()
        edges[1::2] = self.ends.ravel()
        added = np.add.reduceat(rows.take(self.buckets, axis=0), edges, axis=0, dtype=np.int32)
        # An empty range gives the row at its place instead of nothing.
        added = added[::2] * (self.ends > self.starts).reshape(-1, 1)
        return np.asarray(added.reshape(n_kinds, n_texts, -1).sum(axis=0, dtype=np.int32))


def letters_of(text: str) -> str:
    """Lower-cased letters of a text, one blank for whatever lies between them; none at its ends."""
    if not text.isascii():
        for sign in _TYPOGRAPHY:
            text = text.replace(sign, " ")
    if text.isascii():  # four times as fast as the pattern
        return b" ".join(text.encode("ascii").translate(_PLAIN_LETTERS).split()).decode("ascii")
    return _NOT_LETTERS.sub(" ", text.lower()).strip()


def features(texts: Sequence[str]) -> Features:
    """Hash the n-grams of each order and the words of several texts.

    Parameters
    ----------
    texts
        What `letters_of` returns; empty texts have no features.

    Returns
    -------
    Features
        Linear in the number of letters.
    """
    parts = [f" {text} ".encode() for text in texts]
    data = np.frombuffer(b"".join(parts), dtype=np.uint8)
    codes = data.astype(np.uint32)
    hashes, word_starts = _word_hashes(codes)
    kinds = [*_ngram_hashes(codes), hashes]
    buckets = np.concatenate([*kinds, _SPARE]) >> _SHIFT
    if len(texts) == 1:  # all of them are of the one text: half the work of an article
        return Features(buckets, _FIRST, np.array([[len(buckets) - 1 if texts[0] else 0]]))
    ends = np.fromiter(accumulate(map(len, parts)), dtype=np.int64, count=len(parts))
    starts = np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1]))
    first, last, offset = [], [], 0
    for kind, order in zip(kinds[:-1], ORDERS, strict=True):
        end = np.minimum(np.maximum(ends - (order - 1), starts), len(kind))
        first.append(np.minimum(starts, end) + offset)
        last.append(end + offset)
        offset += len(kind)
    begin = np.searchsorted(word_starts, starts + 1)
    first.append(begin + offset)
    last.append(np.maximum(np.searchsorted(word_starts, ends - 1), begin) + offset)
    return Features(buckets, np.stack(first), np.stack(last))


def _ngram_hashes(codes: Buckets) -> list[Buckets]:
    """Hash the byte n-grams of each order, at each place."""
    found = []
    rolling = codes
    for order in range(2, ORDERS[-1] + 1):
        rolling = rolling[:-1] * _FNV_PRIME ^ codes[order - 1 :]
        if order >= ORDERS[0]:
            found.append((rolling + np.uint32(order) * _FNV_PRIME) * _MIX)
    return found


def _word_hashes(codes: Buckets) -> tuple[Buckets, Places]:
    """Hash whole words, a polynomial of their bytes from running sums; where each begins.

    Between two texts stand two blanks, and an empty word between these.
    """
    blanks = np.flatnonzero(codes == _BLANK)
    first, last = blanks[:-1] + 1, blanks[1:]
    powers, inverses = _powers(1 << max(12, len(codes).bit_length()))
    sums = np.zeros(len(codes) + 1, dtype=np.uint32)
    np.cumsum(codes * powers[: len(codes)], dtype=np.uint32, out=sums[1:])
    hashes = ((sums[last] - sums[first]) * inverses[first] + _WORD_SALT) * _MIX
    return (hashes ^ (hashes >> np.uint32(15))) * _FNV_PRIME, first


@cache
def _powers(size: int) -> tuple[Buckets, Buckets]:
    """Powers of an odd number modulo 2^32, and their inverses."""
    base = int(_FNV_PRIME)
    inverse = pow(base, -1, 1 << 32)
    return _power_row(base, size), _power_row(inverse, size)


def _power_row(base: int, size: int) -> Buckets:
    row = np.full(size, base, dtype=np.uint32)
    row[0] = 1
    return np.cumprod(row, dtype=np.uint32)
