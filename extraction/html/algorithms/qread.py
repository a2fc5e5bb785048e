"""qRead: the densest segment of the page's lines, with the title as a second witness.

Lines of the source → segments between gaps of empty lines → the segment with most words a line.

References
----------
Y. Wang, J. Wang: qRead: A fast and accurate article extraction method from web pages using
partition features optimizations. KDIR 2015, 364-371.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extraction.html.algorithms.parameters import limited
from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.algorithms.source_lines import (
    BreakRules,
    SourceLine,
    block_breaks,
    outline_positions,
    source_lines,
)
from extraction.html.markup.outline import Outline

# Whole class words, so that "navy" is no menu.
_MENU_WORDS = frozenset(["menu", "nav"])
# Only these two leave a mark before all tags are deleted.
_SOURCE_BREAKS = BreakRules(after=frozenset(["p", "br"]))
_WORD = re.compile(r"\w+")
# Scripts without blanks: the source is silent; two characters count as a word.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_CHARACTERS_PER_WORD = 2
# Words that any headline and any paragraph share; the cosine leaves them out.
_STOP_NAMES = (
    "a an and are as at be but by for from has have in is it its not of on or that the this to was"
    " were will with"
)
_STOP_WORDS = frozenset(_STOP_NAMES.split())


@dataclass(frozen=True, slots=True)
class QReadParameters:
    """`gap_lines` is lambda of the source.

    The title test has no thresholds in the source. Words and closeness are ours; 0.5 for both
    shares gave, on every fourth development page, a mean F1 of .67 (zyte .69, fundus .71) instead
    of .79 (.81, .87).
    """

    gap_lines: int = limited(3, 1, 50)
    uses_title: bool = True
    short_words: int = limited(30, 0, 1000)
    close_share: float = limited(0.1, 0.0, 1.0)
    member_share: float = limited(0.3, 0.0, 1.0)
    cosine_share: float = limited(0.25, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class PageSegment:
    """Lines between two gaps; the first and the last are not empty."""

    lines: tuple[SourceLine, ...]  # the lines that are not empty
    n_words: float

    @property
    def density(self) -> float:
        """Words a line, d(S) = w(S) / l(S); empty lines do not count."""
        return self.n_words / len(self.lines)


def qread(page: ReadPage, parameters: QReadParameters) -> ScoredPage:
    """Segments of a page with their densities; the main one and those the title speaks for kept.

    Minified pages have no empty lines and would be one segment: their lines are broken at block
    borders first, and the remark says so.
    """
    outline = page.outline
    menus = _menus(outline)
    segments = segments_of(source_lines(outline, _SOURCE_BREAKS, menus), parameters.gap_lines)
    remark = ""
    if len(segments) < 2:
        lines = source_lines(outline, block_breaks(outline), menus)
        segments = segments_of(lines, parameters.gap_lines)
        remark = f"The source has no gaps; broken at blocks it has {len(segments)} segments."
    chosen = choose_segments(segments, page.title, parameters)
    blocks = (
        ScoredBlock(outline_positions(segment.lines, outline), segment.density, index in chosen)
        for index, segment in enumerate(segments)
    )
    return ScoredPage(tuple(block for block in blocks if block.lines), remark)


def segments_of(lines: Sequence[SourceLine], gap_lines: int) -> list[PageSegment]:
    """Cut wherever `gap_lines` or more empty lines follow each other."""
    segments: list[PageSegment] = []
    current: list[SourceLine] = []
    n_empty = 0
    for line in lines:
        if not line.text:
            n_empty += 1
            continue
        if n_empty >= gap_lines and current:
            segments.append(_segment(current))
            current = []
        current.append(line)
        n_empty = 0
    if current:
        segments.append(_segment(current))
    return segments


def choose_segments(
    segments: Sequence[PageSegment], title: str, parameters: QReadParameters
) -> set[int]:
    """Positions of the segments that are the article; empty where there are none.

    Notes
    -----
    The densest one. The title decides where that one is short or hardly denser than the next, by
    d(S) / max d + cosine; then every segment joins whose density is at least `member_share` of the
    greatest and whose cosine is at least `cosine_share` of the chosen one's. A title that has
    nothing in common with the chosen segment adds none: a share of nothing would let every dense
    segment in.
    """
    if not segments:
        return set()
    densities = [segment.density for segment in segments]
    best = max(range(len(segments)), key=densities.__getitem__)
    words = _word_counts(title)
    if not parameters.uses_title or not words or not densities[best]:
        return {best}
    greatest = densities[best]
    cosines = [cosine(words, _segment_words(segment)) for segment in segments]
    if _is_doubtful(segments[best], densities, parameters):
        best = max(
            range(len(segments)), key=lambda index: densities[index] / greatest + cosines[index]
        )
    least_cosine = parameters.cosine_share * cosines[best]
    joined = {
        index
        for index, density in enumerate(densities)
        if density >= parameters.member_share * greatest and cosines[index] >= least_cosine > 0.0
    }
    return joined | {best}


def cosine(left: Counter[str], right: Counter[str]) -> float:
    """Cosine of two word counts, 0 to 1; 0 where one of them is empty.

    Examples
    --------
    >>> round(cosine(Counter("ab"), Counter("bc")), 3)
    0.5
    """
    product = sum(count * right[word] for word, count in left.items())
    norms = sum(n * n for n in left.values()) * sum(n * n for n in right.values())
    return product / math.sqrt(norms) if norms else 0.0


def n_words(text: str) -> float:
    """w(L): words of a line; two characters of a script without blanks count as one.

    Examples
    --------
    >>> n_words("It's braai day"), n_words("新聞報紙")
    (4.0, 2.0)
    """
    n_unspaced = len(_UNSPACED.findall(text)) if not text.isascii() else 0
    spaced = _UNSPACED.sub(" ", text) if n_unspaced else text
    return len(_WORD.findall(spaced)) + n_unspaced / _CHARACTERS_PER_WORD


def _is_doubtful(
    best: PageSegment, densities: Sequence[float], parameters: QReadParameters
) -> bool:
    ordered = sorted(densities, reverse=True)
    is_close = len(ordered) > 1 and ordered[1] > (1.0 - parameters.close_share) * ordered[0]
    return best.n_words < parameters.short_words or is_close


def _segment(lines: Sequence[SourceLine]) -> PageSegment:
    return PageSegment(tuple(lines), sum(n_words(line.text) for line in lines))


def _segment_words(segment: PageSegment) -> Counter[str]:
    words: Counter[str] = Counter()
    for line in segment.lines:
        words.update(_word_counts(line.text))
    return words


def _word_counts(text: str) -> Counter[str]:
    words = _WORD.findall(_UNSPACED.sub(lambda found: f" {found[0]} ", text.lower()))
    return Counter(word for word in words if word not in _STOP_WORDS)


def _menus(outline: Outline) -> frozenset[int]:
    return frozenset(
        index
        for index, (tag, names) in enumerate(zip(outline.tags, outline.classes, strict=True))
        if tag == "div" and not _MENU_WORDS.isdisjoint(names.lower().split())
    )
