"""Collocates: the words that stand near the hits more often than chance would have it.

Input → output: hits and the documents they come from → words in the windows with joint and total
frequencies, expected frequency, association scores, mean position, hits and texts.

Counting
--------
- A window ends at the edges of its sentence and leaves the node out. A token that lies in the
  windows of several hits is counted once for each of them (surface cooccurrence by hit, as CQPweb
  and Manatee count).
- *Window measures* (log-likelihood, MI, MI3, t, z, ΔP, log ratio) compare with chance as Evert
  (2008, *Corpora and collocations*, section 4.1) does: R1 is the number of tokens in the windows,
  C1 the frequency of the collocate, N the tokens of the base. So the expected frequency grows with
  the window: E11 = R1 C1 / N.
- *Frequency measures* (Dice, logDice, minimum sensitivity) take f(node) for R1 and know no N, as
  Rychlý (2008) defines logDice and the Sketch Engine computes it.
- Where windows overlap a collocate may be counted more often than it occurs; its marginals are then
  taken to be as large as the joint frequency.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from search.engine.annotation.tagset import WordClass
from search.engine.index.hits import Hits, SpanHits, Spans
from search.engine.index.selection import Selection
from search.engine.statistics.collocation.association import MEASURES, Contingency, contingency
from search.engine.statistics.collocation.collocate_places import CollocatePlaces, collocate_places
from search.engine.statistics.counting.attribute_values import TypeValues, type_values
from search.engine.statistics.counting.type_counts import value_counts
from search.engine.statistics.counting.windows import Window, WindowBlock, window_blocks
from search.engine.statistics.counting.word_classes import content_words, of_class, word_values
from search.engine.statistics.frequency import largest

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

FREQUENCY_MEASURES = frozenset({"dice", "logdice", "minsens"})
ATTRIBUTES = ("lemma", "word", "lower", "pos", "lemma+pos")
CONTENT_WORDS = "content"
FEWEST_SEEN = 10  # in a sample: the standard error of a rate is then a third of it
KEPT_CELLS = 4_000_000  # windows of so many tokens (16 MB) are kept for the second look


@dataclass(frozen=True, slots=True)
class CollocateRequest:
    """What to count.

    Parameters
    ----------
    attribute : str
        One of `ATTRIBUTES`.
    measure : str
        What rows are sorted by, one of `association.MEASURES`.
    least : int
        Fewest joint occurrences.
    limit : int
        Rows to return.
    with_punctuation : bool
        List words without letters and digits too. They take up places of the window either way.
    words : str
        ``content`` lists all but function words, the name of a `WordClass` words that are mostly of
        that class in the whole index; empty for all. What is listed is counted the same.
    every : int
        Look at every so many hits only. Joint frequencies, expected ones and scores are then
        estimates for all hits, made from words seen `FEWEST_SEEN` times or more.
    """

    attribute: str = "lemma"
    window: Window = field(default_factory=lambda: Window.around(5, 5))
    measure: str = "logdice"
    least: int = 5
    limit: int = 50
    with_punctuation: bool = False
    words: str = ""
    every: int = 1


@dataclass(frozen=True, slots=True)
class Collocate:
    """One word near the hits.

    ``n_joint`` counts its tokens in the windows, ``n_hits`` the hits that have it in their window,
    ``n_texts`` their texts (of those looked at), ``n_total`` its tokens in the base. ``expected``
    is E11 of the window measures. ``scores`` are by measure. ``mean_position`` is the mean distance
    from the node, negative on its left.
    """

    value: str
    n_joint: int
    n_total: int
    expected: float
    scores: dict[str, float]
    mean_position: float
    n_hits: int
    n_texts: int


@dataclass(frozen=True, slots=True)
class CollocateList:
    """The best rows; ``n_collocates`` is how many have the least joint frequency."""

    rows: tuple[Collocate, ...]
    n_collocates: int
    n_hits: int
    window_tokens: int
    base_tokens: int


@dataclass(frozen=True, slots=True)
class CollocateCounts:
    """Joint and total frequencies of all values, and what they are compared with.

    ``joint`` and ``total`` have shape (n_values,).
    """

    values: TypeValues
    joint: I64
    total: I64
    n_hits: int
    window_tokens: int
    base_tokens: int

    def times(self, factor: int, n_hits: int) -> "CollocateCounts":
        """Estimate the counts of all hits from those of a sample."""
        return replace(
            self,
            joint=self.joint * factor,
            n_hits=n_hits,
            window_tokens=self.window_tokens * factor,
        )

    def table(self, chosen: I64, measure: str) -> Contingency:
        """Return the frequencies of some values as a measure counts them."""
        joint, total = self.joint[chosen], np.maximum(self.total[chosen], self.joint[chosen])
        if measure in FREQUENCY_MEASURES:
            return contingency(joint, np.maximum(self.n_hits, joint), total, self.base_tokens)
        # Overlapping windows may hold more tokens than the corpus.
        size = max(self.base_tokens, self.window_tokens)
        return contingency(joint, self.window_tokens, total, np.maximum(size, total))

    def scores(self, chosen: I64, measure: str) -> F64:
        """Return the scores of some values."""
        return MEASURES[measure](self.table(chosen, measure))

    def expected(self, chosen: I64) -> F64:
        """Return the joint frequency that chance would give."""
        return self.window_tokens * self.total[chosen] / max(1, self.base_tokens)


def collocates(hits: Hits, selection: Selection, request: CollocateRequest) -> CollocateList:
    """Find the collocates of hits.

    Parameters
    ----------
    selection : Selection
        The documents the hits were looked for in: the base of total frequencies.

    Returns
    -------
    CollocateList
        Best first by the measure, then by value. O(hits * window + types).

    Raises
    ------
    ValueError
        If attribute or measure is not known.
    """
    if request.attribute not in ATTRIBUTES:
        raise ValueError(f"“{request.attribute}” is not among: {', '.join(ATTRIBUTES)}.")
    if request.measure not in MEASURES:
        raise ValueError(f"“{request.measure}” is not among: {', '.join(MEASURES)}.")
    looked_at = every_nth(hits, request.every)
    blocks = _Blocks(looked_at, request.window)
    counted = _count(looked_at, selection, request, blocks).times(request.every, hits.total)
    fewest = 1 if request.every == 1 else FEWEST_SEEN * request.every
    enough = np.flatnonzero(counted.joint >= max(fewest, request.least))
    order = ranking(counted, enough, request.measure)
    spell = counted.values.spell
    best = largest(order, request.limit, lambda i: (spell(int(enough[i])),))
    shown = enough[best]
    places = collocate_places(counted.values, shown, blocks, request.window)
    return CollocateList(
        _rows(counted, shown, places, request.every),
        len(enough),
        hits.total,
        counted.window_tokens,
        counted.base_tokens,
    )


def count_collocates(
    hits: Hits, selection: Selection, request: CollocateRequest
) -> CollocateCounts:
    """Count joint and total frequencies of all values; see `collocates`."""
    return _count(hits, selection, request, window_blocks(hits, request.window))


def ranking(counted: CollocateCounts, chosen: I64, measure: str) -> F64:
    """Return what values are sorted by: the score, but what is rarer than expected goes last.

    Log-likelihood is large for repelled words too.
    """
    scores = np.nan_to_num(counted.scores(chosen, measure), nan=-np.inf, neginf=-np.inf)
    if measure != "ll":
        return scores
    return np.where(counted.joint[chosen] >= counted.expected(chosen), scores, -scores)


class _Blocks:
    """Windows that can be gone through twice; few are kept, many made again."""

    def __init__(self, hits: Hits, window: Window) -> None:
        self._hits = hits
        self._window = window
        is_little = hits.total * len(window.places) <= KEPT_CELLS
        self._kept = list(window_blocks(hits, window)) if is_little else None

    def __iter__(self) -> Iterator[WindowBlock]:
        if self._kept is not None:
            return iter(self._kept)
        return window_blocks(self._hits, self._window)


def _count(
    hits: Hits, selection: Selection, request: CollocateRequest, blocks: Iterable[WindowBlock]
) -> CollocateCounts:
    lexicon = hits.snapshot.lexicon
    n_types = lexicon.size.n_types
    in_windows = np.zeros(n_types + 1, dtype=np.int64)
    for block in blocks:
        in_windows += np.bincount(block.types.reshape(-1), minlength=n_types + 1)
    in_windows = in_windows[:-1]
    window_tokens = int(in_windows.sum())
    values = type_values(lexicon, request.attribute)
    joint, total = values.fold(in_windows), value_counts(selection, request.attribute)
    if not request.with_punctuation:
        joint = joint * word_values(lexicon, request.attribute)
    if request.words:
        joint = joint * _listed(hits, values, request.words)
    return CollocateCounts(
        values,
        joint,
        total,
        hits.total,
        window_tokens,
        selection.base.n_tokens,
    )


def _listed(hits: Hits, values: TypeValues, words: str) -> npt.NDArray[np.bool_]:
    """Tell the values that are listed, by how their tokens in the whole index are tagged."""
    lexicon, counts = hits.snapshot.lexicon, hits.snapshot.type_counts
    if words == CONTENT_WORDS:
        return content_words(lexicon, values, counts)
    return of_class(lexicon, values, counts, WordClass(words))


def _rows(
    counted: CollocateCounts, shown: I64, places: Sequence[CollocatePlaces], every: int
) -> tuple[Collocate, ...]:
    scores = {measure: counted.scores(shown, measure).tolist() for measure in MEASURES}
    expected = counted.expected(shown).tolist()
    return tuple(
        Collocate(
            counted.values.spell(value),
            int(counted.joint[value]),
            int(counted.total[value]),
            expected[i],
            {measure: found[i] for measure, found in scores.items()},
            places[i].mean_position,
            places[i].n_hits * every,
            places[i].n_texts,
        )
        for i, value in enumerate(shown.tolist())
    )


def every_nth(hits: Hits, step: int) -> Hits:
    """Keep every step-th hit, the middle one of each step, on the same base.

    The sample is spread over all texts and comes out the same each time; what is counted in it,
    times the step, estimates the whole (systematic sampling: Cochran 1977, *Sampling Techniques*,
    chapter 8).

    Parameters
    ----------
    step : int
        1 or more; 1 keeps all.

    Returns
    -------
    Hits
        O(n_hits / step), once the spans are there.
    """
    if step == 1:
        return hits
    parts = []
    offset = step // 2
    for part in hits.parts:
        spans = part.spans
        kept = Spans(spans.starts[offset::step], spans.ends[offset::step])
        parts.append(SpanHits(part.view, kept, None))
        offset = (offset - len(spans)) % step
    return Hits(hits.snapshot, hits.generation, tuple(parts), hits.base)
