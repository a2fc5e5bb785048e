"""What sort keys compare: hits of one segment → unsigned integers, smaller first.

Several keys of few bits share one 64-bit number (three words of context: 3 x 21 bits), so that
sorting by them is sorting numbers. Every column is made for any part of a segment's hits alone:
most keys are needed for all hits, the ones that only decide ties for very few.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.allowance import go_on
from search.engine.concordance.good_examples import MOST_POINTS, GoodExamples
from search.engine.concordance.sampling import random_numbers
from search.engine.concordance.sort_keys import SortAttribute, SortKey, SortPlace
from search.engine.concordance.word_ranks import Alphabet, form_ranks
from search.engine.index.hits import Hits, Spans
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.segments.segment import Segment

I64 = npt.NDArray[np.int64]
Index = npt.NDArray[np.intp]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]

WORD_BITS = 64
BLOCK = 1 << 15  # hits; a column of so many takes 256 kB
NODE_WORDS = 5  # words of a long node that are compared
_LATEST = np.iinfo(np.int64).max


class SegmentSpans:
    """The hits of one segment, or some of them, with the texts they lie in.

    Parameters
    ----------
    part : int
        Number of the segment among the hits' parts.
    document_counts : ndarray of shape (n_documents,)
        How many of the spans lie in each document; None if that is not known.
    numbers : ndarray of shape (n_spans,) or None
        Numbers of the spans among all hits of the segment; None if these are all.
    """

    def __init__(
        self,
        part: int,
        segment: Segment,
        spans: Spans,
        document_counts: I64 | None,
        numbers: Index | None = None,
    ) -> None:
        self.part = part
        self.segment = segment
        self.starts, self.ends = spans.starts, spans.ends
        self._counts = document_counts
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, chosen: Index) -> "SegmentSpans":
        """Return some of the hits."""
        spans = Spans(self.starts[chosen], self.ends[chosen])
        return SegmentSpans(self.part, self.segment, spans, None, self.numbers[chosen])

    @cached_property
    def numbers(self) -> Index:
        """Numbers of these hits among all of the segment."""
        return np.arange(len(self)) if self._numbers is None else self._numbers

    @cached_property
    def rows(self) -> I64:
        """Row of the document of each hit."""
        if self._counts is None:
            return self.segment.document_of(self.starts)
        return np.repeat(np.arange(len(self._counts)), self._counts)

    @cached_property
    def text_starts(self) -> I64:
        """Where the text of each hit starts."""
        return self._of_texts(self.segment.bounds[:-1])

    @cached_property
    def text_ends(self) -> I64:
        """Where it ends."""
        return self._of_texts(self.segment.bounds[1:])

    def blocks(self) -> Iterator["SegmentSpans"]:
        """Go through the hits in blocks whose intermediate results stay in the cache."""
        for low in range(0, len(self), BLOCK):
            yield _Block(self, slice(low, low + BLOCK))

    def _of_texts(self, values: I64) -> I64:
        """Return for each hit the value of its text; of all hits without looking up any."""
        return values[self.rows] if self._counts is None else np.repeat(values, self._counts)


class _Block(SegmentSpans):
    """A stretch of the hits of a segment, which looks things up where the whole has them."""

    def __init__(self, whole: SegmentSpans, stretch: slice) -> None:
        spans = Spans(whole.starts[stretch], whole.ends[stretch])
        super().__init__(whole.part, whole.segment, spans, None)
        self._whole, self._stretch = whole, stretch

    @cached_property
    def rows(self) -> I64:
        """Row of the document of each hit."""
        return self._whole.rows[self._stretch]

    @cached_property
    def text_starts(self) -> I64:
        """Where the text of each hit starts."""
        return self._whole.text_starts[self._stretch]

    @cached_property
    def text_ends(self) -> I64:
        """Where it ends."""
        return self._whole.text_ends[self._stretch]


@dataclass(frozen=True, slots=True)
class SortColumn:
    """Numbers of so many bits for the hits of a segment; ``of`` gives shape (n_hits,).

    ``tells_apart`` says whether few hits share a number, as those of one word share it with all.
    """

    n_bits: int
    of: Callable[[SegmentSpans], npt.NDArray[np.integer]]
    tells_apart: bool = True


def pack(columns: Sequence[SortColumn]) -> list[list[SortColumn]]:
    """Group columns so that those of a group fit into one 64-bit number.

    All hits are asked for the first group, so it ends with the first column that tells them apart:
    few need the others.
    """
    groups: list[list[SortColumn]] = []
    room = 0
    for column in columns:
        if column.n_bits > room:
            groups.append([])
            room = WORD_BITS
        groups[-1].append(column)
        room = 0 if len(groups) == 1 and column.tells_apart else room - column.n_bits
    return groups


def packed(group: Sequence[SortColumn], spans: SegmentSpans) -> U64:
    """Return the columns of a group as one number per hit."""
    parts = [_packed_block(group, block) for block in spans.blocks()]
    return np.concatenate([np.empty(0, dtype=np.uint64), *parts])


def _packed_block(group: Sequence[SortColumn], spans: SegmentSpans) -> U64:
    result = group[0].of(spans).astype(np.uint64)
    for column in group[1:]:
        result <<= np.uint64(column.n_bits)
        result |= column.of(spans).astype(np.uint64, copy=False)
    return result


def columns_of(hits: Hits, keys: Sequence[SortKey], seed: int) -> list[SortColumn]:
    """Return what some keys compare, the first key first; then what decides ties.

    Equal hits come newest text first, then in the order of the text.
    """
    columns: list[SortColumn] = []
    for key in keys:
        made = _columns(hits, key, seed)
        columns += [_turned(column) for column in made] if key.is_descending else made
    return [*columns, *_newest(), _place_in_text()]


def _turned(column: SortColumn) -> SortColumn:
    most = np.uint64((1 << column.n_bits) - 1)
    return replace(column, of=lambda spans: most - column.of(spans).astype(np.uint64))


def _columns(hits: Hits, key: SortKey, seed: int) -> list[SortColumn]:
    if key.looks_at_tokens:
        return _of_tokens(hits, key)
    if key.place in _VALUE_COLUMNS:
        return [_values(hits, _VALUE_COLUMNS[key.place])]
    if key.place is SortPlace.GOOD:
        return [_good(hits)]
    made = {
        SortPlace.NEW: _newest(),
        SortPlace.OLD: [_turned(column) for column in _newest()],
        SortPlace.CORPUS: [SortColumn(WORD_BITS, lambda spans: (spans.part << 40) + spans.starts)],
        SortPlace.RANDOM: [SortColumn(WORD_BITS, lambda spans: random_of(spans, seed))],
        SortPlace.KIND: [_kind()],
    }
    return made[key.place]


def _kind() -> SortColumn:
    return SortColumn(8, lambda spans: spans.segment.documents.kind[spans.rows], tells_apart=False)


# Texts


def _newest() -> list[SortColumn]:
    """Return time, then kind and key of the text, both from the highest down."""

    def time(spans: SegmentSpans) -> U64:
        published: I64 = spans.segment.documents.published[spans.rows]
        turned: U64 = (np.int64(_LATEST) - published).view(np.uint64)  # also right before 1970
        return turned

    def identity(spans: SegmentSpans) -> U64:
        return ~spans.segment.documents.identities()[spans.rows]

    return [SortColumn(WORD_BITS, time), SortColumn(WORD_BITS, identity)]


def _place_in_text() -> SortColumn:
    return SortColumn(WORD_BITS, lambda spans: spans.starts - spans.text_starts)


_VALUE_COLUMNS = {
    SortPlace.PUBLICATION: "publication",
    SortPlace.SECTION: "section",
    SortPlace.AUTHOR: "author",
    SortPlace.LANGUAGE: "language",
}


def _values(hits: Hits, name: str) -> SortColumn:
    """Rank the values of a document column that occur among the hits, by code point."""
    found = [np.empty(0, dtype=np.int64)]
    for part in hits.parts:
        go_on()
        documents = part.view.segment.documents
        found.append(np.unique(getattr(documents, name)[part.document_counts > 0]))
    numbers = np.unique(np.concatenate(found))
    names = [hits.snapshot.lexicon.value(number) for number in numbers.tolist()]
    ranks = np.empty(len(names), dtype=np.uint32)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names), dtype=np.uint32)

    def of(spans: SegmentSpans) -> U32:
        values = getattr(spans.segment.documents, name)[spans.rows]
        found: U32 = ranks[np.searchsorted(numbers, values)]
        return found

    return SortColumn(max(1, len(names).bit_length()), of, tells_apart=len(names) > 1)


def _good(hits: Hits) -> SortColumn:
    """Return what puts the best examples first."""
    examples = GoodExamples(hits.snapshot)

    def of(spans: SegmentSpans) -> I64:
        return MOST_POINTS - examples.points(spans.segment, spans.starts)

    return SortColumn(MOST_POINTS.bit_length(), of)


def random_of(spans: SegmentSpans, seed: int) -> U64:
    """Return the random numbers of hits; they depend on text, place in it, and seed alone."""
    identities = spans.segment.documents.identities()[spans.rows]
    return random_numbers(identities, spans.starts - spans.text_starts, seed)


# Tokens


def _of_tokens(hits: Hits, key: SortKey) -> list[SortColumn]:
    ranks = _type_ranks(hits.snapshot.lexicon, key)
    n_bits = int(ranks.max(initial=1)).bit_length()
    numbers = range(1, _longest(hits) + 1) if key.place is SortPlace.NODE else [key.number]
    is_beside = key.place in (SortPlace.LEFT, SortPlace.RIGHT)
    return [SortColumn(n_bits, _Words(key, number, ranks), is_beside) for number in numbers]


def _longest(hits: Hits) -> int:
    lengths = (part.spans.ends - part.spans.starts for part in hits.parts)
    return min(NODE_WORDS, max((int(length.max(initial=1)) for length in lengths), default=1))


@dataclass(frozen=True, slots=True)
class _Words:
    """Ranks of the words at one place of each hit; 0 where there is no such word."""

    key: SortKey
    number: int
    ranks: U32

    def __call__(self, spans: SegmentSpans) -> U32:
        positions, inside = self._places(spans)
        found: U32 = self.ranks[spans.segment.stream.take(positions, mode="clip")]
        return np.multiply(found, inside, out=found)

    def _places(self, spans: SegmentSpans) -> tuple[I64, npt.NDArray[np.bool_]]:
        match self.key.place:
            case SortPlace.LEFT:
                positions = spans.starts - self.number
                return positions, positions >= spans.text_starts
            case SortPlace.RIGHT:
                positions = spans.ends + (self.number - 1)
                return positions, positions < spans.text_ends
        from_last = self.key.place is SortPlace.FROM_LAST or (
            self.key.place is SortPlace.NODE and self.key.is_retrograde
        )
        if from_last:
            positions = spans.ends - self.number
            return positions, positions >= spans.starts
        positions = spans.starts + (self.number - 1)
        return positions, positions < spans.ends


def _type_ranks(lexicon: LexiconView, key: SortKey) -> U32:
    """Return what a key compares of each type, from 1 on: shape (n_types,)."""
    if key.attribute is SortAttribute.POS:
        tags = lexicon.tag_names()
        alphabet = Alphabet(key.is_retrograde, key.is_dictionary)
        order = sorted(range(len(tags)), key=lambda number: alphabet.key(tags[number]))
        by_tag = np.zeros(len(tags), dtype=np.uint32)
        by_tag[order] = np.arange(1, len(tags) + 1, dtype=np.uint32)
        return by_tag[lexicon.tags]
    ranks = form_ranks(lexicon, Alphabet(key.is_retrograde, key.is_dictionary))
    match key.attribute:
        case SortAttribute.WORD:
            return ranks[lexicon.words]
        case SortAttribute.LEMMA:
            return ranks[lexicon.lemmas]
    return ranks[lexicon.lower[lexicon.words]]
