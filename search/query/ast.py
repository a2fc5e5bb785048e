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
    """What of a token is compared."""

    WORD = "word"
    LEMMA = "lemma"
    TAG = "pos"


def _where() -> int:
    where: int = field(default=0, compare=False)
    return where


# Conditions on one token


@dataclass(frozen=True, slots=True)
class Anything:
    """``[]``: any token."""

    position: int = _where()


@dataclass(frozen=True, slots=True)
class Match:
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
    position: int = _where()


@dataclass(frozen=True, slots=True)
class SameAs:
    """``lemma = a.lemma``: the same value as a labelled token has (``negated``: another)."""

    attribute: Attribute
    label: str
    label_attribute: Attribute
    negated: bool = False
    position: int = _where()


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


Condition = Anything | Match | TextMatch | SameAs | Not | And | Or


# Patterns over tokens


@dataclass(frozen=True, slots=True)
class Token:
    """One token that meets a condition, optionally with a label (``@`` is the label target)."""

    condition: Condition
    label: str = ""
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other."""

    parts: tuple["Pattern", ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """``( … | … )`` between patterns."""

    choices: tuple["Pattern", ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """``… {least,most}``, ``?``, ``*``, ``+``; ``most`` is None for no limit."""

    part: "Pattern"
    least: int
    most: int | None
    position: int = _where()


@dataclass(frozen=True, slots=True)
class Edge:
    """``<s>``, ``</s>``, ``<text>``, ``<text_kind="comment">``: between two tokens.

    ``structure`` is ``s`` or ``text``; ``test`` restricts the document a ``text`` edge belongs to;
    ``is_absent`` asks that there is no such edge (never written by users, see ``automaton``).
    """

    structure: str
    is_start: bool
    test: TextMatch | None = None
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


MeetUnion = Token | Meet | Union
Pattern = Token | Sequence | Alternatives | Repetition | Edge | Meet | Union


# Restrictions on whole matches


@dataclass(frozen=True, slots=True)
class Within:
    """``within s``, ``within 3 s``, ``within text``, ``within 20``: how far a match may reach.

    ``unit`` is ``s``, ``text`` or ``token``.
    """

    unit: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class LabelEqual:
    """``a.lemma = b.lemma``: two labelled tokens compared; ``negated`` for ``!=``."""

    left: str
    left_attribute: Attribute
    right: str
    right_attribute: Attribute
    negated: bool = False
    position: int = _where()


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """``a.word = "regex"`` or ``match.text_kind = "comment"``: a condition on a labelled token."""

    label: str
    condition: Match | TextMatch
    position: int = _where()


@dataclass(frozen=True, slots=True)
class GlobalNot:
    """``!( … )`` in a global constraint."""

    constraint: "Constraint"


@dataclass(frozen=True, slots=True)
class GlobalAnd:
    """``… & …`` in a global constraint."""

    constraints: tuple["Constraint", ...]


@dataclass(frozen=True, slots=True)
class GlobalOr:
    """``… | …`` in a global constraint."""

    constraints: tuple["Constraint", ...]


Constraint = LabelEqual | LabelMatch | GlobalNot | GlobalAnd | GlobalOr


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query."""

    pattern: Pattern
    within: Within | None = None
    constraint: Constraint | None = None
    strategy: Strategy = Strategy.STANDARD
    text: str = field(default="", compare=False)
