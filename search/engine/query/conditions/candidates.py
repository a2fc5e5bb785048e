"""Where the tokens of a condition stand: positions of a segment, or types of the lexicon.

Input → output: a label → the types and positions of the tokens it names, one per candidate.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from search.engine.arrays import I64, U32, Mask
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.errors import QueryError

UNSET = -1  # position of a label that no token has on this way through the pattern


@dataclass(frozen=True, slots=True)
class TypeCandidates:
    """All types of the lexicon: for conditions that the type of the token itself decides."""

    snapshot: Snapshot

    def __len__(self) -> int:
        return self.snapshot.lexicon.size.n_types

    def types(self, label: str) -> tuple[U32, Mask | None]:
        """Return the types of the tokens of a label, and where it is set (None: everywhere)."""
        if label:
            raise QueryError(f"The label “{label}” is not known here.")
        return np.arange(len(self), dtype=np.uint32), None


@dataclass(frozen=True, slots=True)
class PositionCandidates:
    """Candidates in a segment.

    Parameters
    ----------
    size : int
        Number of candidates.
    this : ndarray of shape (size,) or None
        Positions of the token the condition is about; None after ``::``.
    labels : mapping
        Positions of labelled tokens, ``UNSET`` where there is none.
    """

    snapshot: Snapshot
    segment: Segment
    size: int
    this: I64 | None
    labels: Mapping[str, I64] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.size

    def positions(self, label: str) -> I64:
        """Return where the tokens of a label stand; an empty label is the token itself."""
        found = self.labels.get(label) if label else self.this
        return np.full(self.size, UNSET) if found is None else found

    def types(self, label: str) -> tuple[U32, Mask | None]:
        """Return the types of the tokens of a label, and where it is set (None: everywhere)."""
        inside, positions = self.inside(label)
        if inside is None:
            return self.segment.stream[positions], None
        types = np.zeros(self.size, dtype=np.uint32)
        types[inside] = self.segment.stream[positions[inside]]
        return types, inside

    def inside(self, label: str) -> tuple[Mask | None, I64]:
        """Return which positions of a label lie in the segment (None: all), and the positions."""
        positions = self.positions(label)
        inside: Mask = (positions >= 0) & (positions < self.segment.n_tokens)
        return (None if bool(inside.all()) else inside), positions


Candidates = TypeCandidates | PositionCandidates
