"""Sources that say something else of a field than what was chosen: shown to editors.

Two values agree when a reader would take them for the same: titles where one holds the other (the
site's name, a kicker), authors as sets of names, dates by their day in one zone, other fields by
their words.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime, tzinfo

from extraction.html.fields.dates import parse_date
from extraction.html.fields.field_choices import Offer
from extraction.html.fields.names import clean_names
from extraction.html.page import Disagreement
from extraction.text.plain_words import plain, squeezed

# What an editor can take in: beginnings of values, a few for each field.
_MAX_VALUE_CHARACTERS = 300
_MAX_PER_FIELD = 6


def title_disagreements(title: str, offers: Iterable[Offer]) -> list[Disagreement]:
    """List the titles that neither hold the chosen one nor are held by it."""
    chosen = plain(title)
    return _distinct(
        "title", offers, lambda value: plain(value) in chosen or chosen in plain(value)
    )


def author_disagreements(names: Iterable[str], offers: Iterable[Offer]) -> list[Disagreement]:
    """List the sources that name other people; several values of a source are one list."""
    chosen = {squeezed(name) for name in names}
    lists: dict[str, list[str]] = {}
    for offer in offers:
        lists.setdefault(offer.source, []).append(offer.value)
    found = [Offer(source, ", ".join(clean_names(values))) for source, values in lists.items()]
    return _distinct(
        "authors",
        [offer for offer in found if offer.value],
        lambda value: {squeezed(name) for name in value.split(", ")} == chosen,
    )


def date_disagreements(
    name: str, moment: datetime | None, offers: Iterable[Offer], zone: tzinfo
) -> list[Disagreement]:
    """List the dates of another day than the chosen one, as the source writes them."""

    def agrees(value: str) -> bool:
        other = parse_date(value, zone=zone)
        return other is None or (moment is not None and moment.date() in _days(other, moment))

    return _distinct(name, offers, agrees)


def _days(other: datetime, moment: datetime) -> set[date]:
    """Day of a date in its own zone and in that of the chosen moment."""
    try:
        return {other.date(), other.astimezone(moment.tzinfo).date()}
    except OverflowError:  # the first or the last day there is, and another one elsewhere
        return {other.date()}


def text_disagreements(name: str, value: str, offers: Iterable[Offer]) -> list[Disagreement]:
    """List the values whose words are not those of the chosen one."""
    chosen = plain(value)
    return _distinct(name, offers, lambda other: plain(other) == chosen)


def _distinct(
    name: str, offers: Iterable[Offer], agrees: Callable[[str], bool]
) -> list[Disagreement]:
    found: dict[tuple[str, str], Disagreement] = {}
    for offer in offers:
        value = " ".join(offer.value.split())[:_MAX_VALUE_CHARACTERS]
        if value and not agrees(value):
            key = (offer.source, plain(value))
            found.setdefault(key, Disagreement(name, offer.source, value))
    return list(found.values())[:_MAX_PER_FIELD]
