"""A pattern as a deterministic automaton whose alphabet are its elements, as CQP builds it.

Input → output: a pattern → elements in the order of the text, and a minimal automaton over their
numbers. Copies of an element that a repetition makes share its number. States are numbered as CQP
numbers them (breadth first, elements ordered as strings), because the order in which states are
visited decides which labels win when two ways through the pattern meet.

References
----------
K. Thompson, Regular expression search algorithm, Communications of the ACM 11 (1968); E. F. Moore,
Gedanken-experiments on sequential machines (1956), for the minimal automaton.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from search.engine.query.ast import (
    NO_TARGET,
    Alternatives,
    Anything,
    Edge,
    Pattern,
    Region,
    Repetition,
    Sequence,
    Token,
)
from search.engine.query.errors import QueryError
from search.engine.query.limits import MAX_ELEMENTS, MAX_WAYS

MAX_COMPARED = 3_000_000  # ways compared while states are put together, about a second
MAX_STATES = 5_000  # a choice may double them; patterns of tens of tokens have hundreds
Element = Token | Edge


@dataclass(frozen=True, slots=True)
class Dfa:
    """The automaton: state 0 is the start.

    ``steps[state]`` maps numbers of elements, ascending, to states; ``final`` are the states that
    end a match.
    """

    elements: tuple[Element, ...]
    steps: tuple[dict[int, int], ...]
    final: frozenset[int]


def build_dfa(pattern: Pattern) -> Dfa:
    """Build the automaton of a pattern without meet, union and table.

    Raises
    ------
    QueryError
        If the pattern is too long or too ambiguous, or matches no token at all.
    """
    nfa = _Nfa()
    start, end = nfa.add(spell_regions(pattern))
    every_step, every_final = _subsets(nfa, start, end)
    if 0 in every_final:
        message = "The pattern can match nothing at all; at least one token must be needed."
        raise QueryError(message, 0, ("a word in quotes", "[]"))
    steps, final = _ordered(*_minimal(every_step, every_final))
    return Dfa(tuple(nfa.elements), steps, final)


def spell_regions(pattern: Pattern) -> Pattern:
    """Write ``<<s>>`` as ``<s> []* [] </s>``, in a pair of edges of its own."""
    match pattern:
        case Region():
            return _region(pattern)
        case Sequence(items):
            return Sequence(tuple(map(spell_regions, items)))
        case Alternatives(choices):
            return Alternatives(tuple(map(spell_regions, choices)))
        case Repetition(item):
            return replace(pattern, inner=spell_regions(item))
        case _:
            return pattern


def _region(region: Region) -> Pattern:
    name = f"{region.structure}·{region.position}"
    opening = Edge(region.structure, is_start=True, name=name, position=region.position)
    start: tuple[Pattern, ...] = (opening,)
    anything = Anything(region.position)
    if region.start_label or region.start_target != NO_TARGET:
        ahead = Token(anything, region.start_label, region.start_target, is_ahead=True)
        start = (opening, ahead)
    if region.is_empty:
        return Sequence(start)
    middle = Repetition(Token(anything, position=region.position), 0, None)
    last = Token(anything, region.end_label, region.end_target, position=region.position)
    closing = Edge(region.structure, is_start=False, name=name, position=region.position)
    return Sequence((*start, middle, last, closing))


@dataclass(slots=True)
class _Nfa:
    """Thompson's automaton: free steps, and steps with the number of an element.

    Elements have numbers by their place in the tree (equal elements at two places are two), in the
    order of the text.
    """

    free: list[list[int]] = field(default_factory=list)
    taken: list[tuple[int, int] | None] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    n_counted: int = 0
    closures: dict[frozenset[int], frozenset[int]] = field(default_factory=dict)

    def state(self) -> int:
        self.free.append([])
        self.taken.append(None)
        return len(self.free) - 1

    def add(self, pattern: Pattern) -> tuple[int, int]:
        """Add a pattern; return its first and last state."""
        start, end = self.state(), self.state()
        match pattern:
            case Token() | Edge():
                self.taken[start] = (self._number(pattern), end)
            case Sequence(items):
                self.free[self._chain(start, items)].append(end)
            case Alternatives(choices):
                for choice in choices:
                    first, last = self.add(choice)
                    self.free[start].append(first)
                    self.free[last].append(end)
            case Repetition():
                self._repeat(pattern, start, end)
            case _:
                raise QueryError("MU and TAB stand alone, not inside a pattern.", 0)
        return start, end

    def _chain(self, at: int, items: Iterable[Pattern]) -> int:
        for item in items:
            first, last = self.add(item)
            self.free[at].append(first)
            at = last
        return at

    def _repeat(self, pattern: Repetition, start: int, end: int) -> None:
        if pattern.most == 0:
            self.add(pattern.inner)  # it has its number, and no way leads there
        at = self._chain(start, [pattern.inner] * pattern.least)
        if pattern.most is None:
            first, last = self.add(pattern.inner)
            self.free[at].append(first)
            self.free[last].append(first)
            self.free[last].append(end)
            self.free[at].append(end)
            return
        self.free[at].append(end)
        for _ in range(pattern.most - pattern.least):
            at = self._chain(at, [pattern.inner])
            self.free[at].append(end)

    def _number(self, element: Element) -> int:
        self.n_counted += 1
        if self.n_counted > MAX_ELEMENTS:
            message = (
                f"With its repetitions written out the pattern has over {MAX_ELEMENTS} tokens."
            )
            raise QueryError(message, element.position)
        number = self.numbers.setdefault(id(element), len(self.elements))
        if number == len(self.elements):
            self.elements.append(element)
        return number

    def closure(self, states: frozenset[int]) -> frozenset[int]:
        """Return the states reached by free steps; the same ones are asked for again and again."""
        if known := self.closures.get(states):
            return known
        seen = set(states)
        waiting = list(seen)
        while waiting:
            for state in self.free[waiting.pop()]:
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
        found = self.closures[states] = frozenset(seen)
        return found


def _subsets(nfa: _Nfa, start: int, end: int) -> tuple[list[dict[int, int]], set[int]]:
    """Make the automaton deterministic."""
    first = nfa.closure(frozenset([start]))
    numbers = {first: 0}
    n_ways = 0
    waiting = [first]
    steps: list[dict[int, int]] = []
    while len(steps) < len(waiting):
        reached: dict[int, set[int]] = {}
        for state in waiting[len(steps)]:
            taken = nfa.taken[state]
            if taken is not None:
                reached.setdefault(taken[0], set()).add(taken[1])
        row: dict[int, int] = {}
        for symbol in sorted(reached):
            target = nfa.closure(frozenset(reached[symbol]))
            if target not in numbers:
                numbers[target] = len(waiting)
                waiting.append(target)
            row[symbol] = numbers[target]
        steps.append(row)
        n_ways += len(row)
        if len(waiting) > MAX_STATES or n_ways > MAX_WAYS:
            raise _too_many_ways()
    return steps, {number for states, number in numbers.items() if end in states}


def _too_many_ways() -> QueryError:
    return QueryError("There are too many ways through the pattern; make it simpler.", 0)


def _minimal(steps: list[dict[int, int]], final: set[int]) -> tuple[list[dict[int, int]], set[int]]:
    """Put together states from which the same can follow."""
    classes = [int(state in final) for state in range(len(steps))]
    n_classes = 0
    n_compared, n_ways = 0, sum(map(len, steps))
    while True:
        n_compared += n_ways
        if n_compared > MAX_COMPARED:
            raise _too_many_ways()
        signatures = [
            (classes[state], tuple((symbol, classes[target]) for symbol, target in row.items()))
            for state, row in enumerate(steps)
        ]
        numbers: dict[object, int] = {}
        classes = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == n_classes:
            break
        n_classes = len(numbers)
    merged: list[dict[int, int]] = [{} for _ in range(n_classes)]
    for state, row in enumerate(steps):
        merged[classes[state]] = {symbol: classes[target] for symbol, target in row.items()}
    return merged, {classes[state] for state in final}


def _ordered(
    steps: list[dict[int, int]], final: set[int]
) -> tuple[tuple[dict[int, int], ...], frozenset[int]]:
    """Give the states numbers breadth first, the elements taken in the order of their digits."""
    order = {0: 0}
    waiting = [0]
    at = 0
    while at < len(waiting):
        row = steps[waiting[at]]
        for symbol in sorted(row, key=str):
            if row[symbol] not in order:
                order[row[symbol]] = len(waiting)
                waiting.append(row[symbol])
        at += 1
    numbered = tuple(
        {symbol: order[target] for symbol, target in sorted(steps[state].items())}
        for state in waiting
    )
    return numbered, frozenset(order[state] for state in final)


def paired_regions(dfa: Dfa) -> dict[int, str]:
    """Return the numbers of edges that are one side of a region, with the name of the region.

    In CQP ``</s>`` after ``<s>`` (in the text of the query) closes the region that ``<s>`` opened;
    what stands between must not leave it.
    """
    edges = [(n, one) for n, one in enumerate(dfa.elements) if isinstance(one, Edge)]
    paired: dict[int, str] = {}
    for name in {edge.name or edge.structure for _, edge in edges}:
        same = [(n, edge) for n, edge in edges if (edge.name or edge.structure) == name]
        opened = list(dropwhile(lambda pair: not pair[1].is_start, same))
        if not all(edge.is_start for _, edge in opened):
            paired |= dict.fromkeys((n for n, _ in opened), name)
    return paired
