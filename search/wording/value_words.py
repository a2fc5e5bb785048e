"""Words for what tables count by and for their values: `r1.lemma` → `lemma of 1R`."""

from extraction.text.language_names import language_name
from presentation.wording.times import named_month
from search.engine.statistics.counting.hit_values import (
    NO_VALUE,
    HitColumn,
    Key,
    Node,
    parse_key,
)
from search.engine.statistics.value_slices import HOLDS, STARTS

ATTRIBUTE_WORDS = {
    "lower": "word",
    "word": "word, case kept",
    "folded": "word, no accents",
    "stem": "stem",
    "lemma": "lemma",
    "pos": "tag",
    "lemma+pos": "lemma and tag",
}
COLUMN_WORDS = {
    "publication": "publication",
    "section": "section",
    "author": "author",
    "agency": "agency",
    "language": "language",
    "kind": "text",
    "changed": "changes of the text",
    "rights": "rights",
    "undated": "date known",
    "month": "month",
    "year": "year",
}
NO_DATE = "no date"
# Of columns with few values.
MARK_WORDS = {
    "kind": {
        "article": "articles",
        "comment": "comments",
        "post": "posts",
        "headline": "headlines",
        "standfirst": "standfirsts",
        "heading": "headings",
        "quote": "quotes",
        "list_item": "items of lists",
        "caption": "captions",
    },
    "changed": {"no": "as first seen", "yes": "changed since"},
    "rights": {"none": "nothing said", "reserved": "reserved", "granted": "granted"},
    "undated": {"no": "with a date", "yes": NO_DATE},
}
_ORDINALS = {"1": "first token", "2": "second token", "3": "third token"}
SENTENCE_ENDS = "(end of the sentence)"


def place_words(name: str) -> str:
    """Name a place: `r1` → `1R`, `first` → `first token`.

    Examples
    --------
    >>> place_words("l2"), place_words("last"), place_words("4")
    ('2L', 'last token', 'token 4')
    """
    if name[0] in "lr" and name[1:].isdigit():
        return f"{name[1:]}{name[0].upper()}"
    return _ORDINALS.get(name, f"token {name}" if name.isdigit() else f"{name} token")


def key_words(key: Key) -> str:
    """Name what is counted by."""
    match key:
        case HitColumn(name):
            return COLUMN_WORDS[name]
        case Node(attribute):
            return ATTRIBUTE_WORDS[attribute]
        case _:
            return f"{place_words(key.name)}: {ATTRIBUTE_WORDS[key.attribute]}"


def value_words(key: Key, value: str, publications: dict[str, str]) -> str:
    """Write a value for readers."""
    if not isinstance(key, HitColumn):
        return SENTENCE_ENDS if value == NO_VALUE else value
    if value == NO_VALUE and key.name in ("month", "year"):
        return NO_DATE
    if value == NO_VALUE:
        return f"(no {COLUMN_WORDS[key.name]})"
    written = {
        "publication": lambda: publications.get(value, value),
        "kind": lambda: MARK_WORDS["kind"][value],
        "changed": lambda: MARK_WORDS["changed"][value],
        "rights": lambda: MARK_WORDS["rights"][value],
        "undated": lambda: MARK_WORDS["undated"][value],
        "language": lambda: language_name(value),
        "month": lambda: named_month(value),
    }
    return written.get(key.name, lambda: value)()


def value_slice_words(column: str, value: str) -> str:
    """Write a slice by value for a chip: `1R: lemma “rain”`."""
    place, _, attribute = column.rpartition(".")
    of = ATTRIBUTE_WORDS[attribute]
    if place == HOLDS:
        return f"inside “{value}” ({of})"
    if place == STARTS:
        return f"begins “{value}” ({of})"
    if place.startswith("skip"):
        return f"begins “{value}” with up to {place[4:]} words between ({of})"
    if "," in place:
        left, right = place.split(",")
        return f"{of} “{value}” up to {left} left, {right} right"
    return f"{key_words(parse_key(column))} “{value}”" if value else f"{place_words(place)}: none"
