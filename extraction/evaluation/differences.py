"""What words come and go between two texts, for reading.

Runs of words with a sign (`changed_words`) for a text before and after a change, short where much
stayed; pieces in reading order with their paragraphs (`differences`) for a text laid over its
reference, in two columns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

# Texts differ in whole lines mostly; beyond this many words only lines are compared.
MAX_CHANGED_WORDS = 4_000
_CONTEXT_WORDS = 8  # on either side of a long run: enough to find the place
# Beyond this many words only the beginnings are laid over each other: the comparison's cost grows
# with the product of the lengths in the worst case.
MAX_WORDS = 6_000
_PIECES = re.compile(r"\n+|[^\s]+")


@dataclass(frozen=True, slots=True)
class Difference:
    """A run of words: "=" in both texts, "-" gone, "+" new; long common runs are cut short."""

    sign: str
    words: str


class Presence(StrEnum):
    """Where a piece stands."""

    SAME = "same"  # in both texts
    MISSING = "missing"  # in the reference only
    EXTRA = "extra"  # in the text only


@dataclass(frozen=True, slots=True)
class ReferencePiece:
    """Words that stand together and have the same fate; `ends_paragraph` asks for a break."""

    change: Presence
    text: str
    ends_paragraph: bool = False


def changed_words(before: str, after: str) -> tuple[Difference, ...]:
    """Compare two texts word by word, line by line where they are long.

    Examples
    --------
    >>> [(d.sign, d.words) for d in changed_words("a b c", "a c d")]
    [('=', 'a'), ('-', 'b'), ('=', 'c'), ('+', 'd')]
    """
    if before == after:
        return ()
    is_long = max(len(before.split()), len(after.split())) > MAX_CHANGED_WORDS
    old = before.split("\n") if is_long else before.split()
    new = after.split("\n") if is_long else after.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        Difference(sign, _shortened(run) if sign == "=" else " ".join(run))
        for sign, run in _runs(matcher, old, new)
    )


def differences(reference: str, text: str) -> list[ReferencePiece]:
    """Pieces of both texts in order, missing before extra where both stand at one place.

    Examples
    --------
    >>> [(piece.change.value, piece.text) for piece in differences("sour milk", "sour tea")]
    [('same', 'sour'), ('missing', 'milk'), ('extra', 'tea')]
    """
    wanted = _PIECES.findall(reference)[:MAX_WORDS]
    found = _PIECES.findall(text)[:MAX_WORDS]
    # Its heuristic leaves frequent words out as anchors, which long unrelated texts need: 0.1 s
    # instead of 3 s for 6,000 words each.
    matcher = SequenceMatcher(None, [_key(word) for word in wanted], [_key(word) for word in found])
    presence = {"=": Presence.SAME, "-": Presence.MISSING, "+": Presence.EXTRA}
    return [
        piece
        for sign, run in _runs(matcher, wanted, found)
        for piece in _pieces(presence[sign], run)
    ]


def _runs(
    matcher: SequenceMatcher[str], old: list[str], new: list[str]
) -> Iterator[tuple[str, list[str]]]:
    """Sign and words of each run; common ones as the new text writes them."""
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            yield "=", new[new_start:new_end]
            continue
        if old_end > old_start:
            yield "-", old[old_start:old_end]
        if new_end > new_start:
            yield "+", new[new_start:new_end]


def _shortened(words: list[str]) -> str:
    if len(words) <= 2 * _CONTEXT_WORDS:
        return " ".join(words)
    return " ".join([*words[:_CONTEXT_WORDS], "…", *words[-_CONTEXT_WORDS:]])


def _key(word: str) -> str:
    return "\n" if word.startswith("\n") else word


def _pieces(change: Presence, words: list[str]) -> Iterator[ReferencePiece]:
    run: list[str] = []
    for word in words:
        if not word.startswith("\n"):
            run.append(word)
        elif run:
            yield ReferencePiece(change, " ".join(run), ends_paragraph=True)
            run = []
        elif change is Presence.SAME:
            yield ReferencePiece(change, "", ends_paragraph=True)
    if run:
        yield ReferencePiece(change, " ".join(run))
