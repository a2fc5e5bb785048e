"""New words: values first attested in a span of time, and what became of them since.

Input → output: selection, span and floors → new values, most publications first, with the first
document and sentence, hits by day since, and why a value is hidden if it is (name, number or
address, probable typo).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from search.engine.index.reader import SegmentView
from search.engine.index.recent import Remembered
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.selection import Base, Selection
from search.engine.statistics.counting.attribute_values import TypeValues, type_values
from search.engine.statistics.counting.spread import Spread, places_of, spread_of
from search.engine.statistics.counting.type_counts import type_counts
from search.engine.statistics.counting.word_classes import letters_only, names, value_flags
from search.engine.statistics.vocabulary.edits import FrequentWords

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# A typo is rare, and the word meant is at least so many times as frequent: chosen, not measured, so
# that pairs of words a letter apart of which both are in use are not taken for typos.
TYPO_TIMES = 20
DAY_SECONDS = 86_400
# In a corpus that begins within the span every word is new. Each may be compared with all frequent
# words of its length, so only so many are, best first: far more than a page shows.
MOST_CHECKED = 5_000
# A word that stands once in a million is seen in so many with a probability of 95 % (1 - 1/e³).
THIN_REFERENCE_TOKENS = 3_000_000


class Clock(StrEnum):
    """By which time a word is new: its document's day of publication, or when that came in."""

    PUBLICATION = "published"
    ARRIVAL = "arrived"


class Doubt(StrEnum):
    """Why a new form is probably no new word, or that somebody said so."""

    NOT_LETTERS = "number or address"
    NAME = "name"
    TYPO = "typo"
    IGNORED = "ignored"


# Spans of a selection, with the counts of their types: a page asks for two.
_SPANS: Remembered[tuple[Clock, int, int | None], Selection] = Remembered(8)


@dataclass(frozen=True, slots=True)
class NewWordsRequest:
    """Which new words are wanted.

    Parameters
    ----------
    first_day, last_day : int
        The span, both inclusive, in days since 1970.
    clock : Clock
        By arrival, days are those of UTC.
    min_publications, min_hits : int
        Counted from the span to the end of the selection.
    hidden : frozenset of Doubt
        What to leave out.
    ignored : frozenset of str
        Values that are `Doubt.IGNORED`, whatever else they may be.
    """

    first_day: int
    last_day: int
    clock: Clock = Clock.PUBLICATION
    attribute: str = "lower"
    min_publications: int = 2
    min_hits: int = 1
    hidden: frozenset[Doubt] = frozenset(Doubt)
    ignored: frozenset[str] = frozenset()
    limit: int = 100


@dataclass(frozen=True, slots=True)
class FirstSight:
    """Where a value first stands: segment, document row, positions of its sentence and of itself.

    Positions are those of the segment; ``start`` to ``stop`` is the sentence. ``day`` is None in a
    text without a date.
    """

    view: SegmentView
    row: int
    day: int | None
    published_seconds: int
    start: int
    position: int
    stop: int


@dataclass(frozen=True, slots=True)
class NewWord:
    """A new value; ``by_day`` counts its hits from the span's first day to the newest document."""

    value: str
    hits: int
    texts: int
    publications: int
    first: FirstSight
    by_day: tuple[int, ...]
    doubt: Doubt | None
    meant: str


@dataclass(frozen=True, slots=True)
class NewWords:
    """The first new words and how many there are; ``n_hidden`` counts those left out by doubt.

    Both counts end at `MOST_CHECKED` words.
    ``span_base`` is what was published or came in within the span, ``n_tokens_before`` how much
    text there is from before it, to which the words are new: texts without a date among it, for no
    word of theirs can be said to be new.
    """

    words: tuple[NewWord, ...]
    n_words: int
    n_hidden: dict[Doubt, int]
    span_base: Base
    n_tokens_before: int

    @property
    def is_thin(self) -> bool:
        """Whether there is so little text from before that common words are new to it."""
        return self.n_tokens_before < THIN_REFERENCE_TOKENS


def new_words(selection: Selection, wanted: NewWordsRequest) -> NewWords:
    """Find the values that the selection has in a span and never before.

    Returns
    -------
    NewWords
        Most publications first, then most texts, most hits, alphabet. O(types), the hits of the
        new values, and for typos O(new values × frequent values of their length).
    """
    values = type_values(selection.snapshot.lexicon, wanted.attribute)
    since = _times(selection, wanted, wanted.first_day, None)
    span = _times(selection, wanted, wanted.first_day, wanted.last_day)
    in_span = values.fold(type_counts(span))
    before = values.fold(type_counts(selection)) - values.fold(type_counts(since))
    new = np.flatnonzero((in_span > 0) & (before == 0))
    spread = spread_of(since, values.numbers, new)
    floors = (spread.n_publications >= wanted.min_publications) & (spread.hits >= wanted.min_hits)
    spelled = [values.spell(number) for number in new.tolist()]
    order = _order(spread, np.flatnonzero(floors), spelled)[:MOST_CHECKED]
    doubts = _doubts(selection, values, new[order], wanted)
    n_hidden = {doubt: sum(d is doubt for d, _ in doubts) for doubt in wanted.hidden}
    kept = [i for i, (doubt, _) in enumerate(doubts) if doubt not in wanted.hidden]
    shown = kept[: wanted.limit]
    numbers = new[order[shown]]
    words = _words(since, values, numbers, wanted)
    found = (
        replace(word, doubt=doubts[i][0], meant=doubts[i][1])
        for word, i in zip(words, shown, strict=True)
    )
    n_tokens_before = selection.base.n_tokens - since.base.n_tokens
    return NewWords(tuple(found), len(kept), n_hidden, span.base, n_tokens_before)


def _times(
    selection: Selection, wanted: NewWordsRequest, first: int, last: int | None
) -> Selection:
    """Return the documents of a selection from a day on, or up to another."""
    return _SPANS.of(selection).get_or(
        (wanted.clock, first, last), lambda: _cut(selection, wanted.clock, first, last)
    )


def _cut(selection: Selection, clock: Clock, first: int, last: int | None) -> Selection:
    masks, n_tokens, n_documents = [], 0, 0
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        columns = view.segment.documents
        day = _day_of(columns, clock)
        kept = day >= first
        if clock is Clock.PUBLICATION:
            kept = kept & columns.dated
        if last is not None:
            kept = kept & (day <= last)
        if mask is not None:
            kept = kept & mask
        n_tokens += int(columns.n_tokens[kept].sum(dtype=np.int64))
        n_documents += int(np.count_nonzero(kept))
        masks.append(None if kept.all() else kept)
    base = Base(n_tokens, n_documents)
    return Selection(selection.snapshot, selection.generation, tuple(masks), base)


def _order(spread: Spread, kept: I64, spelled: list[str]) -> I64:
    ranked = sorted(
        kept.tolist(),
        key=lambda i: (
            -int(spread.n_publications[i]),
            -int(spread.texts[i]),
            -int(spread.hits[i]),
            spelled[i],
        ),
    )
    return np.array(ranked, dtype=np.int64)


def _doubts(
    selection: Selection, values: TypeValues, new: I64, wanted: NewWordsRequest
) -> list[tuple[Doubt | None, str]]:
    """Say of each value why it may be no word, with the word that was meant by a typo."""
    lexicon = selection.snapshot.lexicon
    counts = type_counts(selection)
    is_word = letters_only(value_flags(lexicon, values, wanted.attribute))
    is_name = names(lexicon, values, counts)
    by_value = values.fold(counts)
    frequent: dict[int, FrequentWords] = {}
    doubts: list[tuple[Doubt | None, str]] = []
    for number in new.tolist():
        if values.spell(number) in wanted.ignored:
            doubts.append((Doubt.IGNORED, ""))
        elif not is_word[number]:
            doubts.append((Doubt.NOT_LETTERS, ""))
        elif is_name[number]:
            doubts.append((Doubt.NAME, ""))
        else:
            least = TYPO_TIMES * int(by_value[number])
            if least not in frequent:
                frequent[least] = _frequent(values, by_value, is_word, least)
            meant = frequent[least].near(values.spell(number))
            doubts.append((Doubt.TYPO, meant) if meant else (None, ""))
    return doubts


def _frequent(values: TypeValues, counts: I64, is_word: Mask, least: int) -> FrequentWords:
    numbers = np.flatnonzero(is_word & (counts >= least))
    numbers = numbers[np.argsort(-counts[numbers], kind="stable")]
    return FrequentWords([values.spell(number) for number in numbers.tolist()])


def _words(
    since: Selection, values: TypeValues, numbers: I64, wanted: NewWordsRequest
) -> list[NewWord]:
    spread = spread_of(since, values.numbers, numbers)
    by_day = _hits_by_day(since, values, numbers, wanted)
    found = []
    for i, (number, first) in enumerate(zip(numbers.tolist(), spread.firsts, strict=True)):
        if first is None:
            raise AssertionError("a new value has hits since the span began")
        found.append(
            NewWord(
                value=values.spell(number),
                hits=int(spread.hits[i]),
                texts=int(spread.texts[i]),
                publications=int(spread.n_publications[i]),
                first=first_sight(first.view, first.row, values.numbers == number),
                by_day=tuple(by_day[i].tolist()),
                doubt=None,
                meant="",
            )
        )
    return found


def _hits_by_day(
    since: Selection, values: TypeValues, numbers: I64, wanted: NewWordsRequest
) -> I64:
    """Count hits from the span's first day to the newest document: (n_words, n_days)."""
    segments = [view.segment for view in since.snapshot.segments]
    days = [_day_of(segment.documents, wanted.clock) - wanted.first_day for segment in segments]
    selected = (d if mask is None else d[mask] for d, mask in zip(days, since.masks, strict=True))
    n_days = max((int(d.max(initial=0)) for d in selected), default=0) + 1
    places = places_of(since, values.numbers, numbers)
    cells = np.zeros(len(numbers) * n_days, dtype=np.int64)
    for part, day in enumerate(days):
        member = places.part == part
        at = places.value[member] * n_days + day[places.row[member]]
        cells += np.bincount(at, weights=places.count[member], minlength=len(cells)).astype(
            np.int64
        )
    return cells.reshape(len(numbers), n_days)


def _day_of(columns: DocumentColumns, clock: Clock) -> I64:
    """Return the day of each document since 1970."""
    if clock is Clock.PUBLICATION:
        return columns.day.astype(np.int64)
    return columns.ingested.astype(np.int64) // DAY_SECONDS


def first_sight(view: SegmentView, row: int, is_value: Mask) -> FirstSight:
    """Find the first occurrence in a document and the sentence around it."""
    segment = view.segment
    begin, end = int(segment.bounds[row]), int(segment.bounds[row + 1])
    position = begin + int(np.argmax(is_value[segment.stream[begin:end]]))
    starts = begin + np.flatnonzero(segment.left[begin:end] == 0)
    place = int(np.searchsorted(starts, position, side="right"))
    return FirstSight(
        view=view,
        row=row,
        day=int(segment.documents.day[row]) if segment.documents.dated[row] else None,
        published_seconds=int(segment.documents.published[row]),
        start=int(starts[place - 1]),
        position=position,
        stop=int(starts[place]) if place < len(starts) else end,
    )
