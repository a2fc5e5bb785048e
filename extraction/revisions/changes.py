"""What a change comes to: two texts of a page → words changed, fields changed.

Counted without an alignment, so that it costs the stage a millisecond whatever comes; which words
stand in which places is shown by the pages.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from extraction.text.comparable import comparable

# As the pages that mark changed words have it: numbers and compounds are one word.
_WORD = re.compile(r"\w+(?:[.,:'’-]\w+)*")
TITLE = "title"
# Columns of a text whose change is named, with the words for them.
FIELD_WORDS = {
    TITLE: "headline",
    "standfirst": "standfirst",
    "authors": "authors",
    "section": "section",
    "published_at": "date of publication",
}


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a text: words put in, taken out or replaced, and names of other fields."""

    n_words: int
    fields: tuple[str, ...]


def n_words_changed(former: str, later: str) -> int:
    """Count the words that only one of two texts has; a replaced word counts once.

    Each word counts as often as it is more in one of them; the larger of both sides is given. A
    paragraph in another place is no change.

    Examples
    --------
    >>> n_words_changed("Five men were held.", "Six men were held on Monday.")
    3
    """
    words = Counter(_words(former)), Counter(_words(later))
    gone, come = words[0] - words[1], words[1] - words[0]
    return max(gone.total(), come.total())


def _words(text: str) -> list[str]:
    return _WORD.findall(comparable(text))


def change_of(
    former_text: str, later_text: str, former: Mapping[str, object], later: Mapping[str, object]
) -> Change:
    """Sum up what changed between two texts and the columns that are given for both."""
    fields = tuple(name for name in FIELD_WORDS if _said(former[name]) != _said(later[name]))
    return Change(n_words_changed(former_text, later_text), fields)


def _said(value: object) -> object:
    return comparable(value) if isinstance(value, str) else value


def in_words(n_words: int, fields: tuple[str, ...]) -> str:
    """Write a change for people.

    Examples
    --------
    >>> in_words(41, ("title",)), in_words(1, ()), in_words(0, ("title", "authors"))
    ('headline, 41 words', '1 word', 'headline, authors')
    """
    named = [FIELD_WORDS[name] for name in fields if name in FIELD_WORDS]
    if n_words:
        named.append(f"{n_words} {'word' if n_words == 1 else 'words'}")
    return ", ".join(named) or "order or layout"
