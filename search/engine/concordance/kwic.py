"""Concordance lines: a node with its left and right context, and the document it stands in.

Input → output: hits and a page request → lines of text, spaced as in the original.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.concordance.places import LineReference, Places
from search.engine.concordance.sorting import Order, lines_in_order
from search.engine.index.documents import DocumentInfo, DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.reader import SegmentView
from search.engine.index.segments.segment import Segment

I64 = npt.NDArray[np.int64]

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
    page: "_Page"
    number: int

    @property
    def place(self) -> LineReference:
        """Where the hit stands."""
        return LineReference(*(column.item(self.number) for column in self.page.places.columns))

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


def lines_at(hits: Hits, places: Places, page: PageRequest) -> list[KwicLine]:
    """Return the lines of some hits, in their order, with the context of a page."""
    return _Page(hits, places, page).lines() if len(places) else []


class _Page:
    """The words of all lines of a page, and where the fields of each begin.

    Lines stand segment by segment, so that all of one are read at once.
    """

    def __init__(self, hits: Hits, places: Places, page: PageRequest) -> None:
        self.hits = hits
        self._order = np.argsort(places.part, kind="stable")
        self.places = places = places.take(self._order)
        runs = _runs(places.part, hits)
        bounds = np.array((places.row, places.row + 1))
        begin, end = _read(runs, lambda segment, run: segment.bounds.take(bounds[:, run]))
        if page.whole_sentence:
            stretch = partial(_sentences, page=page)
            low, high = _read(runs, lambda segment, run: stretch(segment, places.take(run)))
        else:
            low, high = places.start - page.context, places.end + page.context
        low = np.maximum(low, begin)
        # A match may run into the next text; then nothing follows it.
        high = np.maximum(places.end, np.minimum(high, end))
        lengths = np.array((places.start - low, places.end - places.start, high - places.end))
        self._edges = np.zeros(lengths.size + 1, dtype=np.intp)
        lengths.T.cumsum(out=self._edges[1:])
        lines = self._edges[::3]
        at = np.arange(lines[-1]) + np.repeat(low - lines[:-1], np.diff(lines))
        tokens = [(segment, slice(*lines[[run.start, run.stop]].tolist())) for segment, run in runs]
        self._types = _read(tokens, lambda segment, run: segment.stream.take(at[run]))
        octets, bits = at >> 3, at & 7
        spaces = _read(tokens, lambda segment, run: segment.packed_space.take(octets[run]))
        self._spaces = spaces << bits.astype(np.uint8) >> 7

    @cached_property
    def _words(self) -> list[str]:
        lexicon = self.hits.snapshot.lexicon
        return lexicon.forms_of(lexicon.words.take(self._types))

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
            "lemma": lexicon.forms_of(lexicon.lemmas[self._types]),
            "tag": [names[number] for number in lexicon.tags[self._types].tolist()],
        }

    def lines(self) -> list[KwicLine]:
        """Write all lines at once, fields apart by line feeds, which no word holds.

        White space before the node belongs to the left context, all other to the field it begins.
        """
        n_lines, edges = len(self.places), self._edges
        codes = np.append(self._spaces, 0)
        codes[edges[::3]] = 0  # no white space begins a line
        codes[edges[3:-1:3]] += FIELD_BEGINS
        codes[edges[1::3]] += NODE_BEGINS
        codes[edges[2::3]] += 2 * FIELD_BEGINS  # perhaps where the next line begins, too
        pieces = [""] * (2 * len(codes) - 1)
        pieces[::2] = BETWEEN_WORDS[codes].tolist()
        pieces[1::2] = self._words
        fields = "".join(pieces).split("\n")
        columns = (fields[::3], fields[1::3], fields[2::3], [self] * n_lines, range(n_lines))
        lines = list(map(KwicLine._make, zip(*columns, strict=True)))
        return [lines[number] for number in np.argsort(self._order).tolist()]


def _runs(parts: I64, hits: Hits) -> list[tuple[Segment, slice]]:
    """Return the segments of ascending numbers of parts, and where the lines of each stand."""
    edges = [0, *(np.flatnonzero(parts[1:] != parts[:-1]) + 1).tolist(), len(parts)]
    return [
        (hits.parts[parts[first]].view.segment, slice(first, after))
        for first, after in pairwise(edges)
    ]


def _read(
    runs: list[tuple[Segment, slice]], read: Callable[[Segment, slice], npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """Read something of each segment, and put it one behind the other."""
    return np.concatenate([read(segment, run) for segment, run in runs], axis=-1)


def _sentences(segment: Segment, places: Places, *, page: PageRequest) -> I64:
    """Return where the sentences of nodes begin and end: shape (2, n_lines).

    Of a long sentence only a stretch on both sides of the node is shown.
    """
    first, last = places.start, places.end - 1
    low = first - segment.left[first]
    high = last + segment.right.take(last) + 1
    if page.sentences:
        edges = segment.sentence_edges
        at = edges.searchsorted(first, side="right") - 1 - page.sentences
        low = edges.take(np.maximum(at, 0))
        at = edges.searchsorted(last, side="right") + page.sentences
        high = edges.take(np.minimum(at, len(edges) - 1))
    most = SENTENCE_CONTEXT_TOKENS * (page.sentences + 1)
    return np.array((np.maximum(low, first - most), np.minimum(high, last + most + 1)))
