"""What concordance lines are sorted by, and how it is written in addresses: `r1,r2.lemma,pub`.

Input → output: text of a `sort` parameter ↔ sort keys.

    keys      = key {"," key}
    key       = place {"." modifier}
    place     = "new" | "old" | "pub" | "sec" | "author" | "lang" | "kind" | "corpus" | "random"
              | "good" | "node" | ("l" | "r") 1–5 | ("n" | "e") 1–5
    modifier  = "word" | "lower" | "lemma" | "pos" | "rev" | "desc" | "dict"

`l1` is the word next to the node, `r1` the first after it; `n1` is the first token of the match,
`e1` its last. Words are compared in lower case by code point unless a modifier says otherwise:
`rev` compares from the last letter (a retrograde dictionary), `desc` turns the order round, `dict`
is the order of dictionaries (`word_ranks`). `good` begins with good examples (`good_examples`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

MAX_DISTANCE = 5  # tokens from the node that a key may look at


class SortPlace(StrEnum):
    """What a key looks at."""

    NEW = "new"
    OLD = "old"
    PUBLICATION = "pub"
    SECTION = "sec"
    AUTHOR = "author"
    LANGUAGE = "lang"
    KIND = "kind"
    CORPUS = "corpus"
    RANDOM = "random"
    GOOD = "good"
    NODE = "node"
    LEFT = "l"
    RIGHT = "r"
    FROM_FIRST = "n"
    FROM_LAST = "e"


class SortAttribute(StrEnum):
    """What is compared of a token."""

    LOWER = "lower"
    WORD = "word"
    LEMMA = "lemma"
    POS = "pos"


class SortKeyError(ValueError):
    """A text that is no sort key; raised here, shown at the control."""


NUMBERED = frozenset({SortPlace.LEFT, SortPlace.RIGHT, SortPlace.FROM_FIRST, SortPlace.FROM_LAST})
OF_TOKENS = NUMBERED | {SortPlace.NODE}
_KEY = re.compile(r"(?P<place>[a-z]+)(?P<number>[1-9]?)(?P<modifiers>(?:\.[a-z]+)*)")
_ATTRIBUTES = {attribute.value: attribute for attribute in SortAttribute}


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key.

    Parameters
    ----------
    number : int
        Distance of a numbered place, from 1; 0 for all others.
    is_retrograde, is_descending, is_dictionary : bool
        Compare from the last letter; turn the order round; compare as dictionaries do.
    """

    place: SortPlace
    number: int = 0
    attribute: SortAttribute = SortAttribute.LOWER
    is_retrograde: bool = False
    is_descending: bool = False
    is_dictionary: bool = False

    NEW: ClassVar["SortKey"]
    OLD: ClassVar["SortKey"]

    @classmethod
    def parse(cls, text: str) -> "SortKey":
        """Read one key.

        Raises
        ------
        SortKeyError

        Examples
        --------
        >>> str(SortKey.parse("r1.rev.lemma")), str(SortKey.parse("n2"))
        ('r1.lemma.rev', 'n2')
        """
        found = _KEY.fullmatch(text)
        if found is None or found["place"] not in set(SortPlace):
            raise SortKeyError(f"“{text}” is nothing to sort by.")
        place, number = SortPlace(found["place"]), int(found["number"] or 0)
        if (place in NUMBERED) != (1 <= number <= MAX_DISTANCE) or number > MAX_DISTANCE:
            raise SortKeyError(f"“{text}” is nothing to sort by.")
        key = cls(place, number)
        return _modified(key, found["modifiers"].split(".")[1:], text)

    @property
    def looks_at_tokens(self) -> bool:
        """Whether words are compared, not texts."""
        return self.place in OF_TOKENS

    def __str__(self) -> str:
        parts = [f"{self.place}{self.number or ''}"]
        if self.attribute is not SortAttribute.LOWER:
            parts.append(self.attribute.value)
        flags = (self.is_retrograde, self.is_descending, self.is_dictionary)
        parts += [
            name for name, is_set in zip(("rev", "desc", "dict"), flags, strict=True) if is_set
        ]
        return ".".join(parts)


SortKey.NEW = SortKey(SortPlace.NEW)
SortKey.OLD = SortKey(SortPlace.OLD)


def _modified(key: SortKey, modifiers: list[str], text: str) -> SortKey:
    attributes = [_ATTRIBUTES[name] for name in modifiers if name in _ATTRIBUTES]
    flags = [name for name in modifiers if name not in _ATTRIBUTES]
    wrong = (
        len(attributes) > 1 or len(set(flags)) < len(flags) or set(flags) - {"rev", "desc", "dict"}
    )
    allowed = {"desc"} if not key.looks_at_tokens else {"rev", "desc", "dict"}
    if wrong or set(flags) - allowed or (attributes and not key.looks_at_tokens):
        raise SortKeyError(f"“{text}” is nothing to sort by.")
    return SortKey(
        key.place,
        key.number,
        attributes[0] if attributes else SortAttribute.LOWER,
        is_retrograde="rev" in flags,
        is_descending="desc" in flags,
        is_dictionary="dict" in flags,
    )


def parse_keys(text: str) -> tuple[SortKey, ...]:
    """Read keys separated by commas; an empty text gives none.

    Raises
    ------
    SortKeyError
    """
    return tuple(SortKey.parse(part) for part in text.split(",") if part)


def write_keys(keys: Iterable[SortKey]) -> str:
    """Write keys as `parse_keys` reads them."""
    return ",".join(map(str, keys))
