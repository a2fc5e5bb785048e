"""Concordance lines: a node with its left and right context, and the document it stands in.

Input → output: hits and a page request → lines of text, spaced as in the original.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.concordance.by_time import LineReference
from search.engine.concordance.sorting import Order, lines_in_order
from search.engine.index.documents import DocumentInfo, DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.reader import SegmentView
from search.engine.index.segments.segment import Segment

Index = npt.NDArray[np.intp]

DEFAULT_LINES = 50  # of a page
DEFAULT_CONTEXT = 12  # tokens of one side
SENTENCE_CONTEXT_TOKENS = 200  # of one side; longer "sentences" are lists and tables
GAPS = np.array(["", " "], dtype=object)
# What stands before a word: a space or none, a line feed behind it where the node begins, and one
# before it for each field that begins there: a line, the right context of the last one, or both.
NODE_BEGINS, FIELD_BEGINS = 2, 4
BETWEEN_WORDS = np.array(
    ["\n" * n + gap + node for n in (0, 1, 1, 2) for node in ("", "\n") for gap in GAPS],
    dtype=object,
)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which lines to show and how.

    Parameters
    ----------
    offset, count : int
        First line, from 0, and number of lines.
    context : int
        Words on each side.
    whole_sentence : bool
        Show the sentence of the node instead of a number of words.
    sentences : int
        With whole sentences: so many more before and after it.
    """

    offset: int = 0
    count: int = DEFAULT_LINES
    order: Order = field(default_factory=Order)
    context: int = DEFAULT_CONTEXT
    whole_sentence: bool = False
    sentences: int = 0


class LineField(IntEnum):
    """The three fields of a line."""

    LEFT = 0
    NODE = 1
    RIGHT = 2


class KwicLine(NamedTuple):
    """One line; ``left + node + right`` is a stretch of the text with its own white space.

    Document and position are a permanent address of the hit. What is not text is looked up when it
    is asked for.
    """

    left: str
    node: str
    right: str
    place: LineReference
    page: "_Page"
    number: int

    @property
    def info(self) -> DocumentInfo:
        """The columns of the document."""
        return self.page.hits.snapshot.document_info(self._view, self.place.row)

    @property
    def kind(self) -> DocumentKind:
        """Article or comment."""
        return DocumentKind(int(self._view.segment.documents.kind[self.place.row]))

    @property
    def key(self) -> int:
        """Key of the document within its kind."""
        return int(self._view.segment.documents.key[self.place.row])

    @property
    def position(self) -> int:
        """Token number of the node in its document, from 0."""
        return self.place.start - int(self._view.segment.bounds[self.place.row])

    @property
    def length(self) -> int:
        """Tokens of the node."""
        return self.place.end - self.place.start

    @property
    def left_words(self) -> tuple[str, ...]:
        """Words of the left context."""
        return self.page.words_of(self.number, LineField.LEFT)

    @property
    def node_words(self) -> tuple[str, ...]:
        """Words of the node."""
        return self.page.words_of(self.number, LineField.NODE)

    @property
    def right_words(self) -> tuple[str, ...]:
        """Words of the right context."""
        return self.page.words_of(self.number, LineField.RIGHT)

    def tokens(
        self, field: LineField, attributes: Sequence[str]
    ) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return the tokens of a field: white space before each, word, and its attributes.

        Parameters
        ----------
        attributes : sequence of str
            Of ``lemma`` and ``tag``, in the order they are wanted.
        """
        return self.page.tokens_of(self.number, field, attributes)

    @property
    def _view(self) -> SegmentView:
        return self.page.hits.parts[self.place.part].view


def lines_of(hits: Hits, page: PageRequest) -> list[KwicLine]:
    """Return a page of concordance lines."""
    return lines_at(hits, lines_in_order(hits, page.order, page.offset, page.count), page)


def lines_at(hits: Hits, places: list[LineReference], page: PageRequest) -> list[KwicLine]:
    """Return the lines of some hits, in their order, with the context of a page."""
    return _Page(hits, places, page).lines() if places else []


class _Page:
    """The words of all lines of a page, one after the other, and where the fields of each begin."""

    def __init__(self, hits: Hits, places: list[LineReference], page: PageRequest) -> None:
        self.hits = hits
        self._places = places
        types: list[npt.NDArray[np.uint32]] = []
        spaces: list[npt.NDArray[np.uint8]] = []
        lengths = [0]
        shifts = []
        for i, row, start, end in places:
            segment = hits.parts[i].view.segment
            low, high = _stretch(segment, start, end, page)
            low = max(low, segment.bounds.item(row))
            # A match may run into the next text; then nothing follows it.
            high = max(end, min(high, segment.bounds.item(row + 1)))
            types.append(segment.stream[low:high])
            spaces.append(segment.packed_spaces(low, high))
            shifts.append(low & 7)
            lengths += (start - low, end - start, high - end)
        self._types = np.concatenate(types)
        self._edges = np.cumsum(lengths)
        self._spaces = _unpacked(spaces, shifts, self._edges[::3])

    @cached_property
    def _words(self) -> list[str]:
        lexicon = self.hits.snapshot.lexicon
        return lexicon.forms_of(lexicon.words.take(self._types).tolist())

    def words_of(self, line: int, field: LineField) -> tuple[str, ...]:
        """Return the words of a field of a line."""
        first, after = self._edges[3 * line + field : 3 * line + field + 2].tolist()
        return tuple(self._words[first:after])

    def tokens_of(
        self, line: int, field: LineField, attributes: Sequence[str]
    ) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return the tokens of a field of a line with white space and attributes."""
        first, after = self._edges[3 * line + field : 3 * line + field + 2].tolist()
        gaps = GAPS[self._spaces[first:after]].tolist()
        notes = [self._notes[name][first:after] for name in attributes]
        rows = zip(*notes, strict=True) if notes else repeat(())
        return list(zip(gaps, self._words[first:after], rows, strict=bool(notes)))

    @cached_property
    def _notes(self) -> dict[str, list[str]]:
        """Lemma and tag of each word of the page."""
        lexicon = self.hits.snapshot.lexicon
        names = lexicon.tag_names()
        return {
            "lemma": lexicon.forms_of(lexicon.lemmas[self._types].tolist()),
            "tag": [names[number] for number in lexicon.tags[self._types].tolist()],
        }

    def lines(self) -> list[KwicLine]:
        """Write all lines at once, fields apart by line feeds, which no word holds.

        White space before the node belongs to the left context, all other to the field it begins.
        """
        n_lines, edges = len(self._places), self._edges
        codes = np.append(self._spaces, 0)
        codes[edges[::3]] = 0  # no white space begins a line
        codes[edges[3:-1:3]] += FIELD_BEGINS
        codes[edges[1::3]] += NODE_BEGINS
        codes[edges[2::3]] += 2 * FIELD_BEGINS  # perhaps where the next line begins, too
        pieces = [""] * (2 * len(codes) - 1)
        pieces[::2] = BETWEEN_WORDS[codes].tolist()
        pieces[1::2] = self._words
        fields = "".join(pieces).split("\n")
        columns = (fields[::3], fields[1::3], fields[2::3], self._places, [self] * n_lines)
        return list(map(KwicLine._make, zip(*columns, range(n_lines), strict=True)))


def _unpacked(spaces: list[npt.NDArray[np.uint8]], shifts: list[int], edges: Index) -> Index:
    """Return for each word of all lines whether white space stood before it, 0 or 1.

    Parameters
    ----------
    spaces : list of ndarrays
        Packed bits of each line.
    shifts : list of int
        How many bits of each come before the line's first word.
    edges : ndarray of shape (n_lines + 1,)
        Where the words of each line begin among all words.
    """
    bits = np.unpackbits(np.concatenate(spaces))
    firsts = np.cumsum([0, *map(len, spaces[:-1])]) * 8 + shifts
    places = np.arange(edges[-1]) + np.repeat(firsts - edges[:-1], np.diff(edges))
    result: Index = bits[places].astype(np.intp)
    return result


def _stretch(segment: Segment, start: int, end: int, page: PageRequest) -> tuple[int, int]:
    """Return where a line begins and ends if the text goes on so far."""
    if not page.whole_sentence:
        return start - page.context, end + page.context
    low = _sentence_start(segment, start, page.sentences)
    return low, _sentence_end(segment, end - 1, page.sentences)


def _sentence_start(segment: Segment, position: int, n_before: int) -> int:
    """Return where the sentence starts, or a long sentence's last stretch before the position."""
    start = position - int(segment.left[position])
    if n_before:
        starts = segment.sentence_starts
        at = int(np.searchsorted(starts, position, side="right")) - 1 - n_before
        start = int(starts[max(0, at)])
    return max(start, position - SENTENCE_CONTEXT_TOKENS * (n_before + 1))


def _sentence_end(segment: Segment, position: int, n_after: int) -> int:
    end = position + int(segment.right[position]) + 1
    if n_after:
        starts = segment.sentence_starts
        at = int(np.searchsorted(starts, position, side="right")) + n_after
        end = int(starts[at]) if at < len(starts) else segment.n_tokens
    return min(end, position + SENTENCE_CONTEXT_TOKENS * (n_after + 1) + 1)
