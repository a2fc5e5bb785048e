"""Conditions on one token, compiled against a snapshot: on the lexicon first, on positions after.

Input → output: a condition of the syntax tree → the set of types that may meet it, and a test of
positions. A condition on word, lemma and tag alone is decided by the type; one that also looks at
the document is narrowed by the types and then tested.
"""

from functools import partial, reduce

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.arrays import I64, U32, U64, Index, Mask
from search.engine.index.joined_names import JOINED_COLUMNS
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.reader import Snapshot
from search.engine.index.segments.postings import FEW_SHARE
from search.engine.index.segments.segment import Segment
from search.engine.index.set_bits import WORD_BITS, bits_at, chosen
from search.engine.query.ast import (
    And,
    Anything,
    Attribute,
    AttributeMatch,
    Compare,
    Condition,
    Exists,
    Not,
    Or,
    TextMatch,
)
from search.engine.query.conditions.candidates import PositionCandidates, TypeCandidates
from search.engine.query.conditions.comparing import (
    combined,
    compare,
    is_of_type,
    leaves,
    looks_at_documents,
    match_names,
    match_strings,
    string_of,
)
from search.engine.query.conditions.inverse import indices_of
from search.engine.query.conditions.kept_bits import kept_bits, packed_bits, stretch_of
from search.engine.query.conditions.patterns import (
    matching_ascii,
    matching_forms,
    matching_stems,
    matching_tags,
    matching_values,
)
from search.engine.query.conditions.tag_test import TABLE_NS, TagTest, is_any
from search.engine.query.conditions.text_columns import SPELLED, column_spellings
from search.engine.query.conditions.values import type_column

FORMS_SHARE = 4  # more forms than one in so many are no "few"
FEW_TYPES = 6  # so many comparisons each are faster than a table, as with tags
SCAN_SHARE = 16  # a condition on types met by more than one token in so many: scan, do not sort
TYPE_NS = 0.3  # measured: comparing the types of a block with one, and joining the results
TAG_SCAN_SHARE = 150  # the same for tags: 0.17 ns a token against 25 ns a position sorted


class TokenCondition:
    """A compiled condition.

    Conditions on the tag alone are tested on the tag stream, others on the types.
    """

    def __init__(self, snapshot: Snapshot, condition: Condition) -> None:
        self._snapshot = snapshot
        self.condition = condition
        self.is_anything = isinstance(condition, Anything)
        self.looks_at_documents = looks_at_documents(condition)
        tags = None if self.is_anything else _tag_mask(snapshot.lexicon, condition)
        self._tags = None if tags is None else TagTest(tags)
        few = None
        if self._tags is None and not self.looks_at_documents:
            few = few_types(snapshot, condition)
        self._few = few
        if few is None and self._tags is None:
            _ = self.may  # now, so that what is wrong with it is said at once

    @cached_property
    def may(self) -> Mask:
        """Types that can meet the condition (all that do, unless it also looks at documents)."""
        lexicon = self._snapshot.lexicon
        if self._few is not None:
            table = np.zeros(lexicon.size.n_types, dtype=np.bool_)
            table[self._few] = True
            return table
        if self._tags is not None:
            return self._tags.holds(lexicon.tags)
        return _bounds(self._snapshot, self.condition)[0]

    @cached_property
    def types(self) -> U32:
        """I64 of the types that may meet the condition, ascending."""
        types = np.flatnonzero(self.may) if self._few is None else self._few
        return types.astype(np.uint32)

    @cached_property
    def n_tokens(self) -> int:
        """Positions whose type may meet it, over all segments: an upper bound of its hits."""
        if self.is_anything:
            return self._snapshot.n_tokens
        if self._tags is not None:
            return int(self._snapshot.tag_counts[self._tags.mask].sum())
        counts = self._snapshot.type_counts
        return int(counts[self.may if self._few is None else self._few].sum())

    @property
    def tag_mask(self) -> Mask | None:
        """Which tags meet the condition if it looks at nothing else: shape (n_tags,)."""
        return None if self._tags is None else self._tags.mask

    @property
    def scan_ns(self) -> float:
        """Roughly what scanning costs, in ns a token; to compare ways of running a query."""
        if self.is_anything:
            return 0.0
        if self._tags is not None:
            return self._tags.scan_ns
        few = len(self.types) <= FEW_TYPES
        return TYPE_NS * len(self.types) if few else TABLE_NS

    @property
    def is_in_order(self) -> bool:
        """Whether positions come in order without sorting."""
        return self.is_anything or self.is_scanned or len(self.types) == 1

    @cached_property
    def is_scanned(self) -> bool:
        """Whether its positions are read off its bits, being so many."""
        if self._tags is not None:
            return self.n_tokens * TAG_SCAN_SHARE > self._snapshot.n_tokens
        return self.n_tokens * SCAN_SHARE > self._snapshot.n_tokens and len(self.types) > 1

    def rows(self, segment: Segment) -> Index:
        """Return the rows of a segment's postings whose type may meet the condition."""
        present = segment.postings.types
        if self._few is not None or len(self.types) < len(present) // FEW_SHARE:
            return segment.postings.rows(self.types)
        return np.flatnonzero(self.may[present])

    def positions(self, segment: Segment) -> I64:
        """Return all positions of a segment that meet the condition, ascending."""
        if self.is_anything:
            return np.arange(segment.n_tokens)
        if self.is_scanned:
            return bits_at(self.bits(segment))
        found = segment.postings.of_rows(self.rows(segment)).astype(np.int64)
        return chosen(found, self.holds(segment, found)) if self.looks_at_documents else found

    def positions_by_type(self, segment: Segment) -> I64:
        """Return the same positions in no particular order; saves sorting those of many types."""
        if self.is_in_order:
            return self.positions(segment)
        postings = segment.postings
        lists = [postings.of_row(row) for row in self.rows(segment).tolist()]
        found = np.concatenate([postings.positions[:0], *lists]).astype(np.int64)
        return chosen(found, self.holds(segment, found)) if self.looks_at_documents else found

    def bits(self, segment: Segment) -> U64:
        """Return which tokens of a segment meet the condition; kept where their tags decide.

        Bit ``p % 64`` of word ``p // 64`` is of position p; the one behind the last is not set.
        """
        scan = partial(self.scan, segment)
        if self._tags is None:
            return packed_bits(segment.n_tokens, scan)
        return kept_bits(segment, self._tags.mask.tobytes(), scan)

    def scan_bits(self, segment: Segment, low: int, high: int) -> U64:
        """Return a stretch of the words of `bits`, made of its tokens alone."""
        first, n_tokens = low * WORD_BITS, min(high * WORD_BITS, segment.n_tokens) - low * WORD_BITS

        def scan(start: int, stop: int) -> Mask:
            return self.scan(segment, first + start, first + stop)

        return stretch_of(packed_bits(max(n_tokens, 0), scan), 0, high - low)

    def holds(self, segment: Segment, positions: npt.NDArray[np.integer]) -> Mask:
        """Return which of some positions meet the condition."""
        if self.is_anything:
            return np.ones(len(positions), dtype=np.bool_)
        if self._tags is not None:
            return self._tags.holds(segment.tags.take(positions))
        result = self.holds_types(segment.stream.take(positions))
        if self.looks_at_documents:
            result &= self._evaluate(segment, positions)
        return result

    def scan(self, segment: Segment, start: int, stop: int) -> Mask:
        """Return which positions of a stretch meet the condition."""
        if self.is_anything:
            return np.ones(stop - start, dtype=np.bool_)
        if self._tags is not None:
            return self._tags.holds(segment.tags[start:stop])
        result = self.holds_types(segment.stream[start:stop])
        if self.looks_at_documents:
            result &= self._evaluate(segment, np.arange(start, stop))
        return result

    def scan_texts(self, segment: Segment, bounds: list[tuple[int, int]]) -> Mask:
        """Return which positions of several stretches meet the condition, decided by the type."""
        if self._tags is not None:
            tags = [segment.tags[start:stop] for start, stop in bounds]
            return self._tags.holds(np.concatenate([segment.tags[:0], *tags]))
        types = [segment.stream[start:stop] for start, stop in bounds]
        return self.holds_types(np.concatenate([segment.stream[:0], *types]))

    def holds_types(self, types: U32) -> Mask:
        """Return which of some types meet the condition, as far as types decide it."""
        if len(self.types) <= FEW_TYPES:
            return is_any(types, self.types.tolist())
        by_table: Mask = self.may.take(types)
        return by_table

    def _evaluate(self, segment: Segment, positions: npt.NDArray[np.integer]) -> Mask:
        """Test positions part by part, those parts on documents as well."""
        rows, types = segment.document_of(positions), segment.stream[positions]
        wide = positions.astype(np.int64)
        candidates = PositionCandidates(self._snapshot, segment, len(positions), wide)

        def leaf(part: Condition) -> Mask:
            match part:
                case TextMatch():
                    by_document: Mask = documents_matching(self._snapshot, part, segment)[rows]
                    return by_document
                case Compare() | Exists() if not is_of_type(part):
                    return compare(part, candidates)
                case _:
                    by_type: Mask = _bounds(self._snapshot, part)[0][types]
                    return by_type

        return combined(self.condition, leaf)


class CompiledConditions(dict[Condition, TokenCondition]):
    """The conditions of a query, each compiled when it is first asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def __missing__(self, condition: Condition) -> TokenCondition:
        compiled = self[condition] = TokenCondition(self._snapshot, condition)
        return compiled

    def hold(self, condition: Condition, candidates: PositionCandidates) -> Mask:
        """Return which candidates meet a condition that may name labels."""

        def leaf(part: Condition) -> Mask:
            if isinstance(part, Compare | Exists):
                return compare(part, candidates)
            return self[part].holds(candidates.segment, candidates.positions(""))

        return combined(condition, leaf)


def few_types(snapshot: Snapshot, condition: Condition) -> I64 | None:
    """Return the types that meet a condition if they can be looked up, else None.

    They can if it asks for a few words or lemmas, whatever else it asks of them.
    """
    lexicon = snapshot.lexicon
    match condition:
        case AttributeMatch(attribute=Attribute.WORD | Attribute.LEMMA, negated=False):
            forms = _forms_matching(lexicon, condition)
            if len(forms) * FORMS_SHARE > lexicon.size.n_forms:
                return None
            column = "words" if condition.attribute is Attribute.WORD else "lemmas"
            return indices_of(lexicon, column, forms)
        case And(conditions):
            found = None
            others = list(conditions)
            for i, part in enumerate(conditions):
                found = few_types(snapshot, part)
                if found is not None:
                    del others[i]
                    break
            if found is None or any(map(looks_at_documents, others)):
                return None
            for part in others:
                found = found[_holds_for(snapshot, part, found)]
            return found
        case Or(conditions):
            each = [few_types(snapshot, part) for part in conditions]
            known = [types for types in each if types is not None]
            return np.unique(np.concatenate(known)) if len(known) == len(each) else None
        case _:
            return None


def _holds_for(snapshot: Snapshot, condition: Condition, types: I64) -> Mask:
    """Test a condition that does not look at documents on some types."""

    def leaf(part: Condition) -> Mask:
        tags, of_types = _tag_mask(snapshot.lexicon, part), snapshot.lexicon.tags[types]
        found: Mask = _bounds(snapshot, part)[0][types] if tags is None else tags[of_types]
        return found

    return combined(condition, leaf)


def _forms_matching(lexicon: LexiconView, match: AttributeMatch) -> I64:
    """Return the forms that match, without regard to negation."""
    flags = (match.ignore_case, match.ignore_accents, match.literal)
    return matching_forms(lexicon, match.pattern, flags, match.position)


def _bounds(snapshot: Snapshot, condition: Condition) -> tuple[Mask, Mask]:
    """Return the types that may meet a condition and those that must."""
    lexicon = snapshot.lexicon
    n_types = lexicon.size.n_types
    match condition:
        case AttributeMatch():
            table = _types_matching(lexicon, condition)
            return table, table
        case Not(inner):
            may, must = _bounds(snapshot, inner)
            return ~must, ~may
        case And(conditions) | Or(conditions):
            join = np.logical_and if isinstance(condition, And) else np.logical_or
            pairs = [_bounds(snapshot, part) for part in conditions]
            return reduce(join, [pair[0] for pair in pairs]), reduce(join, [p[1] for p in pairs])
        case Anything():
            everything = np.ones(n_types, dtype=np.bool_)
            return everything, everything
        case Compare() | Exists() if is_of_type(condition):
            table = compare(condition, TypeCandidates(snapshot))
            return table, table
        case Compare() | Exists() | TextMatch():
            return np.ones(n_types, dtype=np.bool_), np.zeros(n_types, dtype=np.bool_)


def _types_matching(lexicon: LexiconView, match: AttributeMatch) -> Mask:
    if match.attribute is Attribute.TAG:
        table = _tags_matching(lexicon, match)[lexicon.tags]
    elif match.attribute is Attribute.STEM:
        flags = (match.ignore_case, match.ignore_accents, match.literal)
        stems = matching_stems(lexicon, match.pattern, flags, match.position)
        table = stems[type_column(lexicon, match.attribute)]
    elif match.attribute is Attribute.ASCII:
        found = matching_ascii(lexicon, match.pattern, match.position, literal=match.literal)
        table = found[type_column(lexicon, match.attribute)]
    else:
        forms = np.zeros(lexicon.size.n_forms, dtype=np.bool_)
        forms[_forms_matching(lexicon, match)] = True
        table = forms[type_column(lexicon, match.attribute)]
    return ~table if match.negated else table


def _tags_matching(lexicon: LexiconView, match: AttributeMatch) -> Mask:
    """Return which tags match, without regard to negation."""
    if match.literal or match.ignore_accents:
        return match_strings(lexicon.tag_names(), string_of(match))
    return matching_tags(lexicon, match.pattern, match.position, ignore_case=match.ignore_case)


def _tag_mask(lexicon: LexiconView, condition: Condition) -> Mask | None:
    """Return which tags meet a condition on tags alone, None for any other."""
    masks: dict[Condition, Mask] = {}
    for leaf in leaves(condition):
        if not (isinstance(leaf, AttributeMatch) and leaf.attribute is Attribute.TAG):
            return None
        found = _tags_matching(lexicon, leaf)
        masks[leaf] = ~found if leaf.negated else found
    return combined(condition, masks.__getitem__)


# Conditions on documents


def documents_matching(snapshot: Snapshot, test: TextMatch, segment: Segment) -> Mask:
    """Return which documents of a segment meet a condition on a document column."""
    if test.column in JOINED_COLUMNS:
        numbers, values = column_spellings(snapshot, segment, test.column)
        mask = match_names(values.tolist(), string_of(test))[numbers]
    elif test.column in SPELLED or test.ignore_accents or test.literal:
        numbers, values = column_spellings(snapshot, segment, test.column)
        mask = match_strings(values.tolist(), string_of(test))[numbers]
    else:
        matching = matching_values(
            snapshot.lexicon, test.pattern, test.position, ignore_case=test.ignore_case
        )
        mask = matching[getattr(segment.documents, test.column)]
    return ~mask if test.negated else mask
