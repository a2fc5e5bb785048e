"""The syntax tree of a query; both query languages compile to it.

A query is a pattern over tokens with restrictions. Every node is a frozen value; ``position`` is
the 0-based character the node starts at in the query text, and does not count in equality.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Strategy(StrEnum):
    """Which of several matches at one place to keep; the meanings are CQP's.

    At each start the first end found is taken (the last one by ``LONGEST``). Then of matches inside
    one another: ``STANDARD`` keeps the longest of those that end together, ``SHORTEST`` drops
    matches that hold another, ``LONGEST`` drops those held by another, ``TRADITIONAL`` keeps all.
    """

    STANDARD = "standard"
    SHORTEST = "shortest"
    LONGEST = "longest"
    TRADITIONAL = "traditional"


class Attribute(StrEnum):
    """What of a token is compared; some are variants of its word."""

    WORD = "word"
    LEMMA = "lemma"
    TAG = "pos"
    LOWER = "lower"
    FOLDED = "folded"
    STEM = "stem"
    ASCII = "ascii"


def _where() -> int:
    where: int = field(default=0, compare=False)
    return where


# Conditions on one token


@dataclass(frozen=True, slots=True)
class Anything:
    """``[]``: any token."""

    position: int = _where()


@dataclass(frozen=True, slots=True)
class AttributeMatch:
    """``word = "regex" %cd``: an attribute against a regular expression for the whole value."""

    attribute: Attribute
    pattern: str
    ignore_case: bool = False
    ignore_accents: bool = False
    negated: bool = False
    literal: bool = False
    position: int = _where()


@dataclass(frozen=True, slots=True)
class TextMatch:
    """``_.text_section = "regex"``: a property of the document the token lies in."""

    column: str
    pattern: str
    ignore_case: bool = False
    negated: bool = False
    ignore_accents: bool = False
    literal: bool = False
    position: int = _where()


# Values that are compared; ``label`` is empty for the token itself


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """``a.lemma``, ``lemma``: an attribute of a labelled token or of the token itself."""

    label: str
    attribute: Attribute
    position: int = _where()


@dataclass(frozen=True, slots=True)
class ColumnOf:
    """``a.text_kind``: a property of the document a token lies in."""

    label: str
    column: str
    position: int = _where()


@dataclass(frozen=True, slots=True)
class PositionOf:
    """``a``, ``match``, ``_``: where a labelled token (or the token itself) stands."""

    label: str
    position: int = _where()


@dataclass(frozen=True, slots=True)
class StructureOf:
    """``s``, ``text``: whether the token starts, ends or lies in such a region."""

    structure: str
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class String:
    """A string: a regular expression beside ``=`` and ``!=``, itself in a function."""

    pattern: str
    ignore_case: bool = False
    ignore_accents: bool = False
    literal: bool = False
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Call:
    """``f(lemma)``, ``distance(a, b)``: a built-in function."""

    name: str
    arguments: tuple["Operand", ...]
    position: int = _where()


Operand = AttributeOf | ColumnOf | PositionOf | StructureOf | Number | String | Call


class Operator(StrEnum):
    """How two values are compared."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    GREATER = ">"
    AT_MOST = "<="
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Compare:
    """``lemma = a.lemma``, ``distance(a, b) < 5``, ``a.word != "regex"``."""

    left: Operand
    operator: Operator
    right: Operand
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Exists:
    """``a``, ``rbound(s)``: a label that is set, a number that is not 0."""

    operand: Operand
    position: int = _where()


# Conditions put together


@dataclass(frozen=True, slots=True)
class Not:
    """``!( … )``."""

    condition: "Condition"


@dataclass(frozen=True, slots=True)
class And:
    """``… & …``."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """``… | …`` between conditions on the same token."""

    conditions: tuple["Condition", ...]


Condition = Anything | AttributeMatch | TextMatch | Compare | Exists | Not | And | Or


# Patterns over tokens


NO_TARGET = -1
TARGET, KEYWORD = 0, 9  # numbers of the marks that CQP calls target and keyword


@dataclass(frozen=True, slots=True)
class Token:
    """One token that meets a condition, optionally with a label and a mark ``@0`` to ``@9``.

    ``is_ahead`` is for ``[: … :]``, which looks at the next token without taking it.
    """

    condition: Condition
    label: str = ""
    target: int = NO_TARGET
    is_ahead: bool = False
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items one after the other."""

    items: tuple["Pattern", ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """``( … | … )`` between patterns."""

    choices: tuple["Pattern", ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """``… {least,most}``, ``?``, ``*``, ``+``; ``most`` is None for no limit."""

    inner: "Pattern"
    least: int
    most: int | None
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Edge:
    """``<s>``, ``</s>``, ``<text>``, ``<text_kind="comment">``: between two tokens.

    ``structure`` is ``s`` or ``text``; ``test`` restricts the document a ``text`` edge belongs to;
    ``name`` is the attribute as written, when it is not the structure's own name;
    ``is_absent`` asks that there is no such edge (never written by users, see ``automaton``).
    """

    structure: str
    is_start: bool
    test: TextMatch | None = None
    name: str = ""
    is_absent: bool = False
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Meet:
    """``MU(meet a b -3 3)`` or ``MU(meet a b s)``: tokens of a with one of b nearby."""

    left: "MeetUnion"
    right: "MeetUnion"
    low: int = 1
    high: int = 1
    structure: str = ""
    negated: bool = False
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Union:
    """``MU(union a b)``: tokens of either."""

    left: "MeetUnion"
    right: "MeetUnion"
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Region:
    """``<<s>>``: a whole sentence or text; ``<<s/>>``: a place where one starts."""

    structure: str
    is_empty: bool = False
    start_label: str = ""
    start_target: int = NO_TARGET
    end_label: str = ""
    end_target: int = NO_TARGET
    position: int = _where()


@dataclass(frozen=True, slots=True)
class TokenTable:
    """``TAB "a" {0,3} "b"``: tokens one after the other, the nearest of each.

    ``gaps[i]`` is how many tokens may stand before ``tokens[i + 1]``; None for no limit.
    """

    tokens: tuple[Token, ...]
    gaps: tuple[tuple[int, int | None], ...]
    position: int = _where()


MeetUnion = Token | Meet | Union
Pattern = Token | Sequence | Alternatives | Repetition | Edge | Region | Meet | Union | TokenTable


# Restrictions on whole matches


@dataclass(frozen=True, slots=True)
class Within:
    """``within s``, ``within 3 s``, ``within text``, ``within 20``: how far a match may reach.

    ``unit`` is ``s``, ``text``, ``token`` or a kind of block such as ``quote``. As in CQP a match
    ``within 20`` ends at most 20 tokens after its first, so it has up to 21.
    """

    unit: str
    count: int = 1

    @property
    def is_block(self) -> bool:
        """Whether a match is kept within blocks of one kind."""
        return self.unit not in ("s", "text", "token")


class Nesting(StrEnum):
    """How the matches of two patterns lie to one another."""

    WITHIN = "within"
    CONTAINING = "containing"


@dataclass(frozen=True, slots=True)
class Relative:
    """``within (…)``, ``!containing (…)``: keep matches in (around) a match of another pattern.

    ``relatives`` are those of the other pattern, as in ``within (<s/> containing "water")``.
    """

    relation: Nesting
    pattern: Pattern
    negated: bool = False
    relatives: tuple["Relative", ...] = ()
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Anchor:
    """``match[-1]``, ``a``: a token of the match, and how many tokens from it."""

    label: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Expansion:
    """``expand left to 2 s``: what is added to matches."""

    unit: str
    count: int = 1
    to_left: bool = True
    to_right: bool = True

    @property
    def is_own_region(self) -> bool:
        """Whether a match becomes the sentence or text it lies in; no other is looked for."""
        return self.unit != "token" and self.count == 1


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query.

    ``shown`` replaces each match by a part of it, ``cut`` keeps the first so many matches,
    ``outside`` leaves out those within blocks of some kinds. ``across_texts`` lets them run from
    one text into the next where nothing keeps them in one; it is never written in a query.
    """

    pattern: Pattern
    within: Within | None = None
    constraint: Condition | None = None
    strategy: Strategy = Strategy.STANDARD
    relatives: tuple[Relative, ...] = ()
    shown: tuple[Anchor, Anchor] | None = None
    cut: int | None = None
    expansion: Expansion | None = None
    outside: tuple[str, ...] = ()
    across_texts: bool = False
    text: str = field(default="", compare=False)

    @property
    def stops_at_cut(self) -> bool:
        """Whether no more matches than `cut` need be looked for: nothing leaves any out later."""
        return self.cut is not None and not self.relatives and not self.outside

    @property
    def names_strategy(self) -> bool:
        """Whether the query says itself how matches are chosen, as in ``(?longest) …``."""
        return self.text.lstrip().startswith("(?")
