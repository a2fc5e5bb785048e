"""Sketch grammars: a readable file of grammatical relations, written in CQL.

Input → output: the text of a grammar → `Grammar`; `GrammarError` with line and column of each
mistake. A grammar is read line by line; `#` begins a comment::

    language en English
    class NOUN = [pos="NN.*"]                 # what a sketch can be of
    class VERB = [pos="VB.*"]
    define PREMODIFIERS = [pos="DT|JJ.*"]{0,4}

    relation object / object of               # its name with the head, with the dependent
        head:[VERB & lemma != "be"] PREMODIFIERS dep:NOUN [pos!="NN.*"]
    relation * … / … *                        # `*` stands for the lemma of the token `by:`
        head:NOUN by:[pos="IN"] PREMODIFIERS dep:NOUN [pos!="NN.*"]
    symmetric and/or                          # either may be the word of the sketch
        head:NOUN [word="and|or"] dep:NOUN

Names of classes and definitions stand for what is behind their `=`; inside the brackets of a token,
a class is its condition. The class named by a labelled token says in whose sketches the relation
stands; a side whose name is `-` is listed nowhere. Patterns hold within a sentence, and are those
of CQL without what has no bound (`*`, `+`), looks ahead, or looks at the document.

Notes
-----
After the *sketch grammars* of Kilgarriff, Rychlý, Smrž & Tugwell (2004), The Sketch Engine, EURALEX
11, 105-116; there the labels are `1:`, `2:` and `3:`, and relations are said to be dual, symmetric
or trinary by directives.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from propcache.api import cached_property

from search.engine.query.ast import (
    Alternatives,
    And,
    Anything,
    AttributeMatch,
    Condition,
    Edge,
    Not,
    Or,
    Pattern,
    Query,
    Repetition,
    Sequence,
    Token,
)
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language, parse
from search.engine.query.walks import flat_items, length_range, tokens_of

LONGEST_MATCH = 40  # tokens; the distance to the edge of a sentence is kept in a byte
MOST_LINES = 1_000
HEAD, DEPENDENT, BY = "head", "dep", "by"
UNLISTED, PLACEHOLDER = "-", "*"
_CLASS = re.compile(r"(class|define)\s+([A-Z][A-Z_]*)\s*=\s*(\S.*)")
_LANGUAGE = re.compile(r"language\s+([a-z]{2,3})\s+(\S.*)")
_RELATION = re.compile(r"relation\s+([^\s/][^/\n]{0,200}) / {0,9}([^\s/].*)")
_SYMMETRIC = re.compile(r"symmetric\s+(\S.*)")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.){0,500}"|\'(?:[^\'\\\n]|\\.){0,500}\'')
_NAME = re.compile(
    r'"(?:[^"\\\n]|\\.){0,500}"|\'(?:[^\'\\\n]|\\.){0,500}\'|([\[\]])|\b([A-Z][A-Z_]{1,60})\b(?!:)'
)
_LABEL = re.compile(
    rf"\b({HEAD}|{DEPENDENT}|{BY}):\s*"
    r"(\[(?:[^\]\"]|\"[^\"]{0,200}\"){0,200}\]|[A-Z][A-Z_]{1,60})"
)


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a grammar; ``line`` from 1, ``column`` from 1."""

    line: int
    column: int
    message: str


class GrammarError(Exception):
    """Raised for a text that is no grammar, with all of its mistakes; the editor shows them."""

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        first = mistakes[0]
        super().__init__(f"line {first.line}, column {first.column}: {first.message}")
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class RelationPattern:
    """One pattern of a relation, cut at its labelled tokens.

    ``labels`` are those in the order of the text with their tokens; ``gaps[i]`` stands before
    ``labels[i]``, the last gap behind all. ``classes`` are the names of the classes of labels.
    """

    labels: tuple[tuple[str, Token], ...]
    gaps: tuple[Pattern, ...]
    classes: tuple[tuple[str, str], ...]
    line: int = 0

    def class_of(self, label: str) -> str:
        """Return the name of a labelled token's class; empty for none."""
        return dict(self.classes).get(label, "")

    @property
    def longest(self) -> int:
        """Most tokens of a match."""
        return length_range(self.whole)[1] or 0

    @property
    def whole(self) -> Sequence:
        """The pattern in one piece, without labels."""
        return self.with_tests({})

    def with_tests(self, tests: dict[str, Condition]) -> Sequence:
        """Return the pattern without labels, and with a further test of some labelled tokens."""
        items: list[Pattern] = []
        for gap, (label, token) in zip(self.gaps, self.labels, strict=False):
            test = tests.get(label)
            both = token.condition if test is None else And((*_parts(token.condition), test))
            items += [*flat_items(gap), Token(both)]
        return Sequence((*items, *flat_items(self.gaps[-1])))


@dataclass(frozen=True, slots=True)
class Relation:
    """A grammatical relation: its names in sketches of the head and of the dependent."""

    head_name: str
    dependent_name: str
    is_symmetric: bool
    patterns: tuple[RelationPattern, ...]
    line: int = 0

    @property
    def has_by(self) -> bool:
        """Whether its name holds the lemma of a third token."""
        return any(label == BY for label, _ in self.patterns[0].labels)


@dataclass(frozen=True, slots=True)
class SketchList:
    """A relation as one class of words sees it: one list of a sketch, or one for each `by:`.

    ``sides`` are the patterns with the label of the word the sketch is of.
    """

    name: str
    sides: tuple[tuple[RelationPattern, str], ...]

    @property
    def has_by(self) -> bool:
        """Whether there is a list for each lemma of the token `by:`."""
        return any(label == BY for label, _ in self.sides[0][0].labels)

    def named(self, by: str) -> str:
        """Return its name for a lemma of the token `by:`."""
        return self.name.replace(PLACEHOLDER, by) if self.has_by else self.name


@dataclass(frozen=True)
class Grammar:
    """A grammar that was read. ``classes`` are conditions by name, in the order of the file."""

    language: str
    language_name: str
    classes: dict[str, Condition]
    relations: tuple[Relation, ...]
    text: str = field(repr=False, default="")

    @cached_property
    def digest(self) -> str:
        """A short name of exactly this grammar."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def lists_of(self, word_class: str) -> tuple[SketchList, ...]:
        """Return the lists of a sketch of a word of a class, in the order of the file."""
        found = []
        for relation in self.relations:
            names = ((HEAD, relation.head_name), (DEPENDENT, relation.dependent_name))
            if relation.is_symmetric:
                sides = tuple(
                    side for label, _ in names for side in _sides(relation, label, word_class)
                )
                found.append(SketchList(relation.head_name, sides))
                continue
            for label, name in names:
                if name != UNLISTED:
                    found.append(SketchList(name, tuple(_sides(relation, label, word_class))))
        return tuple(each for each in found if each.sides)


def _sides(
    relation: Relation, label: str, word_class: str
) -> Iterator[tuple[RelationPattern, str]]:
    for pattern in relation.patterns:
        if pattern.class_of(label) == word_class:
            yield pattern, label


def _parts(condition: Condition) -> tuple[Condition, ...]:
    return condition.conditions if isinstance(condition, And) else (condition,)


def read_grammar(text: str) -> Grammar:
    """Read a grammar.

    Raises
    ------
    GrammarError
        With all mistakes, in the order of the lines.
    """
    return _Reader(text).grammar()


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text with the column (from 0) that each of its characters comes from."""

    text: str
    origins: tuple[int, ...]

    def column(self, position: int) -> int:
        """Return the column, from 1, that a character comes from."""
        if position < len(self.origins):
            return self.origins[position] + 1
        return self.origins[-1] + 2 if self.origins else 1


class _Reader:
    """Reads a grammar and collects its mistakes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._mistakes: list[Mistake] = []
        self._bodies: dict[str, str] = {}
        self._broken: set[str] = set()  # names whose line has a mistake, or a broken name
        self._classes: dict[str, Condition] = {}
        self._relations: list[tuple[int, str, str, bool, list[RelationPattern]]] = []
        self._language = ("", "")
        self._is_lost = False  # behind a line that cannot be read, until the next that can

    def grammar(self) -> Grammar:
        lines = self._text.splitlines()
        if len(lines) > MOST_LINES:
            raise GrammarError((Mistake(MOST_LINES, 1, f"More than {MOST_LINES} lines."),))
        for number, line in enumerate(lines, 1):
            self._line(number, _without_comment(line).rstrip())
        relations = tuple(self._finished())
        if not self._language[0]:
            self._wrong(1, 1, "The grammar does not say its language: language en English.")
        if not relations and not self._mistakes:
            self._wrong(max(1, len(lines)), 1, "There is no relation in the grammar.")
        if self._mistakes:
            raise GrammarError(tuple(sorted(self._mistakes, key=lambda m: (m.line, m.column))))
        return Grammar(*self._language, self._classes, relations, self._text)

    def _wrong(self, line: int, column: int, message: str) -> None:
        self._mistakes.append(Mistake(line, column, message))

    def _line(self, number: int, line: str) -> None:
        if not line.strip():
            return
        if line[0].isspace():
            self._pattern_line(number, line)
            return
        self._is_lost = False
        if found := _CLASS.fullmatch(line):
            self._definition(number, found)
        elif found := _LANGUAGE.fullmatch(line):
            self._language = (found[1], found[2])
        elif found := _SYMMETRIC.fullmatch(line):
            self._relations.append((number, found[1], found[1], True, []))
        elif found := _RELATION.fullmatch(line):
            self._relations.append((number, found[1], found[2], False, []))
        else:
            self._is_lost = True
            self._wrong(
                number, 1,
                "A line begins with language, class NAME =, define NAME =, relation … / … or "
                "symmetric …; patterns are indented.",
            )  # fmt: skip

    def _definition(self, number: int, found: re.Match[str]) -> None:
        kind, name, body = found.groups()
        if name in self._bodies:
            self._wrong(number, found.start(2) + 1, f"{name} is there already.")
        start = found.start(3)
        piece = self._written_out(number, body, start)
        query = None if piece is None else self._parsed(number, piece)
        if piece is None or query is None:
            self._bodies[name] = "[]"
            self._broken.add(name)
            return
        self._bodies[name] = piece.text
        if kind == "class":
            if isinstance(query.pattern, Token):
                self._classes[name] = query.pattern.condition
            else:
                self._broken.add(name)
                self._wrong(number, start + 1, "A class is one token in brackets.")

    def _pattern_line(self, number: int, line: str) -> None:
        if self._is_lost:  # its mistake is the line above
            return
        if not self._relations:
            self._wrong(number, 1, "This pattern belongs to no relation.")
            return
        start = len(line) - len(line.lstrip())
        piece = self._written_out(number, line[start:], start)
        query = None if piece is None else self._parsed(number, piece)
        if query is None:
            return
        classes = tuple(
            (found[1], name[2])
            for found in _LABEL.finditer(line)
            for name in _NAME.finditer(found[2])
            if name[2] in self._classes
        )
        pattern = self._cut(number, start, query, classes)
        if pattern is not None:
            self._relations[-1][4].append(pattern)

    def _written_out(self, number: int, text: str, start: int) -> _Piece | None:
        """Put in what names stand for; None when there is no such name, or a quote stays open.

        Of a broken name nothing is said: its mistake is above.
        """
        outside = _STRING.sub(lambda found: " " * len(found[0]), text)
        if open_quote := re.search("[\"']", outside):
            message = "The quote that opens here is not closed."
            self._wrong(number, start + open_quote.start() + 1, message)
            return None
        parts: list[str] = []
        origins: list[int] = []
        at, depth = 0, 0
        for found in _NAME.finditer(text):
            depth += {"[": 1, "]": -1}.get(found[1] or "", 0)
            name = found[2]
            if name is None or (depth and name not in self._bodies and name == "RE"):
                continue
            if name not in self._bodies:
                message = f"There is no class or definition {name} above this line."
                self._wrong(number, start + found.start() + 1, message)
                return None
            if name in self._broken:
                return None
            body = self._bodies[name]
            if depth and name not in self._classes:
                message = f"Only a class can stand in a token's brackets; {name} is none."
                self._wrong(number, start + found.start() + 1, message)
                return None
            body = f"({body.strip()[1:-1]})" if depth else self._grouped(name, body)
            parts += [text[at : found.start()], body]
            origins += [
                *range(start + at, start + found.start()),
                *[start + found.start()] * len(body),
            ]
            at = found.end()
        parts.append(text[at:])
        origins += range(start + at, start + len(text))
        return _Piece("".join(parts), tuple(origins))

    def _grouped(self, name: str, body: str) -> str:
        return body if name in self._classes else f"({body})"

    def _parsed(self, number: int, piece: _Piece) -> Query | None:
        try:
            query = parse(piece.text, Language.CQL)
        except QueryError as error:
            expected = f" Expected: {', '.join(error.expected)}." if error.expected else ""
            self._wrong(number, piece.column(error.position), error.message + expected)
            return None
        if query != Query(query.pattern):
            self._wrong(
                number,
                piece.column(0),
                "Only patterns of tokens can stand here, no “within”, “::” or the like.",
            )
            return None
        wrong = _unsuitable(query.pattern)
        if wrong is not None:
            self._wrong(number, piece.column(wrong[0]), wrong[1])
            return None
        return query

    def _cut(
        self, number: int, start: int, query: Query, classes: tuple[tuple[str, str], ...]
    ) -> RelationPattern | None:
        labels: list[tuple[str, Token]] = []
        gaps: list[Pattern] = []
        gap: list[Pattern] = []
        for item in flat_items(query.pattern):
            if isinstance(item, Token) and item.label:
                labels.append((item.label, Token(item.condition)))
                gaps.append(Sequence(tuple(gap)))
                gap = []
            else:
                gap.append(item)
        gaps.append(Sequence(tuple(gap)))
        names = [label for label, _ in labels]
        message = ""
        n_labels = sum(bool(token.label) for token in tokens_of(query.pattern))
        if sorted(names) not in ([DEPENDENT, HEAD], [BY, DEPENDENT, HEAD]) or n_labels != len(
            names
        ):
            message = (
                "A pattern has one token head:, one dep: and at most one by:, none in a group."
            )
        elif (length_range(query.pattern)[1] or 0) > LONGEST_MATCH:
            message = f"A match could have more than {LONGEST_MATCH} tokens."
        elif any(word_class not in self._classes for _, word_class in classes):
            message = "A labelled token names a class."
        if message:
            self._wrong(number, start + 1, message)
            return None
        return RelationPattern(tuple(labels), tuple(gaps), classes, number)

    def _finished(self) -> Iterator[Relation]:
        for number, head_name, dependent_name, is_symmetric, patterns in self._relations:
            lines = {m.line for m in self._mistakes}
            if not patterns:
                if not self._broken and not any(line > number for line in lines):
                    self._wrong(number, 1, "This relation has no pattern.")
                continue
            relation = Relation(head_name, dependent_name, is_symmetric, tuple(patterns), number)
            self._check(relation)
            yield relation

    def _check(self, relation: Relation) -> None:
        names = ((HEAD, relation.head_name), (DEPENDENT, relation.dependent_name))
        for pattern in relation.patterns:
            has_by = BY in dict(pattern.labels)
            for label, name in names:
                if name == UNLISTED:
                    continue
                if not pattern.class_of(label):
                    message = (
                        f"{label}: has no class, so “{name}” would stand in no sketch; name it “-”."
                    )
                    self._wrong(pattern.line, 1, message)
                if (PLACEHOLDER in name) != has_by:
                    message = f"“{name}” and by: need one another: {PLACEHOLDER} is its lemma."
                    self._wrong(pattern.line, 1, message)


def _unsuitable(pattern: Pattern) -> tuple[int, str] | None:  # noqa: PLR0911 (one case per kind of node)
    """Say what of a pattern a sketch cannot use, and where; None for nothing."""
    match pattern:
        case Token(is_ahead=True):
            return (
                pattern.position,
                "A sketch grammar cannot look ahead; take the token into the pattern.",
            )
        case Token():
            return _unsuitable_test(pattern.condition)
        case Sequence(items) | Alternatives(items):
            return next((wrong for wrong in map(_unsuitable, items) if wrong), None)
        case Repetition(most=None):
            return pattern.position, "A repetition needs a bound, such as {0,4}."
        case Repetition():
            return _unsuitable(pattern.inner)
        case Edge(structure="s", test=None):
            return None
        case _:
            return 0, "Only tokens, groups, repetitions, <s> and </s> can stand here."


def _unsuitable_test(condition: Condition) -> tuple[int, str] | None:
    match condition:
        case Anything() | AttributeMatch():
            return None
        case Not(inner):
            return _unsuitable_test(inner)
        case And(conditions) | Or(conditions):
            return next((wrong for wrong in map(_unsuitable_test, conditions) if wrong), None)
        case _:
            return condition.position, "Only word, lemma, pos and the like can be tested here."


def _without_comment(line: str) -> str:
    """Cut a line at the first "#" that stands in no string."""
    at = line.find("#")
    while at >= 0 and line.count('"', 0, at) % 2:
        at = line.find("#", at + 1)
    return line if at < 0 else line[:at]
