"""Headline of a page by agreement of its sources, without the name of the site.

Candidates (heading on the page, JSON-LD, Open Graph, Twitter card, title element, feed) → each cut
free of the site's name → the one that most weight stands behind. Sources agree when they are equal
apart from case, punctuation and white space.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

# Separators that templates put between headline, section and site; a hyphen counts only between
# blanks.
_SEPARATOR = re.compile(r"\s+(?:[|¦‖»«›‹·•>:~–—―\-/\\]|::|//|>>|<<|--)\s+|\s*[|»«]\s*")
_WORDS = re.compile(r"\w+")
# What each source's word is worth; tuned on the development pages (title of fundus, segments,
# wcxb).
_WEIGHTS = {
    "page": 1.8,
    "json_ld": 1.0,
    "feed": 1.0,
    "open_graph": 0.9,
    "twitter": 0.4,
    "title": 0.8,
    "meta": 0.4,
}
# A heading that shares fewer of its words with the head of the page is the site's name or a
# section, not the headline.
_SUPPORT_SHARE = 0.5
_MAX_TITLE_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class TitleCandidate:
    """What one source calls the page."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class TitleChoice:
    """The chosen headline and the source that won; empty when no source says anything."""

    text: str = ""
    source: str = ""


def choose_title(candidates: Iterable[TitleCandidate], site_names: Iterable[str]) -> TitleChoice:
    """Choose the headline.

    Parameters
    ----------
    candidates
        In any order; several headings of the page are each a candidate with source "page".
    site_names
        Names by which the site goes: publication, publisher, og:site_name, host without its
        top-level domain.

    Examples
    --------
    >>> choose_title(
    ...     [
    ...         TitleCandidate("title", "Fire in the harbour | The Post"),
    ...         TitleCandidate("page", "The Post"),
    ...         TitleCandidate("open_graph", "Fire in the harbour"),
    ...     ],
    ...     ["The Post"],
    ... )
    TitleChoice(text='Fire in the harbour', source='open_graph')
    """
    names = {squeezed(name) for name in site_names if name} - {""}
    given = [
        TitleCandidate(candidate.source, text)
        for candidate in candidates
        if (text := " ".join(candidate.text.split())) and len(text) <= _MAX_TITLE_CHARACTERS
    ]
    heads = [candidate for candidate in given if candidate.source != "page"]
    headings = _supported_headings(
        [candidate for candidate in given if candidate.source == "page"], heads, names
    )
    references = [candidate.text for candidate in (*headings, *heads)]
    cleaned = [
        TitleCandidate(candidate.source, without_site_name(candidate.text, names, references))
        for candidate in (*headings, *heads)
    ]
    return _vote([candidate for candidate in cleaned if squeezed(candidate.text) not in names])


def _vote(cleaned: list[TitleCandidate]) -> TitleChoice:
    if not cleaned:
        return TitleChoice()
    weights: dict[str, float] = {}
    for candidate in cleaned:
        key = plain(candidate.text)
        weights[key] = weights.get(key, 0.0) + _WEIGHTS.get(candidate.source, 0.5)
    best = max(
        cleaned,
        key=lambda candidate: (
            weights[plain(candidate.text)],
            _WEIGHTS.get(candidate.source, 0.5),
        ),
    )
    return TitleChoice(best.text, best.source)


def _supported_headings(
    headings: list[TitleCandidate], heads: list[TitleCandidate], names: set[str]
) -> list[TitleCandidate]:
    """At most one heading of the page: the one whose words the head of the page repeats most."""
    headings = [candidate for candidate in headings if squeezed(candidate.text) not in names]
    if not headings:
        return []
    if not heads:
        return headings[:1]
    words = [set(_WORDS.findall(candidate.text.casefold())) for candidate in heads]

    def support(candidate: TitleCandidate) -> float:
        own = set(_WORDS.findall(candidate.text.casefold()))
        if not own:
            return 0.0
        return max(len(own & other) ** 2 / (len(own) * (len(other) or 1)) for other in words)

    best = max(headings, key=support)
    own = set(_WORDS.findall(best.text.casefold()))
    share = max((len(own & other) / (len(own) or 1) for other in words), default=0.0)
    return [best] if share >= _SUPPORT_SHARE or len(headings) == 1 else []


def without_site_name(text: str, names: set[str], references: Iterable[str] = ()) -> str:
    """Cut the site's name, and section names beside it, from a title.

    A piece at an end goes when it is a name of the site, or when what remains is exactly what
    another source says.
    """
    before, colon, rest = text.partition(": ")
    if colon and squeezed(before) in names:
        text = rest.strip()
    pieces, separators = _split(text)
    if len(pieces) < 2:
        return text
    known = {plain(reference) for reference in references} - {plain(text)}
    for first, last in _spans(len(pieces)):
        part = _join(pieces, separators, first, last)
        if plain(part) in known and len(plain(part)) > 1 and squeezed(part) not in names:
            return part
    first, last = 0, len(pieces)
    while last - first > 1 and is_site_name(pieces[last - 1], names):
        last -= 1
    while last - first > 1 and is_site_name(pieces[first], names):
        first += 1
    return _join(pieces, separators, first, last)


def _spans(n_pieces: int) -> list[tuple[int, int]]:
    """Proper sub-spans of the pieces, longest first, earliest first."""
    return [
        (first, first + size)
        for size in range(n_pieces - 1, 0, -1)
        for first in range(n_pieces - size + 1)
    ]


def _split(text: str) -> tuple[list[str], list[str]]:
    pieces, separators, start = [], [], 0
    for match in _SEPARATOR.finditer(text):
        pieces.append(text[start : match.start()].strip())
        separators.append(match.group())
        start = match.end()
    pieces.append(text[start:].strip())
    return pieces, separators


def _join(pieces: list[str], separators: list[str], first: int, last: int) -> str:
    parts = [pieces[first]]
    for index in range(first + 1, last):
        parts += [separators[index - 1], pieces[index]]
    return "".join(parts).strip()


def is_site_name(text: str, names: set[str]) -> bool:
    """Whether a piece of a title is one of the site's names.

    Or ends or begins with one ("News from The Post").
    """
    own = squeezed(text)
    if not own:
        return True
    return own in names or any(
        len(name) >= 4
        and (own.startswith(name) or own.endswith(name) or (len(own) >= 4 and name.startswith(own)))
        for name in names
    )


def plain(text: str) -> str:
    """Words of a title, case folded; sources that agree have equal plain forms."""
    return " ".join(
        _WORDS.findall(unicodedata.normalize("NFKC", text).replace("\xad", "").casefold())
    )


def squeezed(text: str) -> str:
    """Plain form without blanks: "The Post" and "thepost" are one name."""
    return plain(text).replace(" ", "")
