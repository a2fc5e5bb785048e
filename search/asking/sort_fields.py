"""The sort panel's fields, which need no script, and the `sort` parameter they make together.

Each row of the panel sends `sort=r1` or `sort=-` for no key, then its modifiers as `sort=.lemma`,
`sort=.rev`. Joined in that order they are the keys of the address.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from search.engine.concordance.sort_keys import (
    NUMBERED,
    SortAttribute,
    SortKey,
    SortKeyError,
    SortPlace,
    parse_keys,
)

NO_KEY = "-"
MAX_KEYS = 3
_OF_TEXTS = ".desc"  # the only modifier where no words are compared

PLACES = (
    (NO_KEY, "nothing more"),
    ("r1", "1st word right"),
    ("r2", "2nd word right"),
    ("r3", "3rd word right"),
    ("r4", "4th word right"),
    ("r5", "5th word right"),
    ("l1", "1st word left"),
    ("l2", "2nd word left"),
    ("l3", "3rd word left"),
    ("l4", "4th word left"),
    ("l5", "5th word left"),
    ("node", "the whole match"),
    ("n1", "first word of the match"),
    ("n2", "second word of the match"),
    ("n3", "third word of the match"),
    ("e1", "last word of the match"),
    ("e2", "last word but one of the match"),
    ("new", "newest text first"),
    ("old", "oldest text first"),
    ("pub", "publication"),
    ("sec", "section"),
    ("author", "author"),
    ("lang", "language"),
    ("kind", "articles, then comments"),
    ("random", "random order"),
    ("good", "good examples first"),
)
ATTRIBUTES = (
    ("", "word, any case"),
    (".word", "word as written"),
    (".lemma", "lemma"),
    (".pos", "part of speech"),
)


@dataclass(frozen=True, slots=True)
class SortRow:
    """One key as the panel shows it; `places` and `attributes` are (value, label, is chosen)."""

    number: int
    places: tuple[tuple[str, str, bool], ...]
    attributes: tuple[tuple[str, str, bool], ...]
    is_retrograde: bool
    is_descending: bool
    is_dictionary: bool


def join_sort(values: Sequence[str]) -> str:
    """Join the fields of the panel, or the one value of an address.

    Examples
    --------
    >>> join_sort(["r1", ".lemma", ".rev", "-", ".desc", "pub", ".lemma", ".desc"])
    'r1.lemma.rev,pub.desc'
    >>> join_sort(["node,r1"])
    'node,r1'
    """
    keys: list[str] = []
    takes: tuple[str, ...] = ()
    for value in values:
        if not value.startswith("."):
            takes = ()
            if value != NO_KEY:
                keys.append(value)
                takes = (".",) if _compares_words(value) else (_OF_TEXTS,)
        elif keys and value.startswith(takes):
            keys[-1] += value
    return ",".join(keys)


def _compares_words(text: str) -> bool:
    try:
        return all(key.looks_at_tokens for key in parse_keys(text))
    except SortKeyError:
        return True


def sort_rows(sort: str) -> list[SortRow]:
    """Make the rows of the panel for the keys of an address."""
    keys = list(parse_keys(sort))[:MAX_KEYS]
    return [
        _row(number, keys[number - 1] if number <= len(keys) else None)
        for number in range(1, MAX_KEYS + 1)
    ]


def _row(number: int, key: SortKey | None) -> SortRow:
    place = place_of(key) if key else NO_KEY
    places = PLACES[1:] if number == 1 else PLACES
    if place not in dict(places):
        places = (*places, (place, place))
    attribute = f".{key.attribute}" if key and key.attribute is not SortAttribute.LOWER else ""
    return SortRow(
        number,
        tuple((value, label, value == place) for value, label in places),
        tuple((value, label, value == attribute) for value, label in ATTRIBUTES),
        is_retrograde=bool(key and key.is_retrograde),
        is_descending=bool(key and key.is_descending),
        is_dictionary=bool(key and key.is_dictionary),
    )


def place_of(key: SortKey) -> str:
    """Return place and number of a key without its modifiers."""
    return f"{key.place}{key.number}" if key.place in NUMBERED else key.place.value


def sort_words(sort: str) -> str:
    """Say an order in words.

    Examples
    --------
    >>> sort_words("r1.lemma.rev,pub.desc")
    '1st word right (lemma, from its end), publication (descending)'
    """
    return ", ".join(_words(key) for key in parse_keys(sort))


def _words(key: SortKey) -> str:
    label = dict(PLACES).get(place_of(key), place_of(key))
    notes = [name for value, name in ATTRIBUTES[1:] if value == f".{key.attribute}"]
    notes += ["from its end"] if key.is_retrograde else []
    notes += ["descending"] if key.is_descending else []
    notes += ["as in a dictionary"] if key.is_dictionary else []
    return f"{label} ({', '.join(notes)})" if notes else label


def column_of(key: SortKey) -> str:
    """Return which column of the table a key sorts by: source, left, node, right, or none."""
    if key.place in (SortPlace.NEW, SortPlace.OLD):
        return "source"
    if key.place is SortPlace.LEFT:
        return "left"
    if key.place is SortPlace.RIGHT:
        return "right"
    return "node" if key.looks_at_tokens else ""


def with_second_key(sort: str, key: str) -> str:
    """Return an order with one more key behind it, empty if it has no room or need for one.

    Of several keys of one column the first is kept, so that there is room.

    Examples
    --------
    >>> with_second_key("r1,r2,r3", "l1"), with_second_key("l1,node", "r1")
    ('r1,l1', 'l1,node,r1')
    >>> with_second_key("new", "l1"), with_second_key("l1,pub,r1", "node")
    ('', '')
    """
    kept: list[SortKey] = []
    for known in parse_keys(sort):
        column = column_of(known)
        if not column or column not in map(column_of, kept):
            kept.append(known)
    added = SortKey.parse(key)
    decides_all = {SortPlace.NEW, SortPlace.OLD, SortPlace.RANDOM}
    if any(known.place in decides_all for known in kept) or len(kept) >= MAX_KEYS:
        return ""
    if column_of(added) in map(column_of, kept):
        return ""
    return ",".join(map(str, [*kept, added]))
