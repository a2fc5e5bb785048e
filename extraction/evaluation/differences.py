"""A text laid over its reference: what both have, what is missing, what is too much.

For two columns on a screen: pieces in reading order, whole words, paragraph breaks kept.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

# Beyond this many words only the beginnings are compared: the comparison's cost grows with the
# product of the lengths in the worst case.
MAX_WORDS = 6_000
_PIECES = re.compile(r"\n+|[^\s]+")


class Change(StrEnum):
    """What a piece is."""

    SAME = "same"
    MISSING = "missing"  # in the reference only
    EXTRA = "extra"  # in the text only


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that stand together and have the same fate; `ends_paragraph` asks for a break."""

    change: Change
    text: str
    ends_paragraph: bool = False


def differences(reference: str, text: str) -> list[Piece]:
    """Pieces of both texts in order, missing before extra where both stand at one place.

    Examples
    --------
    >>> [(piece.change.value, piece.text) for piece in differences("sour milk", "sour tea")]
    [('same', 'sour'), ('missing', 'milk'), ('extra', 'tea')]
    """
    wanted = _PIECES.findall(reference)[:MAX_WORDS]
    found = _PIECES.findall(text)[:MAX_WORDS]
    pieces: list[Piece] = []
    # Its heuristic leaves frequent words out as anchors, which long unrelated texts need: 0.1 s
    # instead of 3 s for 6,000 words each.
    matcher = SequenceMatcher(None, [_key(word) for word in wanted], [_key(word) for word in found])
    for kind, start, end, found_start, found_end in matcher.get_opcodes():
        if kind == "equal":
            pieces += _pieces(Change.SAME, found[found_start:found_end])
            continue
        pieces += _pieces(Change.MISSING, wanted[start:end])
        pieces += _pieces(Change.EXTRA, found[found_start:found_end])
    return pieces


def _key(word: str) -> str:
    return "\n" if word.startswith("\n") else word


def _pieces(change: Change, words: list[str]) -> list[Piece]:
    pieces: list[Piece] = []
    run: list[str] = []
    for word in words:
        if not word.startswith("\n"):
            run.append(word)
        elif run:
            pieces.append(Piece(change, " ".join(run), ends_paragraph=True))
            run = []
        elif change is Change.SAME:
            pieces.append(Piece(change, "", ends_paragraph=True))
    if run:
        pieces.append(Piece(change, " ".join(run)))
    return pieces
