"""Conditions on one token, compiled against a snapshot: on the lexicon first, on positions after.

Input → output: a condition of the syntax tree → the set of types that may meet it, and a test of
positions. A condition on word, lemma and tag alone is decided by the type; one that also looks at
the document is narrowed by the types and then tested.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt

from search.index.columns import DocumentColumns
from search.index.documents import DocumentKind
from search.index.lexicon import LexiconView
from search.index.postings import FEW_SHARE
from search.index.reader import Snapshot
from search.index.segment import Segment
from search.index.strings import encode_strings, make_chunk
from search.query.ast import And, Anything, Attribute, Condition, Match, Not, Or, SameAs, TextMatch
from search.query.errors import QueryError
from search.query.patterns import Matcher, matching_forms, matching_values

Mask = npt.NDArray[np.bool_]
I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
Index = npt.NDArray[np.intp]

TAG_TABLE_SIZE = 256


class TokenCondition:
    """A compiled condition.

    Attributes
    ----------
    may : ndarray of shape (n_types,)
        Types that can meet the condition (all that do, unless it also looks at documents).
    n_tokens : int
        Positions whose type may meet it, over all segments: an upper bound of its hits.
    """

    def __init__(self, snapshot: Snapshot, condition: Condition) -> None:
        self._snapshot = snapshot
        self._condition = condition
        self.is_anything = isinstance(condition, Anything)
        self.may, _ = _bounds(snapshot.lexicon, condition)
        self.looks_at_documents = _looks_at_documents(condition)
        self._tag_table = None if self.looks_at_documents else _tag_table(snapshot, condition)

    @cached_property
    def n_tokens(self) -> int:
        """Upper bound of the number of hits."""
        if self.is_anything:
            return self._snapshot.n_tokens
        return int(self._snapshot.type_counts[self.may].sum())

    @cached_property
    def types(self) -> U32:
        """Numbers of the types that may meet the condition."""
        return np.flatnonzero(self.may).astype(np.uint32)

    def rows(self, segment: Segment) -> Index:
        """Return the rows of a segment's postings whose type may meet the condition."""
        present = segment.postings.types
        if len(self.types) < len(present) // FEW_SHARE:
            return segment.postings.rows(self.types)
        return np.flatnonzero(self.may[present])

    def positions(self, segment: Segment) -> I64:
        """Return all positions of a segment that meet the condition, ascending."""
        if self.is_anything:
            return np.arange(segment.n_tokens)
        found = segment.postings.of_rows(self.rows(segment)).astype(np.int64)
        return found[self.holds(segment, found)] if self.looks_at_documents else found

    def holds(self, segment: Segment, positions: npt.NDArray[np.integer]) -> Mask:
        """Return which of some positions meet the condition."""
        if self.is_anything:
            return np.ones(len(positions), dtype=np.bool_)
        if self._tag_table is not None:
            by_tag: Mask = self._tag_table[segment.tags[positions]]
            return by_tag
        result = self._holds_type(segment.stream[positions])
        if self.looks_at_documents:
            rows = segment.document_of(positions)
            result &= _evaluate(self._snapshot, self._condition, segment, (positions, rows))
        return result

    def scan(self, segment: Segment, start: int, stop: int) -> Mask:
        """Return which positions of a stretch meet the condition."""
        if self.is_anything:
            return np.ones(stop - start, dtype=np.bool_)
        if self._tag_table is not None:
            tags = segment.tags[start:stop]
            accepted = np.flatnonzero(self._tag_table).tolist()
            if len(accepted) == 1:
                same: Mask = tags == accepted[0]
                return same
            by_tag: Mask = self._tag_table[tags]
            return by_tag
        result = self._holds_type(segment.stream[start:stop])
        if self.looks_at_documents:
            positions = np.arange(start, stop)
            rows = segment.document_of(positions)
            result &= _evaluate(self._snapshot, self._condition, segment, (positions, rows))
        return result

    def _holds_type(self, types: U32) -> Mask:
        result: Mask = types == int(self.types[0]) if len(self.types) == 1 else self.may[types]
        return result


def _bounds(lexicon: LexiconView, condition: Condition) -> tuple[Mask, Mask]:
    """Return the types that may meet a condition and those that must."""
    n_types = lexicon.size.n_types
    match condition:
        case Match():
            table = _types_matching(lexicon, condition)
            return table, table
        case Not(inner):
            may, must = _bounds(lexicon, inner)
            return ~must, ~may
        case And(conditions) | Or(conditions):
            join = np.logical_and if isinstance(condition, And) else np.logical_or
            pairs = [_bounds(lexicon, part) for part in conditions]
            return reduce(join, [pair[0] for pair in pairs]), reduce(join, [p[1] for p in pairs])
        case Anything():
            everything = np.ones(n_types, dtype=np.bool_)
            return everything, everything
        case SameAs():
            message = "A comparison with a label must stand alone or beside &."
            raise QueryError(message, condition.position)
        case TextMatch():
            return np.ones(n_types, dtype=np.bool_), np.zeros(n_types, dtype=np.bool_)


def _types_matching(lexicon: LexiconView, match: Match) -> Mask:
    if match.attribute is Attribute.TAG:
        table = _tags_matching(lexicon, match)[lexicon.tags]
    else:
        flags = (match.ignore_case, match.ignore_accents, match.literal)
        forms = matching_forms(lexicon, match.pattern, flags, match.position)
        column = lexicon.words if match.attribute is Attribute.WORD else lexicon.lemmas
        table = forms[column]
    return ~table if match.negated else table


def _tags_matching(lexicon: LexiconView, match: Match) -> Mask:
    """Return which tags match, without regard to negation."""
    names = lexicon.tag_names()
    if match.literal:
        return np.array([name == match.pattern for name in names], dtype=np.bool_)
    matcher = Matcher(match.pattern, match.position, ignore_case=match.ignore_case)
    return matcher.match(make_chunk(0, encode_strings(names)))


def _tag_table(snapshot: Snapshot, condition: Condition) -> Mask | None:
    """Return the condition by tag number if it looks at nothing else."""
    decide = _tag_mask(snapshot.lexicon, condition)
    if decide is None:
        return None
    table = np.zeros(TAG_TABLE_SIZE, dtype=np.bool_)
    table[: len(decide)] = decide
    return table


def _tag_mask(lexicon: LexiconView, condition: Condition) -> Mask | None:
    if isinstance(condition, Match) and condition.attribute is Attribute.TAG:
        mask = _tags_matching(lexicon, condition)
        return ~mask if condition.negated else mask
    if isinstance(condition, Not):
        inner = _tag_mask(lexicon, condition.condition)
        return None if inner is None else ~inner
    if isinstance(condition, And | Or):
        masks = [_tag_mask(lexicon, part) for part in condition.conditions]
        known = [mask for mask in masks if mask is not None]
        if len(known) == len(masks):
            return reduce(np.logical_and if isinstance(condition, And) else np.logical_or, known)
    return None


def _looks_at_documents(condition: Condition) -> bool:
    match condition:
        case TextMatch():
            return True
        case Not(inner):
            return _looks_at_documents(inner)
        case And(conditions) | Or(conditions):
            return any(_looks_at_documents(part) for part in conditions)
        case _:
            return False


def _evaluate(
    snapshot: Snapshot,
    condition: Condition,
    segment: Segment,
    at: tuple[npt.NDArray[np.integer], Index],
) -> Mask:
    """Test positions, given with their document rows, part by part."""
    positions, rows = at
    match condition:
        case TextMatch():
            by_document: Mask = documents_matching(snapshot, condition, segment)[rows]
            return by_document
        case Not(inner):
            return ~_evaluate(snapshot, inner, segment, at)
        case And(conditions) | Or(conditions):
            join = np.logical_and if isinstance(condition, And) else np.logical_or
            return reduce(join, [_evaluate(snapshot, part, segment, at) for part in conditions])
        case _:
            may, _ = _bounds(snapshot.lexicon, condition)
            by_type: Mask = may[segment.stream[positions]]
            return by_type


# Conditions on documents


@dataclass(frozen=True, slots=True)
class _ColumnTest:
    """How the values of a column that is no string column are spelled in queries."""

    values: Callable[[DocumentColumns], npt.NDArray[np.integer]]
    spell: Callable[[int], str]


_SPELLED: dict[str, _ColumnTest] = {
    "kind": _ColumnTest(lambda c: c.kind, lambda value: DocumentKind(value).label),
    "day": _ColumnTest(lambda c: c.day, lambda value: str(np.datetime64(value, "D"))),
    "key": _ColumnTest(lambda c: c.key, str),
}


def documents_matching(snapshot: Snapshot, test: TextMatch, segment: Segment) -> Mask:
    """Return which documents of a segment meet a condition on a document column."""
    columns = segment.documents
    spelled = _SPELLED.get(test.column)
    if spelled is None:
        values = matching_values(
            snapshot.lexicon, test.pattern, test.position, ignore_case=test.ignore_case
        )
        mask: Mask = values[getattr(columns, test.column)]
    else:
        unique, inverse = np.unique(spelled.values(columns), return_inverse=True)
        names = [spelled.spell(int(value)) for value in unique.tolist()]
        matcher = Matcher(test.pattern, test.position, ignore_case=test.ignore_case)
        mask = matcher.match(make_chunk(0, encode_strings(names)))[inverse]
    return ~mask if test.negated else mask
