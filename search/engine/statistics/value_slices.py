"""Slices by value: the hits behind one row of a frequency list, a collocate list, an n-gram list.

Input → output: a slice ``column:value`` and the hits of a segment → which hits it keeps. The column
says where to look and under which attribute:

- ``lemma:go`` the whole node (tokens with spaces between), ``first.pos:JJ``, ``r1.lower:rain`` one
  token as in `hit_values`; without a value: those that have no such token;
- ``5,5.lemma:rain`` a window of so many tokens left and right of the node, inside its sentence;
- ``holds.lower:state of the`` hits inside of this sequence, ``starts.lower:…`` hits it begins at,
  ``skip2.lower:…`` the same with up to two words left out between its words.
"""

import re
from itertools import combinations

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import SegmentHits
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.segments.segment import Segment
from search.engine.statistics.counting.attribute_values import (
    ATTRIBUTES,
    TypeValues,
    numbers_of,
    type_values,
)
from search.engine.statistics.counting.hit_values import NO_VALUE, NOTHING, is_place, place_values
from search.engine.statistics.counting.windows import FARTHEST, Window
from search.engine.statistics.ngrams import LONGEST, MOST_SKIPPED

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

HOLDS, STARTS = "holds", "starts"
_SEQUENCE = re.compile(rf"{HOLDS}|{STARTS}|skip(?P<skip>[1-{MOST_SKIPPED}])")
_WINDOW = re.compile(r"\d{1,2},\d{1,2}")


def is_value_column(column: str) -> bool:
    """Say whether a slice with this column is one of those of this module.

    Examples
    --------
    >>> [is_value_column(c) for c in ("lemma", "r1.pos", "3,0.word", "skip1.lower", "pub", "r1")]
    [True, True, True, True, False, False]
    """
    place, _, attribute = column.rpartition(".")
    if attribute not in ATTRIBUTES:
        return False
    if _WINDOW.fullmatch(place):
        sides = [int(side) for side in place.split(",")]
        return any(sides) and max(sides) <= FARTHEST
    return not place or is_place(place) or _SEQUENCE.fullmatch(place) is not None


def value_mask(part: SegmentHits, lexicon: LexiconView, column: str, value: str) -> Mask:
    """Say which hits of a segment a slice keeps.

    Parameters
    ----------
    column : str
        For which `is_value_column` holds.

    Returns
    -------
    ndarray of shape (n_hits,)
    """
    place, _, attribute = column.rpartition(".")
    found = _SEQUENCE.fullmatch(place)
    if found:
        words = value.split(" ")
        skip = int(found["skip"] or 0)
        return _sequence_mask(part, lexicon, (attribute, words), (place == HOLDS, skip))
    values = type_values(lexicon, attribute)
    if _WINDOW.fullmatch(place):
        left, right = map(int, place.split(","))
        wanted = numbers_of(lexicon, attribute, value)
        return _window_mask(part, values, wanted, Window.around(left, right))
    if place:
        wanted = [NOTHING] if value == NO_VALUE else numbers_of(lexicon, attribute, value)
        return np.isin(place_values(part, place, values), wanted)
    return _node_mask(part, lexicon, attribute, value)


def _node_mask(part: SegmentHits, lexicon: LexiconView, attribute: str, value: str) -> Mask:
    """Say which nodes read so; one token may itself have spaces in it."""
    spans = part.spans
    length = spans.ends - spans.starts
    matches = np.zeros(len(spans), dtype=np.bool_)
    for words in {(value,), tuple(value.split(" "))}:
        candidates = np.flatnonzero(length == len(words))
        sequence = _Sequence(lexicon, attribute, words)
        places = spans.starts[candidates, None] + np.arange(len(words))
        matches[candidates] |= sequence.matches(part.view.segment, places)
    return matches


def _window_mask(part: SegmentHits, values: TypeValues, wanted: list[int], window: Window) -> Mask:
    matches = np.zeros(len(part.spans), dtype=np.bool_)
    for distance in window.distances:
        name = f"{'l' if distance < 0 else 'r'}{abs(distance)}"
        matches |= np.isin(place_values(part, name, values), wanted)
    return matches


def _sequence_mask(
    part: SegmentHits, lexicon: LexiconView, what: tuple[str, list[str]], how: tuple[bool, int]
) -> Mask:
    """Say which hits a sequence begins at or holds."""
    (attribute, words), (holds, skip) = what, how
    spans, segment = part.spans, part.view.segment
    matches = np.zeros(len(spans), dtype=np.bool_)
    if len(words) > LONGEST:
        return matches
    sequence = _Sequence(lexicon, attribute, tuple(words))
    for rest in combinations(range(1, len(words) + skip), len(words) - 1):
        offsets = np.array([0, *rest])
        reach = int(offsets[-1])
        for step in range(reach + 1) if holds else range(1):
            starts = spans.starts - step
            fits = segment.left[spans.starts] >= step
            if holds:
                fits &= spans.ends - starts <= reach + 1
            candidates = np.flatnonzero(fits)
            candidates = candidates[segment.right[starts[candidates]] >= reach]
            places = starts[candidates, None] + offsets
            matches[candidates] |= sequence.matches(segment, places)
    return matches


class _Sequence:
    """Words of a sequence as values."""

    def __init__(self, lexicon: LexiconView, attribute: str, words: tuple[str, ...]) -> None:
        self._values = type_values(lexicon, attribute)
        self._wanted = [numbers_of(lexicon, attribute, word) for word in words]

    def matches(self, segment: Segment, places: I64) -> Mask:
        """Say of each row of places, shape (n, words), whether the words stand there."""
        found = self._values.numbers[segment.stream[places]]
        result = np.ones(len(places), dtype=np.bool_)
        for column, wanted in zip(found.T, self._wanted, strict=True):
            result &= np.isin(column, wanted)
        return result
