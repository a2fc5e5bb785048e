"""Fields of a form, in order → a drawing, and what is wrong with them.

A field ``part`` begins each part of the drawing; the fields up to the next are its own. A group,
its choices and a restriction hold the parts up to their ``end``. Nothing a browser may send breaks
this: what is not known is left out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from search.engine.drawing.drawing import (
    BORDER_WORDS,
    CLASS_NAMES,
    DISTANCE,
    OF_CLASSES,
    OF_LABELS,
    OF_PATTERNS,
    PROPERTIES,
    WORD_CLASS,
    Bond,
    Border,
    Comparison,
    Drawing,
    Gap,
    Group,
    Line,
    Pair,
    Part,
    Relation,
    Restriction,
    Side,
    TokenCard,
    TokenTest,
    Written,
)
from search.engine.drawing.reading import MOST_NESTED, STRATEGIES
from search.engine.query.attributes import BLOCKS
from search.engine.query.language.cql_patterns import MAX_REPETITIONS, OWN_LABELS

PREFIX = "p."
WITHINS = ("s", "text", "token", *BLOCKS)
COUNTED = frozenset({"s", "text", "token"})  # a match may lie within so many of them
_LABEL = re.compile(r"[A-Za-z_][\w-]*")
_END = "end"
_OPEN_END = re.compile(r"(?<!\\)(?:\\\\)*\\$")
Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, in a sentence, and the path of the part where it is.

    Where a field's value could not be taken, ``field`` and ``given`` are its name and the value.
    """

    path: str
    words: str
    field: str = ""
    given: str = ""


@dataclass(slots=True)
class _Record:
    """One part as it was sent: its kind and its fields in order."""

    kind: str
    fields: list[tuple[str, str]] = field(default_factory=list)

    def get(self, name: str, otherwise: str = "") -> str:
        return next((value for key, value in self.fields if key == name), otherwise)

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name]

    def choice(self, name: str, known: Iterable[str], otherwise: str) -> str:
        """Return a value that is among the known ones, or another."""
        value = self.get(name, otherwise)
        return value if value in known else otherwise


def read_fields(pairs: Pairs) -> tuple[Drawing, tuple[Mistake, ...]]:
    """Read a drawing from fields whose names begin with `PREFIX`; others are not looked at."""
    records: list[_Record] = []
    for name, value in pairs:
        if not name.startswith(PREFIX):
            continue
        if name == f"{PREFIX}part":
            records.append(_Record(value))
        elif records:
            records[-1].fields.append((name.removeprefix(PREFIX), value.strip()))
    form = _Form(iter(records))
    return form.drawing(), tuple(form.mistakes)


@dataclass(slots=True)
class _Form:
    """Reads parts from records, one after the other."""

    records: Iterator[_Record]
    mistakes: list[Mistake] = field(default_factory=list)
    restrictions: list[Restriction] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    tail: _Record = field(default_factory=lambda: _Record("tail"))

    def wrong(self, path: str, words: str, name: str = "", given: str = "") -> None:
        self.mistakes.append(Mistake(path, words, name, given))

    def drawing(self) -> Drawing:
        parts = self.sequence("m", 0)
        tail = self.tail
        within = tail.choice("within", WITHINS, "")
        count = self.count(tail, "count", "tail", 1) or 1
        return Drawing(
            parts=parts,
            within=within,
            count=count if within in COUNTED else 1,
            outside=tuple(dict.fromkeys(one for one in tail.values("outside") if one in BLOCKS)),
            restrictions=tuple(self.restrictions),
            pairs=tuple(self.pairs),
            strategy=tail.choice("strategy", STRATEGIES, "standard"),
            cut=self.count(tail, "cut", "tail", None, most=None),
            rest=tail.get("rest"),
        )

    def sequence(self, path: str, depth: int) -> tuple[Part, ...]:
        """Read parts up to the end of what holds them."""
        parts: list[Part] = []
        for record in self.records:
            if record.kind == _END:
                break
            part = self.part(record, f"{path}.{len(parts)}", depth)
            if part is not None:
                parts.append(part)
            elif depth == 0:
                self.beside(record)
        return tuple(parts)

    def part(self, record: _Record, path: str, depth: int) -> Part | None:
        """Read a part of a sequence; None if it is something else."""
        match record.kind:
            case "token":
                return self.token(record, path)
            case "gap":
                return Gap(*self.times(record, path, 0))
            case "border":
                known = {f"{structure}-{side}" for structure, side in BORDER_WORDS}
                structure, _, side = record.choice("where", known, "s-start").partition("-")
                return Border(structure, Side(side))
            case "written":
                return Written(record.get("value"))
            case "group" if depth <= MOST_NESTED:
                return self.group(record, path, depth + 1)
        return None

    def beside(self, record: _Record) -> None:
        """Read what stands around the pattern."""
        match record.kind:
            case "around":
                bond = Bond(record.choice("bond", list(Bond), Bond.SENTENCE_HAS))
                inside = self.sequence(f"r.{len(self.restrictions)}", 1)
                self.restrictions.append(Restriction(bond, inside))
            case "pair":
                self.pairs.append(self.pair(record, f"c.{len(self.pairs)}"))
            case "tail":
                self.tail = record

    def group(self, record: _Record, path: str, depth: int) -> Group:
        choices: list[tuple[Part, ...]] = []
        for inner in self.records:
            if inner.kind == "choice":
                choices.append(self.sequence(f"{path}.{len(choices)}", depth))
            elif inner.kind == _END:
                break
        return Group(tuple(choices) or ((),), *self.times(record, path, 1))

    def times(self, record: _Record, path: str, least: int) -> tuple[int, int | None]:
        """Read how often something stands there; an empty end is no limit."""
        first = self.count(record, "from", path, least)
        last = self.count(record, "to", path, None)
        first = least if first is None else first
        if last is not None and last < first:
            words = f"“from {first} to {last}” has its numbers in the wrong order."
            self.wrong(path, words, "to", str(last))
            last = first
        return first, last

    def count(
        self,
        record: _Record,
        name: str,
        path: str,
        otherwise: int | None,
        most: int | None = MAX_REPETITIONS,
    ) -> int | None:
        """Read a whole number."""
        text = record.get(name)
        if not text:
            return otherwise
        if not (text.isascii() and text.isdigit()) or len(text) > 9:
            self.wrong(path, f"“{text}” is not a whole number.", name, text)
            return otherwise
        if most is not None and int(text) > most:
            self.wrong(path, f"More than {most} is not possible.", name, text)
            return otherwise
        return int(text)

    def token(self, record: _Record, path: str) -> TokenCard:
        label = record.get("label")
        if label and (not _LABEL.fullmatch(label) or label in OWN_LABELS):
            words = "has a meaning of its own" if label in OWN_LABELS else "cannot be a label"
            said = f"“{label}” {words}: a label is a letter, then letters and digits."
            self.wrong(path, said, "label", label)
            label = ""
        lines, is_any = tuple(self.lines(record, path)), record.get("any") == "any"
        is_node = bool(record.get("node"))
        return TokenCard(lines, is_any, label, is_node, *self.times(record, path, 1))

    def lines(self, record: _Record, path: str) -> list[Line]:
        """Read the tests of a card: each begins a line, or stands beside the one before."""
        lines: list[list[TokenTest]] = []
        for each in _tests_of(record):
            test = self.test(each, path)
            if each.kind == "or" and lines:
                lines[-1].append(test)
            else:
                lines.append([test])
        return list(map(tuple, lines))

    def test(self, record: _Record, path: str) -> TokenTest:
        what = record.choice("what", PROPERTIES, "word")
        relation = Relation(record.choice("how", list(Relation), Relation.IS))
        value = record.get("value")
        if what == WORD_CLASS:
            return self.class_test(relation, value, path)
        if relation in OF_LABELS and value and not _LABEL.fullmatch(value):
            self.wrong(path, f"“{value}” is not the label of a token.")
            value = ""
        elif relation in OF_LABELS and not value:
            self.wrong(path, "Say of which token: give that one a label, and write it here.")
        elif relation in OF_PATTERNS and _OPEN_END.search(value):
            self.wrong(path, f"“{value}” ends with a backslash, which belongs before a sign.")
        return TokenTest(
            what, relation, value, bool(record.get("case")), bool(record.get("accents"))
        )

    def class_test(self, relation: Relation, value: str, path: str) -> TokenTest:
        if value and relation not in OF_CLASSES:
            self.wrong(path, "A word class is or is not one: choose “is” or “is not”.")
            relation = Relation.IS
        name = class_named(value)
        if value and not name:
            known = ", ".join(words.partition(" (")[0] for words in CLASS_NAMES.values())
            self.wrong(path, f"There is no word class “{value}”. There are: {known}.")
        return TokenTest(WORD_CLASS, relation if relation in OF_CLASSES else Relation.IS, name)

    def pair(self, record: _Record, path: str) -> Pair:
        pair = Pair(
            record.get("left"),
            record.choice("what", {*PROPERTIES, DISTANCE} - {WORD_CLASS}, "lemma"),
            Comparison(record.choice("how", list(Comparison), Comparison.SAME)),
            record.get("right"),
            self.count(record, "apart", path, 5) or 0,
        )
        if not (_LABEL.fullmatch(pair.left) and _LABEL.fullmatch(pair.right)):
            self.wrong(path, "Name the labels of two tokens that are compared.")
        if pair.what != DISTANCE and pair.comparison not in (Comparison.SAME, Comparison.OTHER):
            self.wrong(path, "Only distances are at least or at most something.")
        return pair


def class_named(text: str) -> str:
    """Return the name of a word class that was chosen or typed; empty if there is none.

    Examples
    --------
    >>> class_named("NOUN"), class_named("adjective"), class_named("thing")
    ('NOUN', 'ADJ', '')
    """
    if text.upper() in CLASS_NAMES:
        return text.upper()
    typed = text.lower()
    plain = ((name, words.partition(" (")[0]) for name, words in CLASS_NAMES.items())
    return next((name for name, words in plain if words == typed), "")


def _tests_of(record: _Record) -> list[_Record]:
    """Split the fields of a card at each ``test``, whose value is ``line`` or ``or``."""
    tests: list[_Record] = []
    for name, value in record.fields:
        if name == "test":
            tests.append(_Record(value))
        elif tests:
            tests[-1].fields.append((name, value))
    return tests
