"""Headline of a page by agreement of its sources, without the name of the site.

Candidates (heading on the page, JSON-LD, Open Graph, Twitter card, title element, feed) → each cut
free of the site's name → the one that most weight stands behind. Sources agree when they are equal
apart from case, punctuation and white space. The pieces at the ends of titles are what the site's
names are learnt from (`site.knowledge`): one learnt so is cut like those the site gives itself.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from extraction.html.markup.meta_tags import HeadData
from extraction.text.plain_words import plain, squeezed

# Separators that templates put between headline, section and site; a hyphen counts only between
# blanks.
_SEPARATOR = re.compile(r"\s+(?:[|¦‖»«›‹·•>:~–—―\-/\\]|::|//|>>|<<|--)\s+|\s*[|»«]\s*")
_LOOSE_SEPARATOR = re.compile(
    r"\s+[~:/\\>*]+\s+|\s*(?:[|¦‖»«›‹·•_＿｜–—―]|-{2,}|::)\s*|\s+-\s+|(?<=[^\x00-\x7f])-(?=[^\x00-\x7f])"
)
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
# A single word that stands in a line of the page ("News") is a section rather than a headline.
_LEAST_SHOWN_WORDS = 3
_MAX_TITLE_CHARACTERS = 500  # a longer one is the text
_MAX_PIECES = 6  # those at the ends of two titles, where names of sites stand
_MAX_PIECE_CHARACTERS = 60  # a longer piece is a headline


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


def choose_title(
    candidates: Iterable[TitleCandidate],
    site_names: Iterable[str],
    shown_lines: Callable[[], AbstractSet[str]] = frozenset,
) -> TitleChoice:
    """Choose the headline.

    Parameters
    ----------
    candidates
        What the head of the page, JSON-LD and the feed say, and the heading of the page that
        `headings.choose_heading` found ("page"), in any order.
    site_names
        Names by which the site goes: publication, publisher, og:site_name, host without its
        top-level domain, names learnt over the host's pages.
    shown_lines
        Gives the plain forms of the page's short lines; asked only where the title has pieces that
        nothing else explains.

    Examples
    --------
    >>> choose_title(
    ...     [
    ...         TitleCandidate("title", "Fire in the harbour | The Post"),
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
    said = {plain(candidate.text) for candidate in given}
    cleaned = [
        TitleCandidate(
            candidate.source, without_site_name(candidate.text, names, said, shown_lines)
        )
        for candidate in given
    ]
    named = [candidate for candidate in cleaned if squeezed(candidate.text) not in names]
    return _vote(named or cleaned)


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


def without_site_name(
    text: str,
    names: AbstractSet[str],
    said: AbstractSet[str] = frozenset(),
    shown_lines: Callable[[], AbstractSet[str]] = frozenset,
) -> str:
    """Cut the site's name, and section names beside it, from a title.

    A piece at an end goes when it is a name of the site, or when what remains is exactly what
    another source says (`said`, in plain form) or what stands alone in a line of the page.
    """
    before, colon, rest = text.partition(": ")
    if colon and squeezed(before) in names:
        text = rest.strip()
    pieces, separators = split_title(text)
    if len(pieces) < 2:
        return _without_glued_name(text, names)
    known = said - {plain(text)}
    part = _known_part(pieces, separators, known, names)
    if part:
        return part
    first, last = 0, len(pieces)
    while last - first > 1 and is_site_name(pieces[last - 1], names):
        last -= 1
    while last - first > 1 and is_site_name(pieces[first], names):
        first += 1
    if last - first > 1:
        shown = shown_lines()
        if plain(text) not in shown:
            part = _known_part(pieces[first:last], separators[first:], shown, names)
            if part and len(part.split()) >= _LEAST_SHOWN_WORDS:
                return part
    return join_title(pieces, separators, first, last)


def _without_glued_name(text: str, names: AbstractSet[str]) -> str:
    """Cut names from the end of a title whose separators have no blanks ("headline_site")."""
    matches = list(_LOOSE_SEPARATOR.finditer(text))
    for match in reversed(matches):
        if squeezed(text[match.end() :]) not in names or not text[: match.start()].strip():
            break
        text = text[: match.start()].strip()
    return text


def _known_part(
    pieces: Sequence[str],
    separators: Sequence[str],
    known: AbstractSet[str],
    names: AbstractSet[str],
) -> str:
    """Longest proper part of a title that is known in plain form and is no name of the site."""
    for first, last in spans(len(pieces)):
        part = join_title(pieces, separators, first, last)
        if plain(part) in known and len(plain(part)) > 1 and squeezed(part) not in names:
            return part
    return ""


def spans(n_pieces: int) -> list[tuple[int, int]]:
    """Proper sub-spans of the pieces, longest first, earliest first."""
    return [
        (first, first + size)
        for size in range(n_pieces - 1, 0, -1)
        for first in range(n_pieces - size + 1)
    ]


def split_title(text: str) -> tuple[list[str], list[str]]:
    pieces, separators, start = [], [], 0
    for match in _SEPARATOR.finditer(text):
        pieces.append(text[start : match.start()].strip())
        separators.append(match.group())
        start = match.end()
    pieces.append(text[start:].strip())
    return pieces, separators


def split_loosely(text: str) -> list[str]:
    """Pieces of a title at any separator, with blanks around it or not.

    Chinese sites write "headline_section_site" and "headline--section--site". Used to learn names;
    too rough to cut a title without knowing them.
    """
    return [piece.strip() for piece in _LOOSE_SEPARATOR.split(text) if piece.strip()]


def join_title(pieces: Sequence[str], separators: Sequence[str], first: int, last: int) -> str:
    parts = [pieces[first]]
    for index in range(first + 1, last):
        parts += [separators[index - 1], pieces[index]]
    return "".join(parts).strip()


def is_site_name(text: str, names: AbstractSet[str]) -> bool:
    """Whether a piece of a title is one of the site's names.

    Or ends or begins with one ("News from The Post").
    """
    own = squeezed(text)
    if not own:
        return True
    return own in names or any(
        len(name) >= 4
        and (
            own.startswith(name)
            or own.endswith(name)
            or (len(own) >= 4 and (name.startswith(own) or name.endswith(own)))
        )
        for name in names
    )


def title_pieces(head: HeadData) -> tuple[str, ...]:
    """First and last pieces of the title element and of og:title, squeezed; at most six.

    Examples
    --------
    >>> title_pieces(HeadData(title="Fire in the harbour | News | The Post"))
    ('fireintheharbour', 'thepost', 'news')
    """
    found: dict[str, None] = {}
    for title in (head.title, head.first("og:title")):
        pieces = [squeezed(piece) for piece in split_loosely(title)]
        if len(pieces) > 1:
            found |= dict.fromkeys([pieces[0], pieces[-1], *pieces[-2:-1][: len(pieces) - 2]])
    kept = [piece for piece in found if 2 <= len(piece) <= _MAX_PIECE_CHARACTERS]
    return tuple(kept[:_MAX_PIECES])
