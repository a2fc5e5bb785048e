"""Authors of an article as people: the sources' values → the names of the one that names people.

A person is preferred to an account's name, and that to the site's own name; links are refused.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from extraction.html.fields.headline import stands_elsewhere
from extraction.html.fields.names import (
    clean_names,
    desk_names,
    is_person_like,
    is_user_name,
)
from extraction.html.markup.class_words import Hint
from extraction.html.markup.elements import text_of
from extraction.html.markup.outline import Outline, tag_bit
from extraction.text.plain_words import squeezed

_MAX_BYLINE_CHARACTERS = 200  # a longer element is a paragraph
# A page with more places for authors is a list of articles; the article's own come first.
_MAX_PLACES = 300
# A longer list of names on a page is one of its staff.
_MAX_TOGETHER = 6
# In a box about the author a longer text is a biography.
_MAX_BOX_CHARACTERS = 60
# A name in a longer line is in the text.
_MAX_SHOWN = 200
_META_NAMES = (
    "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator",
    "dc.contributor.author", "parsely-author", "sailthru.author", "byl", "citation_author",
    "authors", "creator", "vr:author", "cxenseparse:author", "dcsext.author", "dc:creator",
    "shareaholic:article_author_name", "twitter:data1",
)  # fmt: skip
_LABEL_OF_NAME = re.compile(
    r"author|\bby\b|autor|auteur|verfass|geschrieben|\bvon\b|\bpar\b|\bpor\b|escrit|\bdoor\b|"
    r"\bdeur\b|skrywer|автор",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"author|byline|by-line|by_line|autor|writer|auteur|signature|contributor", re.IGNORECASE
)
# Strength of a visible place, best first; tuned on the development pages.
_NAME_CLASS = re.compile(
    r"author[-_]*(?:s[-_]*)?(?:name|link)|name[-_]*author|byline[-_]*name|autor[-_]*name|fn\b",
    re.IGNORECASE,
)


_BYLINE_CLASS = re.compile(r"by-?line|by_line", re.IGNORECASE)
# Marks that name a byline come before those of a box about the author.
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
    """Choose the first source that names a person; else an account, else a house or a desk.

    A later source that names the same people and more of them is preferred, as is the full name to
    the first name alone.

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
    found = [(source, clean_names(values), values) for source, values in candidates]
    for choose in (_people, _others, _accounts):
        for position, (source, given, _) in enumerate(found):
            kept = choose(given, names, is_shown=source == "page")
            if kept:
                return _fullest(AuthorChoice(kept, source), candidates[position + 1 :])
    for source, given, values in found:
        signed = desk_names(values) or given
        if signed:
            return AuthorChoice(signed, source)
    return AuthorChoice()


def _people(given: Sequence[str], names: AbstractSet[str], *, is_shown: bool) -> tuple[str, ...]:
    """Names of a source that names a person; what stands beside one on the page is a role."""
    kept = tuple(name for name in given if squeezed(name) not in names)
    people = tuple(filter(is_person_like, kept))
    return people if is_shown or not people else kept


def _others(given: Sequence[str], names: AbstractSet[str], *, is_shown: bool) -> tuple[str, ...]:
    """First names, agencies and other houses than the site's own."""
    kept = tuple(name for name in given if squeezed(name) not in names and not is_user_name(name))
    return kept if not is_shown or len(kept) == 1 else tuple(filter(_is_word, kept))


def _is_word(name: str) -> bool:
    return name[:1].isupper() and not any(map(str.isdigit, name))


def _accounts(given: Sequence[str], names: AbstractSet[str], *, is_shown: bool) -> tuple[str, ...]:
    del is_shown
    return tuple(name for name in given if is_user_name(name) and squeezed(name) not in names)


def _fullest(best: AuthorChoice, later: Sequence[tuple[str, Sequence[str]]]) -> AuthorChoice:
    """Prefer to the choice a byline of the page that holds all of its names and others."""
    wanted = {squeezed(name) for name in best.names}
    for source, values in later:
        for value in values if source == "page" else ():
            names = tuple(filter(is_person_like, clean_names([value])))
            if wanted < {squeezed(name) for name in names} and len(names) <= _MAX_TOGETHER:
                return AuthorChoice(names, source)
    return best


def meta_authors(values: Iterable[tuple[str, str]]) -> list[str]:
    """Pick author values among (name, content) pairs of meta elements, best name first."""
    by_name: dict[str, list[str]] = {}
    for name, content in values:
        by_name.setdefault(name, []).append(content)
    for name in _META_NAMES:
        found = [value for value in by_name.get(name, ()) if not value.startswith("http")]
        if name == "twitter:data1" and not any(
            _LABEL_OF_NAME.search(label) for label in by_name.get("twitter:label1", ())
        ):
            continue
        if clean_names(found) or desk_names(found):
            return found
    return []


def visible_authors(outline: Outline, headline: int | None = None) -> list[str]:
    """Raw values of the page's byline: the strongest kind of place that has one.

    Places in readers' comments and in lists of other articles do not count, nor do those outside
    the box of the first one.
    """
    anchor = outline.lines[headline].node if headline is not None else None
    best: dict[int, list[str]] = {}
    boxes: dict[int, int] = {}
    n_places = 0
    for index in [index for index, hints in enumerate(outline.own_hints) if hints & _BYLINE]:
        if outline.tag_bits[index] & _ASIDE or stands_elsewhere(outline, index, _ELSEWHERE, anchor):
            continue
        rank = _rank(outline, index)
        if rank is None:
            continue
        n_places += 1
        if n_places > _MAX_PLACES:
            break
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
    if len(text) > _MAX_BOX_CHARACTERS:
        return len(found) > 1 and all(map(is_person_like, found))
    return bool(found) and (len(found) == 1 or all(map(is_person_like, found)))


def is_contradicted(declared: Sequence[str], shown: Sequence[str], outline: Outline) -> bool:
    """Whether the byline by the headline names somebody, and the page nowhere who was declared.

    Blogs declare the account that posted the article as its author.
    """
    names = [squeezed(name) for name in clean_names(declared) if is_person_like(name)]
    if not shown or not names or {squeezed(name) for name in shown} & set(names):
        return False
    text = "".join(squeezed(line.text) for line in outline.lines if len(line.text) <= _MAX_SHOWN)
    return not any(name in text for name in names)


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
