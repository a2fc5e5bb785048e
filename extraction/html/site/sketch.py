"""What a site learns of one page: keys of its lines and places, and a sketch of its text.

Outline → `LineKeys` (one row a line) → `PageSketch`, a few kilobytes that can be kept until the
site's knowledge takes them up. Keys are hashes, the same on every machine; digits and case do not
count, so that a counter or a date makes no new line.
"""

from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

from extraction.html.markup.outline import Outline
from extraction.text.plain_words import plain

Keys = npt.NDArray[np.uint64]

# A place is the element of a line with this many ancestors, by tags and class names.
_PLACE_LEVELS = 3
# Lines of this length recur by design wherever on the page they stand; shorter ones ("Photo:
# Reuters") count as the same line only in the same place.
LONG_LINE_CHARACTERS = 100
# Broder's bottom-k sketch (1997) over runs of 16 characters: language-neutral and cheap.
N_MINIMA = 16
_RUN_CHARACTERS = 16
_MAX_CHARACTERS = 1_000_000  # as many as are kept of an article
_ENOUGH_RUNS = 8 * N_MINIMA  # of the smallest, since a text may repeat itself
_RUN_BASE = np.uint64(0x100000001B3)  # the FNV prime, odd
# Pages whose texts share this part of their minima are one article under two addresses: half under
# one headline, else nearly all (a short article above a long notice resembles its neighbours).
_SAME_SHARE = 0.5
_SAME_SHARE_UNTITLED = 0.9
# 2^64 / golden ratio, odd (Knuth's multiplicative hashing).
_SPREAD, _ALL_BITS = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
_MIX = np.uint64(_SPREAD)
_DIGITS = b"0123456789"
# Of a text's characters neither blanks and digits nor dashes and quotation marks count.
_FIRST_LETTER = ord("A")
_PUNCTUATION_BLOCK = 0x20  # U+2000 to U+20FF


@dataclass(frozen=True, slots=True)
class LineKeys:
    """Keys of a page's lines, arrays of shape (n_lines,)."""

    lines: Keys  # text in its place
    texts: Keys  # text anywhere; 0 for lines below `LONG_LINE_CHARACTERS`
    places: Keys
    lengths: npt.NDArray[np.uint16]  # characters, cut at 65 535


@dataclass(frozen=True, slots=True)
class TextSketch:
    """Minima of a text's runs, ascending, at most `N_MINIMA`; and its headline's key."""

    minima: Keys
    title: int = 0

    def is_same_article(self, minima: Keys, title: int) -> bool:
        """Whether another text is this article under another address."""
        shared = np.isin(self.minima, minima).sum()
        least = min(len(self.minima), len(np.trim_zeros(minima)))
        share = _SAME_SHARE if title and title == self.title else _SAME_SHARE_UNTITLED
        return bool(least and shared >= share * least)


@dataclass(frozen=True, slots=True)
class PageSketch:
    """All that is learnt of one page."""

    keys: LineKeys
    probabilities: npt.NDArray[np.float32]  # the line model's own, before the site was asked
    text: TextSketch
    names: tuple[str, ...] = ()  # pieces of its titles, see `titles`


def line_keys(outline: Outline) -> LineKeys:
    """Keys of the lines of a page; linear in its characters."""
    known: dict[tuple[int, str, str], int] = {}
    found = []
    for line in outline.lines:
        node = line.node
        kind = (outline.parents[node], outline.tags[node], outline.classes[node])
        place = known.get(kind)
        if place is None:
            place = known[kind] = _place(outline, node)
        found.append(place)
    places = np.array(found, dtype=np.uint64)
    texts = np.array([_hash(line.text) for line in outline.lines], dtype=np.uint64)
    lengths = np.array([len(line.text) for line in outline.lines], dtype=np.int64)
    return LineKeys(
        texts ^ places,
        np.where(lengths >= LONG_LINE_CHARACTERS, texts, np.uint64(0)),
        places,
        np.minimum(lengths, 0xFFFF).astype(np.uint16),
    )


def sketch_text(texts: list[str], title: str) -> TextSketch:
    """Sketch of an article's lines; empty for a text shorter than one run."""
    key = plain(title)
    title_key = crc32(key.encode()) if key else 0
    folded = "".join(texts)[:_MAX_CHARACTERS].casefold().encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(folded, dtype=np.uint32)
    codes = codes[(codes >= _FIRST_LETTER) & ((codes >> np.uint32(8)) != _PUNCTUATION_BLOCK)]
    n_runs = len(codes) - _RUN_CHARACTERS + 1
    if n_runs < 1:
        return TextSketch(np.zeros(0, np.uint64), title_key)
    runs = np.zeros(n_runs, dtype=np.uint64)
    for offset in range(_RUN_CHARACTERS):
        runs = runs * _RUN_BASE + codes[offset : offset + n_runs]
    mixed = (runs ^ (runs >> np.uint64(29))) * _MIX
    if n_runs > _ENOUGH_RUNS:
        mixed = np.partition(mixed, _ENOUGH_RUNS)[:_ENOUGH_RUNS]
    return TextSketch(np.unique(mixed)[:N_MINIMA], title_key)


def _place(outline: Outline, node: int) -> int:
    found = 0
    for _ in range(_PLACE_LEVELS):
        if node < 0:
            break
        found = (found * _SPREAD + _name(outline.tags[node], outline.classes[node])) & _ALL_BITS
        node = outline.parents[node]
    return found


@lru_cache(maxsize=4096)
def _name(tag: str, classes: str) -> int:
    return _hash(f"{tag}.{' '.join(sorted(classes.split()))}")


def _hash(text: str) -> int:
    """Hash to 48 bits, without case and digits: the CRC with the length; never 0."""
    data = text.casefold().encode("utf-8", "surrogatepass").translate(None, _DIGITS)
    return crc32(data) << 16 | len(data) & 0xFFFF | 1
