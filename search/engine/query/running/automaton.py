"""A pattern as a position automaton (Glushkov): its tokens, and which may follow which.

Input → output: a pattern of the syntax tree → ``Automaton``. Edges such as ``<s>`` consume nothing,
so they become conditions of the transitions that pass over them.

References
----------
V. M. Glushkov, The abstract theory of automata, Russian Mathematical Surveys 16 (1961); G. Navarro
and M. Raffinot, Flexible Pattern Matching in Strings (2002), ch. 5, for the bit-parallel run.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from search.engine.query.ast import Alternatives, Edge, Pattern, Repetition, Sequence, Token
from search.engine.query.errors import QueryError
from search.engine.query.limits import MAX_ELEMENTS, MAX_WAYS

Edges = frozenset[Edge]
Ways = frozenset[Edges]  # any one of these sets of edges has to hold

FREE: Ways = frozenset({frozenset()})


@dataclass(slots=True)
class Automaton:
    """Elements (tokens) by number, and the ways between them.

    ``first`` says which elements can begin a match and ``last`` which can end one; ``follow[i]``
    which can come right after element i. Each with the edges that have to lie at that place;
    ``across_texts`` says whether these may be of the text before or behind.
    """

    elements: list[Token] = field(default_factory=list)
    first: dict[int, Ways] = field(default_factory=dict)
    last: dict[int, Ways] = field(default_factory=dict)
    follow: list[dict[int, Ways]] = field(default_factory=list)
    across_texts: bool = False
    n_ways: int = 0

    def reversed(self) -> "Automaton":
        """Return the automaton of the pattern read backwards."""
        back: list[dict[int, Ways]] = [{} for _ in self.elements]
        for i, targets in enumerate(self.follow):
            for j, ways in targets.items():
                back[j][i] = ways
        return Automaton(self.elements, self.last, self.first, back, self.across_texts)

    def linear_edges(self) -> list[Edges] | None:
        """Return the edges before each element and after the last if the pattern is a plain row.

        None when elements can be repeated, left out or exchanged.
        """
        n = len(self.elements)
        steps = [self.first, *self.follow[:-1]] if n else []
        if not n or set(self.last) != {n - 1} or self.follow[-1]:
            return None
        places = []
        for i, step in enumerate([*steps, {n: self.last[n - 1]}]):
            if set(step) != {i} or len(step[i]) != 1:
                return None
            places.append(next(iter(step[i])))
        return places


@dataclass(slots=True)
class _Fragment:
    """A stretch of the pattern: how it can be empty, how it begins and how it ends."""

    empty: Ways
    first: dict[int, Ways]
    last: dict[int, Ways]


def build_automaton(pattern: Pattern, *, across_texts: bool = False) -> Automaton:
    """Build the automaton of a pattern without meet and union.

    Raises
    ------
    QueryError
        If the pattern is too long with its repetitions written out.
    """
    automaton = Automaton(across_texts=across_texts)
    whole = _build(automaton, pattern)
    automaton.first, automaton.last = whole.first, whole.last
    return automaton


def _build(automaton: Automaton, pattern: Pattern) -> _Fragment:
    match pattern:
        case Token():
            return _element(automaton, pattern)
        case Edge():
            return _Fragment(frozenset({frozenset({pattern})}), {}, {})
        case Sequence(items):
            return _sequence(automaton, items)
        case Alternatives(choices):
            return _either([_build(automaton, choice) for choice in choices])
        case Repetition():
            return _repeat(automaton, pattern)
        case _:
            raise QueryError("MU stands alone, not inside a pattern.", 0)


def _sequence(automaton: Automaton, items: tuple[Pattern, ...]) -> _Fragment:
    """Join items; between ``<s>`` and the next ``</s>`` the sentence must not end (nor a text)."""
    whole = _Fragment(FREE, {}, {})
    opened: dict[str, int] = {}
    for item in items:
        inner = _build(automaton, item)
        if isinstance(item, Edge) and not item.is_start and item.structure in opened:
            _close_region(automaton, opened.pop(item.structure), item.structure)
            whole = _not_just_opened(whole, item.structure)
        whole = _concatenate(automaton, whole, inner)
        if isinstance(item, Edge) and item.is_start:
            opened[item.structure] = len(automaton.elements)
    return whole


def _close_region(automaton: Automaton, start: int, structure: str) -> None:
    """Forbid region starts between the elements from a number on (CQP's strict regions)."""
    inside = frozenset({frozenset({Edge(structure, is_start=True, is_absent=True)})})
    for i in range(start, len(automaton.elements)):
        for j in automaton.follow[i]:
            automaton.follow[i][j] = _both(automaton.follow[i][j], inside)


def _not_just_opened(fragment: _Fragment, structure: str) -> _Fragment:
    """Leave out the ways that end where a region opens: it holds a token before it can close."""

    def kept(ways: Ways) -> Ways:
        return frozenset(
            edges
            for edges in ways
            if not any(e.structure == structure and e.is_start and not e.is_absent for e in edges)
        )

    last = {i: kept(ways) for i, ways in fragment.last.items()}
    return _Fragment(
        kept(fragment.empty), fragment.first, {i: ways for i, ways in last.items() if ways}
    )


def _element(automaton: Automaton, token: Token) -> _Fragment:
    number = len(automaton.elements)
    if number >= MAX_ELEMENTS:
        message = f"With its repetitions written out the pattern has over {MAX_ELEMENTS} tokens."
        raise QueryError(message, token.position)
    automaton.elements.append(token)
    automaton.follow.append({})
    return _Fragment(frozenset(), {number: FREE}, {number: FREE})


def _concatenate(automaton: Automaton, left: _Fragment, right: _Fragment) -> _Fragment:
    automaton.n_ways += len(left.last) * len(right.first)
    if automaton.n_ways > MAX_WAYS:
        raise QueryError("There are too many ways through the pattern; make it simpler.", 0)
    for i, leaving in left.last.items():
        for j, entering in right.first.items():
            _add(automaton.follow[i], j, _both(leaving, entering))
    first, last = dict(left.first), dict(right.last)
    if left.empty:
        for j, ways in right.first.items():
            _add(first, j, _both(left.empty, ways))
    if right.empty:
        for i, ways in left.last.items():
            _add(last, i, _both(ways, right.empty))
    return _Fragment(_both(left.empty, right.empty), first, last)


def _either(fragments: list[_Fragment]) -> _Fragment:
    first: dict[int, Ways] = {}
    last: dict[int, Ways] = {}
    for fragment in fragments:
        first.update(fragment.first)
        last.update(fragment.last)
    return _Fragment(_simplest(ways for f in fragments for ways in f.empty), first, last)


def _repeat(automaton: Automaton, repetition: Repetition) -> _Fragment:
    """Write a repetition out: the least number of copies, then optional ones or a loop."""
    whole = _Fragment(FREE, {}, {})
    copies = repetition.least if repetition.most is not None else max(repetition.least, 1)
    last_copy = whole
    for _ in range(copies):
        last_copy = _build(automaton, repetition.inner)
        whole = _concatenate(automaton, whole, last_copy)
    if repetition.most is None:
        for i, leaving in last_copy.last.items():
            for j, entering in last_copy.first.items():
                _add(automaton.follow[i], j, _both(leaving, entering))
        if repetition.least == 0:
            whole.empty = FREE
        return whole
    # Built in order, so that neighbours have neighbouring numbers and one shift moves them all.
    optional = [
        _build(automaton, repetition.inner) for _ in range(repetition.most - repetition.least)
    ]
    rest = _Fragment(FREE, {}, {})
    for inner in reversed(optional):
        rest = _concatenate(automaton, inner, rest)
        rest.empty = FREE
    return _concatenate(automaton, whole, rest)


def _add(steps: dict[int, Ways], target: int, ways: Ways) -> None:
    known = steps.get(target)
    steps[target] = ways if known is None else _simplest([*known, *ways])


def _both(left: Ways, right: Ways) -> Ways:
    if left == FREE:  # as most often
        return right
    return _simplest(a | b for a in left for b in right)


def _simplest(ways: Iterable[Edges]) -> Ways:
    """Drop ways that ask for more than another one."""
    unique = set(ways)
    return frozenset(way for way in unique if not any(other < way for other in unique))
