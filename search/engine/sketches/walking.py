"""Walks a pattern from many tokens at once: where it can end, whatever way it took.

Input → output: a pattern, a field of tokens and the boundaries reached so far, each with the
anchors that reached it → the boundaries reached behind (or before) the pattern.

Boundary *b* of an anchor lies before the token *b* places to its right: 0 is before the anchor
itself, 1 behind it. All ways through a pattern are followed together, as sets; so the work is that
of its elements times the places they can stand at, however many ways there are, and falls with the
anchors that are left.
"""

from collections.abc import Iterable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.engine.query.ast import (
    Alternatives,
    Condition,
    Edge,
    Pattern,
    Repetition,
    Sequence,
    Token,
)

Index = npt.NDArray[np.intp]
Reached = dict[int, Index]  # by boundary, the numbers of anchors, ascending


class Field(Protocol):
    """Tokens around anchors: what holds at a distance from each, inside its sentence."""

    def meeting(self, condition: Condition, offset: int, chosen: Index) -> Index:
        """Return those anchors whose token at an offset is in the sentence and meets it."""

    def at_edge(self, boundary: int, chosen: Index, *, is_start: bool) -> Index:
        """Return those anchors whose sentence starts (or ends) at a boundary."""


def advance(field: Field, pattern: Pattern, reached: Reached, *, forward: bool = True) -> Reached:
    """Take a pattern from the boundaries reached so far, to the right or to the left.

    Parameters
    ----------
    pattern : Pattern
        Of tokens, edges of sentences, groups, alternatives and bounded repetitions.

    Returns
    -------
    dict
        Anchors by boundary; none that is empty.
    """
    match pattern:
        case Token():
            step = 1 if forward else -1
            at = 0 if forward else -1
            passed = (
                (boundary + step, field.meeting(pattern.condition, boundary + at, chosen))
                for boundary, chosen in reached.items()
            )
            return {boundary: chosen for boundary, chosen in passed if len(chosen)}
        case Edge():
            passed = (
                (boundary, field.at_edge(boundary, chosen, is_start=pattern.is_start))
                for boundary, chosen in reached.items()
            )
            return {boundary: chosen for boundary, chosen in passed if len(chosen)}
        case Sequence(items):
            for item in items if forward else reversed(items):
                reached = advance(field, item, reached, forward=forward)
            return reached
        case Alternatives(choices):
            return joined(advance(field, choice, reached, forward=forward) for choice in choices)
        case Repetition():
            return _repeated(field, pattern, reached, forward=forward)
        case _:
            raise TypeError(f"no pattern of a sketch grammar: {pattern}")


def joined(parts: Iterable[Reached]) -> Reached:
    """Put together what several ways have reached."""
    found: dict[int, list[Index]] = {}
    for part in parts:
        for boundary, chosen in part.items():
            found.setdefault(boundary, []).append(chosen)
    return {boundary: _union(sets) for boundary, sets in found.items()}


def _union(sets: list[Index]) -> Index:
    """Join ascending sets; sorting costs less than `np.unique`, which hashes."""
    if len(sets) == 1:
        return sets[0]
    both = np.concatenate(sets)
    both.sort()
    new = np.ones(len(both), dtype=np.bool_)
    np.not_equal(both[1:], both[:-1], out=new[1:])
    return both[new]


def _repeated(field: Field, pattern: Repetition, reached: Reached, *, forward: bool) -> Reached:
    found = [reached] if pattern.least == 0 else []
    for times in range(1, (pattern.most or 0) + 1):
        reached = advance(field, pattern.inner, reached, forward=forward)
        if not reached:
            break
        if times >= pattern.least:
            found.append(reached)
    return joined(found)
