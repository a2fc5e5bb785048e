"""Statements of a site on text and data mining, and what they come to.

A statement is a source and its words; what it means is in the words, so that what was stored can be
judged again. Of the TDM Reservation Protocol one statement counts: the page's before the header's
before the site's file (its section "Processing priority"). Beside it each other source counts for
itself, and whoever reserves outweighs who grants: what a site forbids to some miners and permits to
others is not free.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

_MAX_WORDS = 300  # a list of some dozens of names; more only fills the table


class Rights(StrEnum):
    """What statements come to; the values are those of the columns."""

    NOTHING = ""
    RESERVED = "reserved"
    GRANTED = "granted"


class RightsSource(StrEnum):
    """Where a site says something; the values are stored."""

    TDM_META = "tdm_meta"
    TDM_HEADER = "tdm_header"
    TDM_FILE = "tdm_file"
    ROBOTS_META = "robots_meta"
    ROBOTS_HEADER = "robots_header"
    ROBOTS_NAMES = "robots_names"
    AI_TXT = "ai_txt"

    @property
    def words(self) -> str:
        """Name it for people."""
        return _SOURCE_WORDS[self]


_SOURCE_WORDS = {
    RightsSource.TDM_META: "TDM-Reservation in the page",
    RightsSource.TDM_HEADER: "TDM-Reservation header",
    RightsSource.TDM_FILE: "/.well-known/tdmrep.json",
    RightsSource.ROBOTS_META: "robots meta element",
    RightsSource.ROBOTS_HEADER: "X-Robots-Tag header",
    RightsSource.ROBOTS_NAMES: "robots.txt names",
    RightsSource.AI_TXT: "/ai.txt",
}
# In the order in which one takes the place of the others.
TDM_SOURCES = (RightsSource.TDM_META, RightsSource.TDM_HEADER, RightsSource.TDM_FILE)
# Said of the site, not of one page.
SITE_SOURCES = frozenset({RightsSource.TDM_FILE, RightsSource.ROBOTS_NAMES, RightsSource.AI_TXT})

# How the words of a protocol's statement begin.
TDM_RESERVED, TDM_GRANTED = "tdm-reservation: 1", "tdm-reservation: 0"
DISALLOWED, ALLOWED = "Disallow: ", "Allow: "
NO_AI = "noai"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a site says; `words` as it stands there, shortened."""

    source: RightsSource
    words: str

    @classmethod
    def of(cls, source: RightsSource, words: str) -> "Statement":
        """Make one of words of any length and kind."""
        return cls(source, words.replace("\x00", "")[:_MAX_WORDS])

    @property
    def rights(self) -> Rights:
        """What this statement alone means for the text of a page."""
        if self.source in TDM_SOURCES:
            return _by_beginning(self.words, TDM_RESERVED, TDM_GRANTED)
        if self.source is RightsSource.AI_TXT:
            return _by_beginning(self.words, DISALLOWED, ALLOWED)
        if self.source is RightsSource.ROBOTS_NAMES:
            return Rights.RESERVED
        # `noimageai` speaks of pictures alone.
        return Rights.RESERVED if NO_AI in self.words.split(", ") else Rights.NOTHING


def _by_beginning(words: str, reserved: str, granted: str) -> Rights:
    if words.startswith(reserved):
        return Rights.RESERVED
    return Rights.GRANTED if words.startswith(granted) else Rights.NOTHING


def verdict(statements: Iterable[Statement]) -> Rights:
    """Say what statements come to.

    Examples
    --------
    >>> said = [Statement(RightsSource.TDM_FILE, "tdm-reservation: 1")]
    >>> verdict(said).value
    'reserved'
    >>> verdict([*said, Statement(RightsSource.TDM_HEADER, "tdm-reservation: 0")]).value
    'granted'
    """
    said = list(statements)
    strongest = next((one for source in TDM_SOURCES for one in said if one.source is source), None)
    counting = {
        one.rights for one in said if one.source not in TDM_SOURCES or one.source is _of(strongest)
    }
    for rights in (Rights.RESERVED, Rights.GRANTED):
        if rights in counting:
            return rights
    return Rights.NOTHING


def _of(statement: Statement | None) -> RightsSource | None:
    return None if statement is None else statement.source


def to_json(statements: Iterable[Statement]) -> list[list[str]]:
    """Write statements as the columns hold them."""
    return [[one.source.value, one.words] for one in statements]


def from_json(rows: Sequence[Sequence[str]]) -> list[Statement]:
    """Read statements of a column; sources that are not known any more are left out."""
    known = set(RightsSource)
    return [Statement(RightsSource(row[0]), row[1]) for row in rows if row[0] in known]


def said_words(statements: Iterable[Statement]) -> str:
    """Write statements for people.

    Examples
    --------
    >>> said_words([Statement(RightsSource.ROBOTS_NAMES, "GPTBot, CCBot")])
    'robots.txt names GPTBot, CCBot'
    """
    return "; ".join(_said(one) for one in statements)


def _said(one: Statement) -> str:
    if one.source is RightsSource.ROBOTS_NAMES:
        return f"{one.source.words} {one.words}"
    return f"{one.source.words} ({one.words})"
