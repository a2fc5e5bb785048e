"""Title, authors and date as a reader finds them, against those of the stored article.

What is stored came from a reader too, so it only says what changed; a field that an editor
corrected by hand is right, and is counted apart.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

FIELDS = ("title", "authors", "published_at")


class FieldOutcome(StrEnum):
    """What became of one field of a page."""

    SAME = "same"
    OTHER = "other"
    MISSING = "missing"  # nothing was found though there is one


@dataclass(frozen=True, slots=True)
class PageFields:
    """The fields of one page."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """One field over many pages: of `n` pages, and of those whose value is an editor's."""

    n: int = 0
    n_found: int = 0
    n_same: int = 0
    n_by_hand: int = 0
    n_right: int = 0


def compare_fields(wanted: PageFields, found: PageFields) -> dict[str, str]:
    """Give the outcome of each field; a field that neither has is the same.

    Examples
    --------
    >>> compare_fields(PageFields("Rain at last", ("A. Nel",)), PageFields("Rain  at last"))
    {'title': 'same', 'authors': 'missing', 'published_at': 'same'}
    """
    pairs = {
        "title": (_plain(wanted.title), _plain(found.title)),
        "authors": (sorted(map(_plain, wanted.authors)), sorted(map(_plain, found.authors))),
        "published_at": (_minute(wanted.published_at), _minute(found.published_at)),
    }
    return {name: str(_outcome(*pair)) for name, pair in pairs.items()}


def count_fields(
    pages: Iterable[tuple[Mapping[str, str], Collection[str]]],
) -> dict[str, FieldCounts]:
    """Count the outcomes of pages, each with the names of its fields that editors corrected."""
    n: Counter[tuple[str, str]] = Counter()
    for outcomes, by_hand in pages:
        for name, outcome in outcomes.items():
            is_same = outcome == FieldOutcome.SAME
            n[name, "n"] += 1
            n[name, "n_found"] += outcome != FieldOutcome.MISSING
            n[name, "n_same"] += is_same
            n[name, "n_by_hand"] += name in by_hand
            n[name, "n_right"] += is_same and name in by_hand
    counts = ("n", "n_found", "n_same", "n_by_hand", "n_right")
    return {
        name: FieldCounts(**{count: n[name, count] for count in counts})
        for name in FIELDS
        if n[name, "n"]
    }


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _minute(moment: datetime | None) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M") if moment else ""


def _outcome(wanted: Sequence[str], found: Sequence[str]) -> FieldOutcome:
    if wanted == found:
        return FieldOutcome.SAME
    return FieldOutcome.OTHER if found else FieldOutcome.MISSING
