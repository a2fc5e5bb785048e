"""Filters on the hits of a query: what stands near them, one a text, those that overlap.

Input → output: texts of the search address and `Hits` → narrower `Hits`, remembered with the wider.
"""

from dataclasses import dataclass, field, replace

from django.utils import timezone

from extraction.text.tokens import tokenize
from presentation.wording.figures import grouped
from search.engine.concordance.narrowing import (
    Reach,
    first_of_each_text,
    found_too,
    join_overlapping,
    near,
    random_of_each_text,
)
from search.engine.concordance.sorting import MOST_SORTED
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered
from search.engine.query.ast import Alternatives, Anything, Condition, Or, Pattern, Query, Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.errors import QueryError, QueryTooExpensiveError
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.slices import Slice
from search.engine.statistics.slicing import narrow_hits

# All hits of a query in some texts, for whoever asks for them next, alone or beside another search.
RESULTS: Remembered[tuple[Query, DocumentFilter], Hits] = Remembered(8)  # up to 16 bytes a hit
_BEGINS_CQL = ("[", '"', "(")


@dataclass(frozen=True, slots=True)
class OtherSearch:
    """Another search, whose hits are set beside those of a query, of the same generation."""

    query: Query
    filter: DocumentFilter
    slices: tuple[Slice, ...]
    hits: "HitFilter"

    def hits_on(self, snapshot: Snapshot, generation: int) -> Hits:
        """Return its hits on a snapshot.

        Raises
        ------
        QueryError
        """
        return _OTHERS.of(snapshot).get_or(
            (self, generation), lambda: self._run(snapshot, generation)
        )

    def _run(self, snapshot: Snapshot, generation: int) -> Hits:
        wanted = replace(self.filter, generation=generation)
        found = RESULTS.of(snapshot).get_or(
            (self.query, wanted), lambda: run(snapshot, self.query, wanted)
        )
        hits = narrow(found, self.hits)
        if not self.slices:
            return hits
        selection, zone = select(snapshot, wanted), timezone.get_default_timezone()
        return narrow_hits(hits, selection, self.slices, zone)


@dataclass(frozen=True, slots=True)
class HitFilter:
    """Which hits of a query are kept; the parts apply in this order.

    Parameters
    ----------
    near, not_near : Condition or None
        A token that must stand near the node, and one that must not.
    reach : Reach
        How far from the node these two look.
    overlaps : str
        ``all``, or ``join`` to take hits that overlap for readings of one.
    one_each : str
        ``text`` for the first hit of each text, ``random`` for a random one, empty for all.
    seed : int
        For the random one.
    also, less : OtherSearch or None
        Another search that must have found the place too, and one that must not: one of its hits
        overlaps.
    """

    near: Condition | None = None
    not_near: Condition | None = None
    reach: Reach = field(default_factory=Reach)
    overlaps: str = "all"
    one_each: str = ""
    seed: int = 1
    also: OtherSearch | None = None
    less: OtherSearch | None = None

    @property
    def others(self) -> tuple[OtherSearch, ...]:
        """The searches that hits are set beside."""
        return tuple(other for other in (self.also, self.less) if other is not None)

    @property
    def keeps_all(self) -> bool:
        """Whether nothing is left out."""
        asked = (self.also, self.less, self.near, self.not_near)
        is_context = any(one is not None for one in asked)
        return not is_context and self.overlaps == "all" and not self.one_each


_KEPT: Remembered[HitFilter, Hits] = Remembered()
_OTHERS: Remembered[tuple[OtherSearch, int], Hits] = Remembered(4)  # up to 16 bytes a hit


def narrow(hits: Hits, wanted: HitFilter) -> Hits:
    """Apply a filter.

    Raises
    ------
    QueryTooExpensiveError
        If there are so many hits that looking at each would take too long.
    QueryError
        If the token cannot be looked for.
    """
    if wanted.keeps_all:
        return hits
    return _KEPT.of(hits).get_or(wanted, lambda: _narrow(hits, wanted))


def _narrow(hits: Hits, wanted: HitFilter) -> Hits:
    if hits.total > MOST_SORTED:
        raise QueryTooExpensiveError(
            f"These are {grouped(hits.total)} hits, too many to look at the context of each. "
            "Make the query more specific, or search a shorter period or fewer publications."
        )
    return _narrowed(hits, wanted)


def _narrowed(hits: Hits, wanted: HitFilter) -> Hits:
    for condition, is_wanted in ((wanted.near, True), (wanted.not_near, False)):
        if condition is not None:
            test = TokenCondition(hits.snapshot, condition)
            hits = near(hits, test, wanted.reach, wanted=is_wanted)
    if wanted.overlaps == "join":
        hits = join_overlapping(hits)
    if wanted.one_each == "text":
        hits = first_of_each_text(hits)
    elif wanted.one_each:
        hits = random_of_each_text(hits, wanted.seed)
    for other, is_wanted in ((wanted.also, True), (wanted.less, False)):
        if other is not None:
            others = other.hits_on(hits.snapshot, hits.generation)
            hits = found_too(hits, others, wanted=is_wanted)
    return hits


def near_condition(text: str) -> Condition | None:
    """Read a token that is to stand near the node: a simple word, or CQL if it begins like it.

    Returns
    -------
    Condition or None
        None for an empty text.

    Raises
    ------
    QueryError
        If it is more than one token, or no query at all.

    Examples
    --------
    >>> near_condition('[pos="VB.*"]').pattern, near_condition("rain|snow").conditions[1].pattern
    ('VB.*', 'snow')
    """
    if not text:
        return None
    language = Language.CQL if text.startswith(_BEGINS_CQL) else Language.SIMPLE
    query = parse(text, language, tokenize=_words)
    condition = _of_one_token(query.pattern)
    if condition is None or query.constraint is not None:
        raise QueryError("Write a single word, or one token in CQL.")
    return condition


def _of_one_token(pattern: Pattern) -> Condition | None:
    if isinstance(pattern, Token) and not isinstance(pattern.condition, Anything):
        return pattern.condition
    if isinstance(pattern, Alternatives):
        conditions = [_of_one_token(choice) for choice in pattern.choices]
        known = tuple(condition for condition in conditions if condition is not None)
        return Or(known) if len(known) == len(conditions) else None
    return None


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text)]
