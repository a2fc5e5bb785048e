"""Scores of one extracted page against a reference text.

Four ways to count, side by side: bags of four-word shingles (the article extraction benchmark's
F1), three outcomes (accurate, with extra text, missed), bags of words weighed by bytes, and lines
of the page as members of the content class.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")

SHINGLE_WORDS = 4  # as the article extraction benchmark counts
# What a reader would not notice: up to this share of words may be missing or too many before a
# page stops being accurate (the source judged pages by eye; strictly equal texts are `is_exact`).
TOLERANCE = 0.02
_WORDS = re.compile(r"\w+")
# Scripts without blanks count character by character.
_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKENS = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
# Soft hyphen, zero-width signs, word joiner, byte-order mark: no reader sees them.
_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])


class PageOutcome(StrEnum):
    """What became of a page."""

    ACCURATE = "accurate"  # the article
    EXTRA = "extra"  # the whole article and more
    MISSED = "missed"  # incomplete, or something else


@dataclass(frozen=True, slots=True)
class WordOverlap:
    """Sizes of what was found, what was wanted, and what both have in common."""

    common: int
    found: int
    wanted: int

    @property
    def precision(self) -> float | None:
        """Share of what was found that was wanted; None where nothing was found."""
        return self.common / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Share of what was wanted that was found; None where nothing was wanted."""
        return self.common / self.wanted if self.wanted else None


@dataclass(frozen=True, slots=True)
class TextScores:
    """One text against its reference."""

    shingles: WordOverlap
    is_exact: bool  # the same words in the same order
    outcome: PageOutcome
    html_bytes: WordOverlap


@dataclass(frozen=True, slots=True)
class SegmentScores:
    """Wanted and unwanted strings, found or not."""

    wanted_found: int
    unwanted_found: int
    wanted_missed: int
    unwanted_missed: int


def tokens_of(text: str, *, as_published: bool = False) -> list[str]:
    r"""Words of a text, case kept.

    `as_published` counts `\w+` as the benchmark's own pages do; otherwise the text is NFC without
    invisible characters and each character of a script without blanks is a word.

    Examples
    --------
    >>> tokens_of("Soft\u00adware 新聞")
    ['Software', '新', '聞']
    """
    if as_published:
        return _WORDS.findall(text)
    return _TOKENS.findall(unicodedata.normalize("NFC", text).translate(_INVISIBLE))


def score_text(reference: str, text: str, *, as_published: bool = False) -> TextScores:
    """Score a text against a reference; both may be empty. Linear in both."""
    wanted = tokens_of(reference, as_published=as_published)
    found = tokens_of(text, as_published=as_published)
    words = _overlap(Counter(wanted), Counter(found))
    return TextScores(
        shingles=_overlap(shingles(wanted), shingles(found)),
        is_exact=wanted == found,
        outcome=_outcome(words),
        html_bytes=_overlap_in_bytes(Counter(wanted), Counter(found)),
    )


def score_lines(wanted: Collection[int], kept: Collection[int]) -> WordOverlap:
    """Content class: positions of lines that are content against those that were kept."""
    wanted, kept = set(wanted), set(kept)
    return WordOverlap(len(wanted & kept), len(kept), len(wanted))


def score_segments(wanted: Sequence[str], unwanted: Sequence[str], text: str) -> SegmentScores:
    """Which of the strings stand in the text, white space collapsed on both sides."""
    collapsed = " ".join(text.split())
    found = sum(" ".join(segment.split()) in collapsed for segment in wanted)
    mistaken = sum(" ".join(segment.split()) in collapsed for segment in unwanted)
    return SegmentScores(found, mistaken, len(wanted) - found, len(unwanted) - mistaken)


def shingles(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
    """Bag of runs of four words; a shorter text is one shingle."""
    if not tokens:
        return Counter()
    n_shingles = max(1, len(tokens) - SHINGLE_WORDS + 1)
    return Counter(tuple(tokens[start : start + SHINGLE_WORDS]) for start in range(n_shingles))


def _outcome(words: WordOverlap) -> PageOutcome:
    if (words.recall or 0.0) < 1.0 - TOLERANCE:
        return PageOutcome.MISSED
    is_clean = (words.precision or 0.0) >= 1.0 - TOLERANCE
    return PageOutcome.ACCURATE if is_clean else PageOutcome.EXTRA


def _overlap(wanted: Counter[T], found: Counter[T]) -> WordOverlap:
    return WordOverlap((wanted & found).total(), found.total(), wanted.total())


def _overlap_in_bytes(wanted: Counter[str], found: Counter[str]) -> WordOverlap:
    """Sizes in bytes as HTML, the same unit on all sides."""
    return WordOverlap(_n_bytes(wanted & found), _n_bytes(found), _n_bytes(wanted))


def _n_bytes(words: Counter[str]) -> int:
    return sum(
        count * len(html.escape(word).encode("utf-8", "replace")) for word, count in words.items()
    )
