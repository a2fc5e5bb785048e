"""Headings of a page with what tells a headline from the name of the site above it."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from lxml import etree

from extraction.html.fields.titles import join_title, spans, split_title
from extraction.html.markup.elements import text_of
from extraction.text.plain_words import plain, squeezed

# Behind so many the page lists other articles; a longer one is a paragraph marked up as heading.
_MAX_HEADINGS = 60
_MAX_CHARACTERS = 500
# A title with more pieces is a list of search words.
_MAX_PIECES = 8
# A heading that shares fewer of its words with the head of the page is the site's name or a
# section, not the headline.
_SUPPORT_SHARE = 0.5
# Worth of a heading that is all of a title, of its words, of its markup: of two headings that each
# are a part of the title, the longer one is the headline unless it is the site's name.
_WHOLE, _PER_WORD, _MOST_WORDS, _FIRST_LEVEL, _MARKED, _LOGO = 3.0, 0.2, 8, 0.3, 0.3, 1.2
_HEADLINE_CLASS = re.compile(
    r"headline|(?:entry|post|article|story|page|content|news)[-_]{0,2}title|titre|titular|titulo|"
    r"\btitle\b|p-name",
    re.IGNORECASE,
)
# The site's own name is a heading on many old themes, inside a link home or under one of these.
_SITE_CLASS = re.compile(
    r"logo|site[-_]?(?:title|name|heading)|blog[-_]?(?:title|name)|brand|masthead", re.IGNORECASE
)
_JOINTS = " |:–—-»/"
_HOME = re.compile(r"(?:https?://[^/?#]+/?|/)(?:index\.\w+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: its text, its level (1 to 3), and whether it is the site's name by its markup.

    `pieces` are the texts of its parts where it is made of several elements (kicker, headline).
    """

    text: str
    level: int = 1
    is_logo: bool = False
    is_marked: bool = False  # named as a headline by its class or microdata
    pieces: tuple[str, ...] = ()


def read_headings(root: etree._Element) -> tuple[Heading, ...]:
    """Headings of the levels 1 to 3 in document order, at most sixty."""
    found = []
    for element in root.iter("h1", "h2", "h3"):
        text = text_of(element, " ")
        if not text or len(text) > _MAX_CHARACTERS:
            continue
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        found.append(
            Heading(
                text=text,
                level=int(element.tag[1]),
                is_logo=_is_logo(element, names),
                is_marked=element.get("itemprop") in {"headline", "name"}
                or _HEADLINE_CLASS.search(names) is not None,
                pieces=_pieces(element),
            )
        )
        if len(found) >= _MAX_HEADINGS:
            break
    return tuple(found)


def _is_logo(element: etree._Element, names: str) -> bool:
    if _SITE_CLASS.search(names):
        return True
    link = element.find(".//a[@href]")
    if link is None:
        parent = element.getparent()
        link = parent if parent is not None and parent.tag == "a" else None
    return link is not None and _HOME.match((link.get("href") or "").strip()) is not None


def _pieces(element: etree._Element) -> tuple[str, ...]:
    """Texts between the borders of the elements in a heading; empty for a heading of one part."""
    if not len(element):
        return ()
    parts = (" ".join(str(part).split()) for part in element.itertext())
    pieces = tuple(part for part in parts if part)
    return pieces if len(pieces) > 1 else ()


def choose_heading(
    headings: Sequence[Heading], heads: Sequence[str], names: AbstractSet[str]
) -> str:
    """Choose the heading that is the headline.

    Parameters
    ----------
    headings
        In document order.
    heads
        What title element, Open Graph, JSON-LD and feed call the page, uncut.
    names
        Squeezed names of the site.

    Returns
    -------
    str
        Empty when no heading says what the head of the page says, unless there is but one.
    """
    candidates = [heading for heading in headings if squeezed(heading.text) not in names]
    if not heads:
        return next((heading.text for heading in candidates if heading.level == 1), "")
    wholes = {plain(head) for head in heads} - {""}
    parts = _parts(heads) - wholes
    scored = [(_agreement(heading, wholes, parts), heading) for heading in candidates]
    best, heading = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    if heading is None or not best:
        heading = _most_alike([one for one in candidates if one.level == 1], heads)
    return _without_kicker(heading, wholes | parts) if heading is not None else ""


def _parts(heads: Sequence[str]) -> set[str]:
    """Plain forms of all proper parts of the titles between their separators."""
    found: set[str] = set()
    for head in heads:
        pieces, separators = split_title(head)
        if 1 < len(pieces) <= _MAX_PIECES:
            found.update(
                plain(join_title(pieces, separators, first, last))
                for first, last in spans(len(pieces))
            )
    return found - {""}


def _agreement(heading: Heading, wholes: AbstractSet[str], parts: AbstractSet[str]) -> float:
    """How well a heading agrees with the head of the page; 0 = not to the word."""
    text = plain(heading.text)
    if text not in wholes and text not in parts:
        return 0.0
    score = _WHOLE if text in wholes else 1.0
    score += _PER_WORD * min(len(text.split()), _MOST_WORDS)
    score += _FIRST_LEVEL * (heading.level == 1) + _MARKED * heading.is_marked
    return max(score - _LOGO * heading.is_logo, 0.01)


def _without_kicker(heading: Heading, known: AbstractSet[str]) -> str:
    """Text of a heading from the element on where a title, or a part of one, begins."""
    for first in range(1, len(heading.pieces)):
        rest = " ".join(heading.pieces[first:])
        if plain(rest) in known:
            return rest.lstrip(_JOINTS)
    return heading.text


def _most_alike(headings: Sequence[Heading], heads: Sequence[str]) -> Heading | None:
    """Heading whose words the head of the page repeats most."""
    if not headings:
        return None
    said = [set(plain(head).split()) for head in heads]

    def support(heading: Heading) -> float:
        own = set(plain(heading.text).split())
        if not own:
            return 0.0
        return max(len(own & other) ** 2 / (len(own) * (len(other) or 1)) for other in said)

    best = max(headings, key=support)
    own = set(plain(best.text).split())
    share = max((len(own & other) / (len(own) or 1) for other in said), default=0.0)
    return best if share >= _SUPPORT_SHARE or len(headings) == 1 else None
