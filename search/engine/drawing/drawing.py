"""The drawing of a query: what a page of cards can hold, and text for what it cannot.

A drawing is a frozen tree. ``write`` makes CQL of it, ``read`` makes a drawing of CQL, ``fields``
reads one from a form and ``changes`` alters one. What no card can show stays in it as CQL.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from search.engine.query.language.simple import PARTS_OF_SPEECH
from search.engine.query.language.to_cql import COLUMN_NAMES

WORD_CLASS = "class"
# What a test compares, and the words of the page for it.
TOKEN_PROPERTIES = {
    "word": "word",
    "lemma": "lemma",
    WORD_CLASS: "word class",
    "pos": "tag",
    "lower": "word in lower case",
    "folded": "word without accents",
    "ascii": "word in ASCII letters",
    "stem": "stem",
}
TEXT_PROPERTIES = {name: f"text: {name.removeprefix('text_')}" for name in COLUMN_NAMES.values()}
OF_WORDS = frozenset(TOKEN_PROPERTIES)
PROPERTIES = {**TOKEN_PROPERTIES, **TEXT_PROPERTIES}

# One name for each set of tags; PROPN, CCONJ and ADP of the simple language are the same sets.
CLASS_NAMES = {
    "NOUN": "noun (names too)",
    "NAME": "name",
    "VERB": "verb (auxiliaries too)",
    "AUX": "auxiliary or modal verb",
    "ADJ": "adjective",
    "ADV": "adverb",
    "PRON": "pronoun",
    "DET": "determiner",
    "PREP": "preposition",
    "CONJ": "coordinating conjunction",
    "SCONJ": "subordinating conjunction",
    "NUM": "number",
    "PART": "particle",
    "INTJ": "interjection",
    "SYM": "symbol",
    "PUNCT": "punctuation",
}
CLASS_PATTERNS = {name: PARTS_OF_SPEECH[name] for name in CLASS_NAMES}


class Relation(StrEnum):
    """How a property is compared with a value."""

    IS = "is"
    IS_NOT = "not"
    ONE_OF = "oneof"
    NONE_OF = "noneof"
    STARTS = "starts"
    ENDS = "ends"
    HAS = "has"
    LIKE = "like"
    UNLIKE = "unlike"
    SAME = "same"
    OTHER = "other"


RELATION_WORDS = {
    Relation.IS: "is",
    Relation.IS_NOT: "is not",
    Relation.ONE_OF: "is one of (a|b)",
    Relation.NONE_OF: "is none of (a|b)",
    Relation.STARTS: "starts with",
    Relation.ENDS: "ends with",
    Relation.HAS: "contains",
    Relation.LIKE: "matches (regular expression)",
    Relation.UNLIKE: "does not match",
    Relation.SAME: "is the same as of token",
    Relation.OTHER: "differs from that of token",
}
OF_CLASSES = frozenset({Relation.IS, Relation.IS_NOT})
OF_PATTERNS = frozenset({Relation.LIKE, Relation.UNLIKE})
OF_LABELS = frozenset({Relation.SAME, Relation.OTHER})


@dataclass(frozen=True, slots=True)
class TokenTest:
    """A property of a token, how it is compared, and with what; no value: nothing is asked.

    ``value`` is a class by its name in `CLASS_NAMES`, a label for `OF_LABELS`, else text.
    """

    what: str = "word"
    relation: Relation = Relation.IS
    value: str = ""
    ignore_case: bool = False
    ignore_accents: bool = False


Line = tuple[TokenTest, ...]


@dataclass(frozen=True, slots=True)
class TokenCard:
    """One token.

    Parameters
    ----------
    lines : tuple of tuple of TokenTest
        All lines hold, and of each any of its tests; with ``is_any`` one line holds whole.
        None: any token.
    is_node : bool
        The node of the concordance, CQP's target.
    least, most : int, int or None
        How many such tokens in a row; None for no limit.
    """

    lines: tuple[Line, ...] = ()
    is_any: bool = False
    label: str = ""
    is_node: bool = False
    least: int = 1
    most: int | None = 1

    @property
    def is_blank(self) -> bool:
        """Whether there are tests and none asks for anything yet; without tests any token will."""
        return bool(self.lines) and not any(
            test.value or test.relation in OF_LABELS for line in self.lines for test in line
        )


@dataclass(frozen=True, slots=True)
class Gap:
    """Any tokens, from ``least`` to ``most`` of them (None: no limit)."""

    least: int = 0
    most: int | None = 3


class Side(StrEnum):
    """Which part of a sentence or text is meant."""

    START = "start"
    END = "end"
    WHOLE = "whole"


BORDER_WORDS = {
    ("s", Side.START): "a sentence starts",
    ("s", Side.END): "a sentence ends",
    ("s", Side.WHOLE): "a whole sentence",
    ("text", Side.START): "a text starts",
    ("text", Side.END): "a text ends",
    ("text", Side.WHOLE): "a whole text",
}


@dataclass(frozen=True, slots=True)
class Border:
    """Where a sentence (``s``) or a ``text`` starts or ends, or the whole of it."""

    structure: str = "s"
    side: Side = Side.START


@dataclass(frozen=True, slots=True)
class Group:
    """Sequences of which one stands there, as often as ``least`` to ``most`` says."""

    choices: tuple[tuple["Part", ...], ...] = ((), ())
    least: int = 1
    most: int | None = 1


@dataclass(frozen=True, slots=True)
class Written:
    """A part of a query that no card shows, as CQL."""

    cql: str = ""


Part = TokenCard | Gap | Border | Group | Written


def asks_nothing(parts: tuple[Part, ...]) -> bool:
    """Say whether parts are cards to be filled yet, with gaps or without."""
    cards = [part for part in parts if not isinstance(part, Gap)]
    return not parts or (bool(cards) and all(map(_is_blank, cards)))


def _is_blank(part: Part) -> bool:
    match part:
        case TokenCard():
            return part.is_blank
        case Group(choices):
            return all(map(asks_nothing, choices))
        case _:
            return part == Written()


def values_with_spaces(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return words of tokens that are several words, which few tokens are."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, Group):
            found += [value for choice in part.choices for value in values_with_spaces(choice)]
        elif isinstance(part, TokenCard):
            tests = [test for line in part.lines for test in line if test.what in OF_WORDS]
            found += [test.value for test in tests if " " in test.value]
    return tuple(found)


class Bond(StrEnum):
    """How matches lie to those of another pattern."""

    HAS = "has"
    LACKS = "lacks"
    INSIDE = "inside"
    OUTSIDE = "outside"
    SENTENCE_HAS = "s-has"
    SENTENCE_LACKS = "s-lacks"
    TEXT_HAS = "text-has"
    TEXT_LACKS = "text-lacks"


BOND_WORDS = {
    Bond.SENTENCE_HAS: "its sentence contains",
    Bond.SENTENCE_LACKS: "its sentence does not contain",
    Bond.TEXT_HAS: "its text contains",
    Bond.TEXT_LACKS: "its text does not contain",
    Bond.HAS: "the match contains",
    Bond.LACKS: "the match does not contain",
    Bond.INSIDE: "the match lies inside",
    Bond.OUTSIDE: "the match does not lie inside",
}


@dataclass(frozen=True, slots=True)
class Restriction:
    """What else must stand in or around a match."""

    bond: Bond = Bond.SENTENCE_HAS
    parts: tuple[Part, ...] = ()


DISTANCE = "distance"


class Comparison(StrEnum):
    """How two labelled tokens are compared."""

    SAME = "="
    OTHER = "!="
    AT_MOST = "<="
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Pair:
    """Two labelled tokens compared by an attribute, or by how far they stand apart.

    ``apart`` is in tokens and counts for `DISTANCE` alone.
    """

    left: str = ""
    what: str = "lemma"
    comparison: Comparison = Comparison.SAME
    right: str = ""
    apart: int = 5


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole query.

    Parameters
    ----------
    within : str
        What a match may not leave: ``s``, ``text``, ``token`` (so many tokens), a kind of block,
        or nothing.
    count : int
        How many of these.
    outside : tuple of str
        Kinds of blocks in which matches do not count.
    strategy : str
        Which of overlapping matches count, as CQP names it.
    cut : int or None
        How many of the first matches are kept; None for all.
    rest : str
        What stands behind the pattern and no control shows, as CQL.
    """

    parts: tuple[Part, ...] = ()
    within: str = ""
    count: int = 1
    outside: tuple[str, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    pairs: tuple[Pair, ...] = ()
    strategy: str = "standard"
    cut: int | None = None
    rest: str = ""
    undrawn: tuple["Undrawn", ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Undrawn:
    """A part of a query that stays text: what it is, in words, and its CQL."""

    words: str
    cql: str
