"""What becomes of a piece after its first day: corrected, carried on, put behind a wall, removed.

In a piece's file revisions stand behind the text, each under a head line with its time after
publication, and perhaps a fate (see `Fate`): `=== +3h` or `=== +73h gone`. Below it follow new
heads (`title: …`, `standfirst: …`) and paragraphs: `2: …` takes the place of the second one,
`+: …` comes behind the last, `-3:` goes. Numbers count the paragraphs as they stand before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

_HEAD = re.compile(r"\+(?P<delay>\d+[smhd])(?: (?P<fate>\w+))?")
_CHANGE = re.compile(r"(?P<place>\+|-?\d+|title|standfirst):\s*(?P<text>.*)", re.DOTALL)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


class Fate(StrEnum):
    """What a revised page is besides its text."""

    SHOWN = "shown"
    WALLED = "walled"  # the first paragraph, then an offer to subscribe
    REMOVED = "removed"  # the page says that there was an article
    GONE = "gone"  # 410


@dataclass(frozen=True, slots=True)
class Revision:
    """One change of a piece; `changes` are (place, text) in the order of the file."""

    delay: timedelta
    fate: Fate = Fate.SHOWN
    changes: tuple[tuple[str, str], ...] = ()

    def head(self, name: str, before: str) -> str:
        """Return a head as it stands from then on."""
        return dict(self.changes).get(name, before)

    def paragraphs(self, before: Sequence[str]) -> tuple[str, ...]:
        """Return the paragraphs as they stand from then on."""
        kept: list[str | None] = list(before)
        added = []
        for place, text in self.changes:
            if place == "+":
                added.append(text)
            elif place.lstrip("-").isdecimal():
                kept[abs(int(place)) - 1] = None if place.startswith("-") else text
        return (*(text for text in kept if text is not None), *added)


def duration(text: str) -> timedelta:
    """Read `30m`, `26h`, `3d`."""
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})


def read_revision(block: str) -> Revision:
    """Read one revision, from behind its `=== `.

    Raises
    ------
    ValueError
        When a line is not as the module's text says.
    """
    first_line, _, rest = block.partition("\n")
    head = _HEAD.fullmatch(first_line.strip())
    if head is None:
        raise ValueError(f"no head of a revision: {first_line}")
    changes = []
    for part in filter(str.strip, re.split(r"\n(?=\S*:)|\n\s*\n", rest)):
        change = _CHANGE.fullmatch(" ".join(part.split()))
        if change is None:
            raise ValueError(f"no change of a revision: {part}")
        changes.append((change["place"], change["text"]))
    return Revision(duration(head["delay"]), Fate(head["fate"] or Fate.SHOWN), tuple(changes))
