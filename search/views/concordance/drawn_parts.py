"""A drawing as the template of the builder shows it: cards with names, places and choices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from search.engine.drawing.changes import BLANK
from search.engine.drawing.drawing import (
    BOND_WORDS,
    BORDER_WORDS,
    CLASS_NAMES,
    DISTANCE,
    OF_CLASSES,
    PROPERTIES,
    RELATION_WORDS,
    WORD_CLASS,
    Border,
    Comparison,
    Drawing,
    Gap,
    Group,
    Pair,
    Part,
    Restriction,
    TokenCard,
    TokenTest,
    Written,
)
from search.engine.drawing.fields import COUNTED, WITHINS, Mistake
from search.engine.drawing.reading import STRATEGIES

Choices = tuple[tuple[str, str], ...]

MOST_GROUPS = 3  # inside one another that buttons make; deeper ones are read and drawn
_KINDS: dict[type, str] = {TokenCard: "token", Gap: "gap", Border: "border", Group: "group"}
_NAMES = {
    "token": "Token",
    "gap": "Gap",
    "border": "Place",
    "group": "Alternatives",
    "written": "CQL",
}
BORDERS = tuple((f"{s}-{side}", words) for (s, side), words in BORDER_WORDS.items())
BONDS = tuple((str(bond), words) for bond, words in BOND_WORDS.items())
PROPERTY_CHOICES = tuple(PROPERTIES.items())
RELATIONS = tuple((str(relation), words) for relation, words in RELATION_WORDS.items())
CLASS_RELATIONS = tuple(pair for pair in RELATIONS if pair[0] in OF_CLASSES)
CLASSES = (("", "choose…"), *CLASS_NAMES.items())
COMPARED = (
    *((name, words) for name, words in PROPERTIES.items() if name != WORD_CLASS),
    (DISTANCE, "distance in tokens"),
)
COMPARISONS = (
    (str(Comparison.SAME), "the same as"),
    (str(Comparison.OTHER), "different from"),
    (str(Comparison.AT_MOST), "at most, between"),
    (str(Comparison.AT_LEAST), "at least, between"),
)
_UNITS = {"s": "sentences", "text": "texts", "token": "tokens"}
WITHIN_CHOICES = (
    ("", "anything"),
    *((one, _UNITS.get(one) or one.replace("_", " ")) for one in WITHINS),
)
OUTSIDE_CHOICES = tuple(pair for pair in WITHIN_CHOICES if pair[0] not in {"", *COUNTED})
_STRATEGY_WORDS = {
    "standard": "the shortest from each start",
    "shortest": "those that hold no other",
    "longest": "those that no other holds",
    "traditional": "all of them",
}
STRATEGY_CHOICES = tuple((name, _STRATEGY_WORDS[name]) for name in STRATEGIES)


@dataclass(frozen=True, slots=True)
class TestView:
    """A test: ``place`` is its line and its place there, ``key`` ends the ids of its controls."""

    test: TokenTest
    place: str
    key: str
    is_first: bool
    is_focus: bool

    @property
    def is_class(self) -> bool:
        return self.test.what == WORD_CLASS

    @property
    def relations(self) -> Choices:
        return CLASS_RELATIONS if self.is_class else RELATIONS


@dataclass(frozen=True, slots=True)
class LineView:
    """The tests of a line of a card, which any or all of must hold."""

    number: int
    tests: tuple[TestView, ...]


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """One of the sequences of a group."""

    number: int
    path: str
    parts: tuple["PartView", ...]


@dataclass(frozen=True, slots=True)
class PartView:
    """A card: ``name`` such as ``Token 2``, its place among its neighbours, its mistakes.

    ``wrong`` are values as they were typed, where they could not be taken.
    """

    part: Part
    kind: str
    path: str
    key: str
    name: str
    is_first: bool
    is_last: bool
    is_focus: bool
    can_group: bool
    mistakes: tuple[str, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[LineView, ...] = ()
    choices: tuple[ChoiceView, ...] = ()

    @property
    def has_more(self) -> bool:
        """Whether the card has something behind its “More” that is not as it begins."""
        part = self.part
        if not isinstance(part, TokenCard):
            return False
        is_once = (part.least, part.most) == (1, 1)
        return bool(part.label or part.is_node or part.is_any or not is_once or self.mistakes)

    @property
    def most_shown(self) -> str:
        """Give the greatest number of times; no limit is an empty field."""
        most = None if isinstance(self.part, Border | Written) else self.part.most
        return "" if most is None else str(most)

    @property
    def is_focus_itself(self) -> bool:
        """Whether it is gone on with, and has no control of its own to begin with."""
        has_control = self.kind in ("gap", "border", "written") or bool(self.lines)
        return self.is_focus and not has_control

    @property
    def where(self) -> str:
        """Give the choice of a place between tokens."""
        is_border = isinstance(self.part, Border)
        return f"{self.part.structure}-{self.part.side}" if is_border else ""  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class RestrictionView:
    restriction: Restriction
    number: int
    path: str
    parts: tuple[PartView, ...]
    mistakes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    pair: Pair
    number: int
    is_focus: bool
    mistakes: tuple[str, ...]


@dataclass(slots=True)
class DrawingView:
    """All cards of a drawing; ``focus`` is the path of the one to go on with."""

    drawing: Drawing
    found: tuple[Mistake, ...] = ()
    focus: str = ""
    names: dict[str, str] = field(default_factory=dict)

    @property
    def has_tail(self) -> bool:
        """Whether something stands behind “More” of the whole query."""
        drawing = self.drawing
        is_plain = drawing.strategy == STRATEGIES[0] and drawing.cut is None and not drawing.rest
        return bool(drawing.outside) or not is_plain

    def cards(self) -> tuple[PartView, ...]:
        return self._parts(self.drawing.parts, "m", 0)

    def restrictions(self) -> Iterator[RestrictionView]:
        for number, one in enumerate(self.drawing.restrictions):
            path = f"r.{number}"
            parts = self._parts(one.parts, path, 0)
            yield RestrictionView(one, number, path, parts, self._mistakes(path))

    def pairs(self) -> Iterator[PairView]:
        for number, pair in enumerate(self.drawing.pairs):
            path = f"c.{number}"
            yield PairView(pair, number, path == self.focus, self._mistakes(path))

    def targets(self) -> tuple[tuple[str, str], ...]:
        """List the tokens that something from a list may be added to."""
        cards = enumerate(self.drawing.parts)
        tokens = [(f"m.{i}", card) for i, card in cards if isinstance(card, TokenCard)]
        return tuple((path, f"token {name_of(path)}{_said(card)}") for path, card in tokens)

    def wrong(self, path: str) -> dict[str, str]:
        """Return the values of fields of a part that could not be taken, by name."""
        return {one.field: one.given for one in self.found if one.path == path and one.field}

    def _mistakes(self, path: str) -> tuple[str, ...]:
        return tuple(one.words for one in self.found if one.path == path)

    def _parts(self, parts: tuple[Part, ...], path: str, depth: int) -> tuple[PartView, ...]:
        last = len(parts) - 1
        return tuple(
            self._part(part, f"{path}.{i}", (i == 0, i == last), depth)
            for i, part in enumerate(parts)
        )

    def _part(self, part: Part, path: str, ends: tuple[bool, bool], depth: int) -> PartView:
        kind = _KINDS.get(type(part), "written")
        choices = part.choices if isinstance(part, Group) else ()
        return PartView(
            part,
            kind,
            path,
            key_of(path),
            f"{_NAMES[kind]} {name_of(path)}",
            *ends,
            is_focus=path == self.focus,
            can_group=depth < MOST_GROUPS - 1,
            mistakes=self._mistakes(path),
            wrong=self.wrong(path),
            lines=self._lines(part, path) if isinstance(part, TokenCard) else (),
            choices=tuple(
                ChoiceView(i, f"{path}.{i}", self._parts(inner, f"{path}.{i}", depth + 1))
                for i, inner in enumerate(choices)
            ),
        )

    def _lines(self, card: TokenCard, path: str) -> tuple[LineView, ...]:
        """Give the tests their ids; the first empty one is gone on with, else the last."""
        places = [(i, j) for i, line in enumerate(card.lines) for j in range(len(line))]
        empty = [(i, j) for i, j in places if not card.lines[i][j].value]
        focus = next(iter(empty or places[-1:]), None) if path == self.focus else None
        return tuple(
            LineView(
                i,
                tuple(
                    TestView(test, f"{i}.{j}", f"{key_of(path)}-{i}-{j}", j == 0, (i, j) == focus)
                    for j, test in enumerate(line)
                ),
            )
            for i, line in enumerate(card.lines)
        )


def key_of(path: str) -> str:
    """Make an id of a path.

    Examples
    --------
    >>> key_of("m.0.1.2")
    'm-0-1-2'
    """
    return path.replace(".", "-")


def name_of(path: str) -> str:
    """Return the number of a card, from 1; those in a restriction begin with a letter.

    Examples
    --------
    >>> name_of("m.1"), name_of("m.1.0.2"), name_of("r.0.0")
    ('2', '2.1.3', 'A1')
    """
    root, *numbers = path.split(".")
    steps = [int(number) for number in numbers]
    letter = ""
    if root == "r":
        letter, steps = chr(ord("A") + steps[0] % 26), steps[1:]
    return letter + ".".join(str(number + 1) for number in steps)


def mistake_name(path: str) -> str:
    """Name the part that a mistake is in."""
    root, *numbers = path.split(".")
    if root == "c":
        return f"Condition {int(numbers[0]) + 1}"
    if root == "tail" or not numbers:
        return "Further down"
    if root == "r" and len(numbers) == 1:
        return f"What must be around, {chr(ord('A') + int(numbers[0]) % 26)}"
    return f"Card {name_of(path)}"


def _said(card: TokenCard) -> str:
    values = [test.value for line in card.lines for test in line if test.value]
    return f" ({values[0]})" if values else ""


def options() -> Mapping[str, Choices]:
    """Return all that may be chosen on cards, by the names the template calls them."""
    return {
        "properties": PROPERTY_CHOICES,
        "classes": CLASSES,
        "borders": BORDERS,
        "bonds": BONDS,
        "compared": COMPARED,
        "comparisons": COMPARISONS,
        "withins": WITHIN_CHOICES,
        "outsides": OUTSIDE_CHOICES,
        "strategies": STRATEGY_CHOICES,
    }


BLANK_DRAWING = Drawing(parts=(TokenCard(((BLANK,),)),))
