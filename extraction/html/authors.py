"""Authors of an article as people: the sources' values → the names of the one that names people.

A person is preferred to an account's name, and that to the site's own name; links are refused.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extraction.html.class_words import Hint
from extraction.html.elements import text_of
from extraction.html.headline import headline_position
from extraction.html.names import clean_names, is_person_like, is_user_name
from extraction.html.outline import Outline, tag_bit
from extraction.html.titles import squeezed

_MAX_BYLINE_CHARACTERS = 200
# In a box about the author a longer text is a biography.
_MAX_BOX_CHARACTERS = 60
# A byline without markup stands within these many lines of the headline.
_LINES_BEFORE, _LINES_AFTER = 3, 15
_MAX_LINE_CHARACTERS = 100
_BY = re.compile(
    r"^(?:(?:story|text|words|written|posted|published|reported|geschrieben|veröffentlicht|erstellt)"
    r"\s+)?(?:by|von|par|por|di|door|deur|av|ngu)\b:?\s+(?=\S)|^(?:(?:ngu|u)mbhali|author|autor|auteur"
    r"|autore|автор|text|writer|verfasser)(?:in)?\s*:\s*",
    re.IGNORECASE,
)
_META_NAMES = (
    "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator",
    "dc.contributor.author", "parsely-author", "sailthru.author", "byl", "citation_author",
    "authors", "creator", "vr:author", "cxenseparse:author", "dcsext.author", "dc:creator",
    "shareaholic:article_author_name", "twitter:data1",
)  # fmt: skip
_PLACE = re.compile(
    r"author|byline|by-line|by_line|autor|writer|auteur|signature|contributor", re.IGNORECASE
)
# Strength of a visible place, best first; tuned on the development pages.
_NAME_CLASS = re.compile(
    r"author[-_]*(?:s[-_]*)?(?:name|link)|name[-_]*author|byline[-_]*name|autor[-_]*name|fn\b",
    re.IGNORECASE,
)


_BYLINE_CLASS = re.compile(r"by-?line|by_line", re.IGNORECASE)
_BYLINE_RANK, _BOX_RANK = 2, 3
_BYLINE = Hint.BYLINE.value
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED).value
_ASIDE = tag_bit("aside") | tag_bit("footer")


@dataclass(frozen=True, slots=True)
class AuthorChoice:
    """The chosen names and the source that won."""

    names: tuple[str, ...] = ()
    source: str = ""


def choose_authors(
    candidates: Sequence[tuple[str, Sequence[str]]], site_names: Iterable[str]
) -> AuthorChoice:
    """Choose the first source that names a person; else an account, else the site.

    Parameters
    ----------
    candidates
        Pairs of source and its raw values, most trusted first.
    site_names
        Names by which the site goes; such an "author" only stands when no source names a person.

    Examples
    --------
    >>> choose_authors(
    ...     [("json_ld", ["The Post"]), ("page", ["By Thandi Nkosi and Piet Louw"])], ["The Post"]
    ... )
    AuthorChoice(names=('Thandi Nkosi', 'Piet Louw'), source='page')
    """
    names = {squeezed(name) for name in site_names} - {""}
    accounts = organisations = AuthorChoice()
    for source, values in candidates:
        found = clean_names(values)
        people = tuple(name for name in found if squeezed(name) not in names)
        if people and not all(map(is_user_name, people)):
            return AuthorChoice(people, source)
        if people and not accounts.names:
            accounts = AuthorChoice(people, source)
        if found and not organisations.names:
            organisations = AuthorChoice(found, source)
    return accounts if accounts.names else organisations


def meta_authors(values: Iterable[tuple[str, str]]) -> list[str]:
    """Pick author values among (name, content) pairs of meta elements, best name first."""
    by_name: dict[str, list[str]] = {}
    for name, content in values:
        by_name.setdefault(name, []).append(content)
    for name in _META_NAMES:
        found = [value for value in by_name.get(name, ()) if not value.startswith("http")]
        if name == "twitter:data1" and not any(
            "author" in v.lower() or "by" in v.lower() for v in by_name.get("twitter:label1", ())
        ):
            continue
        if clean_names(found):
            return found
    return []


def visible_authors(outline: Outline) -> list[str]:
    """Raw values of the page's byline: the strongest kind of place that has one.

    Places in readers' comments and in lists of other articles do not count, nor do those outside
    the box of the first one.
    """
    best: dict[int, list[str]] = {}
    boxes: dict[int, int] = {}
    for index, hints in enumerate(outline.own_hints):
        if (
            not hints & _BYLINE
            or outline.hints[index] & _ELSEWHERE
            or outline.tag_bits[index] & _ASIDE
        ):
            continue
        rank = _rank(outline, index)
        if rank is None:
            continue
        text = text_of(outline.elements[index], " ")
        if not _is_byline(text, rank):
            continue
        box = boxes.setdefault(rank, outline.parents[max(outline.parents[index], 0)])
        if box <= index < outline.ends[box]:  # else another box: another article's author
            best.setdefault(rank, []).append(text)
    return best[min(best)] if best else []


def _is_byline(text: str, rank: int) -> bool:
    if not 2 <= len(text) <= _MAX_BYLINE_CHARACTERS:
        return False
    found = clean_names([text])
    if rank < _BOX_RANK:
        return bool(found)
    is_short = len(text) <= _MAX_BOX_CHARACTERS
    return bool(found) and is_short and (len(found) == 1 or all(map(is_person_like, found)))


def byline_of_lines(outline: Outline, title: str) -> list[str]:
    """Find a byline that has no markup of its own: a short line "By …" near the headline."""
    headline = headline_position(outline, title)
    if headline is None:
        return []
    for line in outline.lines[max(headline - _LINES_BEFORE, 0) : headline + _LINES_AFTER]:
        if len(line.text) > _MAX_LINE_CHARACTERS or outline.hints[line.node] & _ELSEWHERE:
            continue
        match = _BY.match(line.text)
        found = clean_names([line.text[match.end() :]]) if match else ()
        if found and is_person_like(found[0]):
            return [name for name in found if is_person_like(name)]
    return []


def _rank(outline: Outline, index: int) -> int | None:
    """0 = a name marked as the author's … 3 = a box about the author.

    None for other bylines (dates, labels).
    """
    element = outline.elements[index]
    if element.get("itemprop") == "author" or "author" in (element.get("rel") or ""):
        return 0
    names = f"{outline.classes[index]} {element.get('id') or ''}"
    if not _PLACE.search(names):
        return None
    if _NAME_CLASS.search(names):
        return 1
    return _BYLINE_RANK if _BYLINE_CLASS.search(names) else _BOX_RANK
