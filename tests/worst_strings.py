"""Texts on which a regular expression takes longest, made from the expression itself.

A backtracking engine needs the square of a text where a loop can begin at many places and each
time reads on to a failing end, or where two loops share what they read. So for each unbounded
loop of the parsed pattern: what leads to it, what it repeats, and an end that it cannot take.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

# Of an expression's own characters, and of what stands in any text.
_USUAL = "a0 \n<\"'.-,A\\/"
_MAX_OWN = 10
_MAX_PUMPS = 24
_MAX_WITNESSES = 6
# A loop of fewer turns is a constant, not growth, at the lengths that are timed.
_MANY_TURNS = 1_000
_ENDS = ("", "\0", "!\n!")
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)

Pieces = list[tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Attack:
    """A text of any length: a beginning, what is repeated, an end."""

    prefix: str
    pump: str
    end: str

    def text(self, length: int) -> str:
        """Give the text with about that many characters."""
        room = max(length - len(self.prefix) - len(self.end), len(self.pump))
        return self.prefix + self.pump * (room // len(self.pump)) + self.end


def attacks(pattern: re.Pattern[Any]) -> list[Attack]:
    """Make the texts for one pattern, each once; none for a pattern without a long loop."""
    source = pattern.pattern
    if isinstance(source, bytes):
        source = source.decode("latin-1")
    parsed = parser.parse(source, pattern.flags & ~re.DEBUG)
    witness = _Witnesses(_alphabet(parsed))
    found: dict[Attack, None] = {}
    for prefix, body in _loops(list(parsed), "", witness):
        for attack in _attacks_of(prefix, witness.of(body)):
            found.setdefault(attack)
    return list(found)


def _attacks_of(prefix: str, bodies: list[str]) -> Iterator[Attack]:
    for body, end in itertools.product([body for body in bodies if body][:_MAX_PUMPS], _ENDS):
        yield Attack(prefix, body, end)
        if prefix:
            yield Attack("", prefix + body, end)
            yield Attack("", prefix + body * 3, end)
    if prefix:
        yield Attack("", prefix, "")


def _loops(pieces: Pieces, before: str, witness: "_Witnesses") -> Iterator[tuple[str, Pieces]]:
    """Each long loop below these pieces, with a text that leads to it."""
    for code, value in pieces:
        for part in _parts(code, value):
            if code in _REPEATS and value[1] >= _MANY_TURNS:
                yield before, part
            yield from _loops(part, before, witness)
        before += witness.first([(code, value)])


def _parts(code: Any, value: Any) -> list[Pieces]:  # noqa: PLR0911 (a kind of piece a line)
    """Sequences inside one piece of a parsed pattern."""
    if code in _REPEATS:
        return [list(value[2])]
    if code is codes.SUBPATTERN:
        return [list(value[3])]
    if code is codes.BRANCH:
        return [list(branch) for branch in value[1]]
    if code is codes.ATOMIC_GROUP:
        return [list(value)]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [list(value[1])]
    if code is codes.GROUPREF_EXISTS:
        return [list(part) for part in value[1:] if part is not None]
    return []


def _alphabet(parsed: Any) -> str:
    own: dict[str, None] = {}

    def note(pieces: Pieces) -> None:
        for code, value in pieces:
            if code in (codes.LITERAL, codes.NOT_LITERAL):
                own.setdefault(chr(value))
            elif code is codes.IN:
                for kind, item in value:
                    if kind is codes.LITERAL:
                        own.setdefault(chr(item))
                    elif kind is codes.RANGE:
                        own.setdefault(chr(item[0]))
            for part in _parts(code, value):
                note(part)

    note(list(parsed))
    first = list(own)[:_MAX_OWN]
    return "".join(dict.fromkeys([*first, *_USUAL]))


class _Witnesses:
    """Texts that pieces of a pattern take, over one alphabet."""

    def __init__(self, alphabet: str) -> None:
        self._alphabet = alphabet

    def first(self, pieces: Pieces) -> str:
        return next(iter(self.of(pieces)), "")

    def of(self, pieces: Pieces) -> list[str]:
        """Several texts of a sequence; single characters give all that are taken."""
        if len(pieces) == 1:
            return self._of_piece(*pieces[0], limit=_MAX_PUMPS)
        parts = [
            self._of_piece(code, value, limit=_MAX_WITNESSES) or [""] for code, value in pieces
        ]
        # Each part in turn is varied, the others stand at their first text.
        texts: dict[str, None] = {}
        for place, part in enumerate(parts):
            for text in part:
                texts.setdefault(
                    "".join(text if n == place else other[0] for n, other in enumerate(parts))
                )
        return list(texts)[:_MAX_PUMPS]

    def _of_piece(self, code: Any, value: Any, limit: int) -> list[str]:  # noqa: PLR0911 (as above)
        if code in _REPEATS:
            return self._of_repeat(value)[:limit]
        if code in (codes.ASSERT, codes.ASSERT_NOT):
            return [""]
        if code is codes.IN:
            return [one for one in self._in(value) if one][:limit]
        if code is codes.LITERAL:
            return [chr(value)]
        if code is codes.NOT_LITERAL:
            return [one for one in self._alphabet if ord(one) != value][:limit]
        if code is codes.ANY:
            return list(self._alphabet)[:limit]
        parts = _parts(code, value)
        mixed = itertools.zip_longest(*(self.of(part) for part in parts))
        return [text for row in mixed for text in row if text is not None][:limit] or [""]

    def _of_repeat(self, value: Any) -> list[str]:
        least, _, body = value
        texts = self.of(list(body))
        if least == 0:
            return ["", *texts]
        return [text * min(least, 40) for text in texts]

    def _in(self, members: Any) -> list[str]:
        taken = [one for one in self._alphabet if _is_in(one, members)]
        if taken:
            return taken
        return [one for one in map(chr, range(1, 0x3000)) if _is_in(one, members)][:2]


def _is_in(character: str, members: Any) -> bool:
    is_negated = members[0][0] is codes.NEGATE
    rest = members[1:] if is_negated else members
    return bool(is_negated) != any(_takes(kind, item, character) for kind, item in rest)


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _takes(kind: Any, item: Any, character: str) -> bool:
    if kind is codes.LITERAL:
        return bool(ord(character) == item)
    if kind is codes.RANGE:
        return bool(item[0] <= ord(character) <= item[1])
    return re.fullmatch(_CATEGORIES[item], character) is not None
