"""Changes of a drawing that buttons ask for: add a card, move it, take it away.

Input → output: a drawing and a change such as ``add:gap:m.2.0`` → the drawing changed, and the path
of what should be looked at next. Paths name the pattern (``m``) or a restriction (``r.1``), then in
turn a part and, in a group, one of its choices.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from search.engine.drawing.drawing import (
    CLASS_NAMES,
    OF_LABELS,
    WORD_CLASS,
    Border,
    Drawing,
    Gap,
    Group,
    Pair,
    Part,
    Relation,
    Restriction,
    TokenCard,
    TokenTest,
    Written,
)

Parts = tuple[Part, ...]
BLANK = TokenTest(ignore_case=True)
NEW_TOKEN = TokenCard(((BLANK,),))
NEW_PARTS: dict[str, Part] = {
    "token": NEW_TOKEN,
    "gap": Gap(),
    "group": Group(((NEW_TOKEN,), (NEW_TOKEN,))),
    "border": Border(),
    "written": Written(),
}
# What the lists beside the drawing offer, as a test without its value.
USED = {
    "word": TokenTest("word", ignore_case=True),
    "pos": TokenTest("pos"),
    WORD_CLASS: TokenTest(WORD_CLASS),
    "pattern": TokenTest("word", Relation.LIKE, ignore_case=True),
    "pattern-as-written": TokenTest("word", Relation.LIKE),
}


# Raised on the way where a button names what is not there.
_NONSENSE = (KeyError, ValueError, IndexError, TypeError)


@dataclass(frozen=True, slots=True)
class Changed:
    """A drawing after a change, and the path of the part to go on with."""

    drawing: Drawing
    path: str = ""


def change(drawing: Drawing, asked: str) -> Changed:
    """Do what a button asks for; what makes no sense changes nothing."""
    verb, _, rest = asked.partition(":")
    argument, _, path = rest.rpartition(":")
    try:
        return _CHANGES[verb](drawing, argument, path)
    except _NONSENSE:
        return Changed(drawing)


def use(drawing: Drawing, asked: str, at: str = "") -> Changed:
    """Use what was chosen from a list, such as ``pos:NN``; nonsense changes nothing."""
    what, _, value = asked.partition(":")
    try:
        return _use(drawing, what, value, at)
    except _NONSENSE:
        return Changed(drawing)


def _use(drawing: Drawing, what: str, value: str, at: str) -> Changed:
    """Take something from a list: into the card at a path, else a blank one, else a new one.

    Raises
    ------
    ValueError
        If no list offers such a thing.
    """
    if what not in USED or not value or (what == WORD_CLASS and value not in CLASS_NAMES):
        raise ValueError(what)
    test = replace(USED[what], value=value)
    path = at or _last_blank(drawing)
    if not path:
        parts = (*drawing.parts, TokenCard(((test,),)))
        return Changed(replace(drawing, parts=parts), f"m.{len(parts) - 1}")
    return Changed(_alter(drawing, path, lambda card: _with_test(card, test)), path)


def _last_blank(drawing: Drawing) -> str:
    last = drawing.parts[-1] if drawing.parts else None
    return f"m.{len(drawing.parts) - 1}" if isinstance(last, TokenCard) and last.is_blank else ""


def _with_test(part: Part, test: TokenTest) -> Part:
    """Fill the first blank test of a card, or add a line."""
    if not isinstance(part, TokenCard):
        raise TypeError(part)
    lines = [list(line) for line in part.lines]
    for line in lines:
        for i, each in enumerate(line):
            if not each.value and each.relation not in OF_LABELS:
                line[i] = test
                return replace(part, lines=tuple(map(tuple, lines)))
    return replace(part, lines=(*part.lines, (test,)))


# Where


def _steps(path: str) -> tuple[str, list[int]]:
    """Split a path into its root (``m``, ``r.1``) and the numbers below."""
    root, *numbers = path.split(".")
    if root == "r":
        return f"r.{int(numbers[0])}", [int(number) for number in numbers[1:]]
    if root != "m":
        raise ValueError(path)
    return root, [int(number) for number in numbers]


def _rooted(drawing: Drawing, root: str, alter: Callable[[Parts], Parts]) -> Drawing:
    if root == "m":
        return replace(drawing, parts=alter(drawing.parts))
    number = int(root.partition(".")[2])
    restrictions = list(drawing.restrictions)
    old = restrictions[number]
    restrictions[number] = replace(old, parts=alter(old.parts))
    return replace(drawing, restrictions=tuple(restrictions))


def _in_sequence(parts: Parts, steps: list[int], alter: Callable[[Parts], Parts]) -> Parts:
    """Alter the sequence that an even number of steps leads to."""
    if not steps:
        return alter(parts)
    (number, choice), rest = steps[:2], steps[2:]
    group = parts[number]
    if not isinstance(group, Group):
        raise TypeError(steps)
    choices = list(group.choices)
    choices[choice] = _in_sequence(choices[choice], rest, alter)
    return _replaced(parts, number, replace(group, choices=tuple(choices)))


def _replaced(parts: Parts, number: int, part: Part) -> Parts:
    if not 0 <= number < len(parts):
        raise IndexError(number)
    return (*parts[:number], part, *parts[number + 1 :])


def _sequences(drawing: Drawing, path: str, alter: Callable[[Parts], Parts]) -> Drawing:
    root, steps = _steps(path)
    return _rooted(drawing, root, lambda parts: _in_sequence(parts, steps, alter))


def _alter(drawing: Drawing, path: str, alter: Callable[[Part], Part]) -> Drawing:
    """Alter the part at a path."""
    holder, _, last = path.rpartition(".")
    number = int(last)
    return _sequences(drawing, holder, lambda parts: _replaced(parts, number, alter(parts[number])))


# What


def _add(drawing: Drawing, kind: str, path: str) -> Changed:
    added = NEW_PARTS[kind]
    numbers: list[int] = []

    def append(parts: Parts) -> Parts:
        numbers.append(len(parts))
        return (*parts, added)

    return Changed(_sequences(drawing, path, append), f"{path}.{numbers[0]}")


def _remove(drawing: Drawing, _: str, path: str) -> Changed:
    holder, _, last = path.rpartition(".")
    number = int(last)

    def without(parts: Parts) -> Parts:
        return (*parts[:number], *parts[number + 1 :])

    changed = _sequences(drawing, holder, without)
    return Changed(changed, f"{holder}.{number - 1}" if number else f"{holder}.0")


def _move(drawing: Drawing, by: str, path: str) -> Changed:
    holder, _, last = path.rpartition(".")
    number, other = int(last), int(last) + int(by)

    def moved(parts: Parts) -> Parts:
        if not 0 <= min(number, other) <= max(number, other) < len(parts):
            raise IndexError(other)
        ordered = list(parts)
        ordered[number], ordered[other] = ordered[other], ordered[number]
        return tuple(ordered)

    return Changed(_sequences(drawing, holder, moved), f"{holder}.{other}")


def _card(part: Part) -> TokenCard:
    if not isinstance(part, TokenCard):
        raise TypeError(part)
    return part


def _add_line(drawing: Drawing, _: str, path: str) -> Changed:
    def longer(part: Part) -> Part:
        card = _card(part)
        return replace(card, lines=(*(card.lines or ((BLANK,),)), (BLANK,)))

    return Changed(_alter(drawing, path, longer), path)


def _add_beside(drawing: Drawing, line: str, path: str) -> Changed:
    """Add a test to a line of a card, of the same property as the last."""

    def wider(part: Part) -> Part:
        card = _card(part)
        lines = list(card.lines or ((BLANK,),))
        lines[int(line)] = (*lines[int(line)], replace(lines[int(line)][-1], value=""))
        return replace(card, lines=tuple(lines))

    return Changed(_alter(drawing, path, wider), path)


def _drop_test(drawing: Drawing, place: str, path: str) -> Changed:
    number, beside = map(int, place.split("."))

    def shorter(part: Part) -> Part:
        card = _card(part)
        line = card.lines[number]
        kept = (*line[:beside], *line[beside + 1 :])
        lines = (*card.lines[:number], *((kept,) if kept else ()), *card.lines[number + 1 :])
        return replace(card, lines=lines)

    return Changed(_alter(drawing, path, shorter), path)


def _group(part: Part) -> Group:
    if not isinstance(part, Group):
        raise TypeError(part)
    return part


def _add_choice(drawing: Drawing, _: str, path: str) -> Changed:
    numbers: list[int] = []

    def wider(part: Part) -> Part:
        group = _group(part)
        numbers.append(len(group.choices))
        return replace(group, choices=(*group.choices, (NEW_TOKEN,)))

    return Changed(_alter(drawing, path, wider), f"{path}.{numbers[0]}.0")


def _drop_choice(drawing: Drawing, number: str, path: str) -> Changed:
    def narrower(part: Part) -> Part:
        group, at = _group(part), int(number)
        return replace(group, choices=(*group.choices[:at], *group.choices[at + 1 :]) or ((),))

    return Changed(_alter(drawing, path, narrower), path)


def _restrict(drawing: Drawing, _: str, __: str) -> Changed:
    added = (*drawing.restrictions, Restriction(parts=(NEW_TOKEN,)))
    return Changed(replace(drawing, restrictions=added), f"r.{len(added) - 1}.0")


def _free(drawing: Drawing, _: str, number: str) -> Changed:
    at = int(number)
    kept = (*drawing.restrictions[:at], *drawing.restrictions[at + 1 :])
    return Changed(replace(drawing, restrictions=kept))


def _add_pair(drawing: Drawing, _: str, __: str) -> Changed:
    return Changed(replace(drawing, pairs=(*drawing.pairs, Pair())), f"c.{len(drawing.pairs)}")


def _drop_pair(drawing: Drawing, _: str, number: str) -> Changed:
    at = int(number)
    return Changed(replace(drawing, pairs=(*drawing.pairs[:at], *drawing.pairs[at + 1 :])))


_CHANGES: dict[str, Callable[[Drawing, str, str], Changed]] = {
    "add": _add,
    "remove": _remove,
    "move": _move,
    "line": _add_line,
    "beside": _add_beside,
    "drop": _drop_test,
    "choice": _add_choice,
    "drop-choice": _drop_choice,
    "restrict": _restrict,
    "free": _free,
    "pair": _add_pair,
    "drop-pair": _drop_pair,
}
