"""Authors of an article as people: what bylines, meta elements and JSON-LD say → a list of names.

Prefixes ("By", "Von"), roles, addresses and dates are cut; lists are split; links and the site's
own name are refused where a person is named beside it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extraction.html.class_words import Hint
from extraction.html.elements import text_of
from extraction.html.outline import Outline, tag_bit
from extraction.html.titles import squeezed

_MAX_NAME_CHARACTERS = 70
_MAX_NAME_WORDS = 7
_MAX_BYLINE_CHARACTERS = 200
_MAX_AUTHORS = 12
_PREFIX = re.compile(
    r"^(?:(?:(?:written|posted|published|reported|story|text|words|article|edited|reviewed|"
    r"geschrieben|publié|escrito|post(?:ed)?)\s+)?"
    r"(?:by|von|par|por|di|da|de|door|av|af|od|przez|deur|ngu|pelo|pela)|"
    r"author|autor(?:in|en|es|e|a)?|auteur|auteure|autore|autorzy|writer|verfasser(?:in)?|"
    r"redakteur|автор|opinion|text|foto|"
    r"kommentar von|ein kommentar von|interview|report(?:er)?|gastbeitrag von|a cura di|auctor|"
    r"συντάκτης|от|post author|"
    r"文|記者|记者|作者|责任编辑|编辑)"
    r"(?:\s*[:：]\s*|\s+(?=\S)|$)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s*(?:[;|/•·\n\t]|\s[–—-]\s|,|、|，)\s*|\s+(?:and|und|et|y|e|og|och|en|oraz|i|ja|ve|with|mit|"
    r"&|\+)\s+",
    re.IGNORECASE,
)
# What follows a name and is none: a date, a role in brackets, "for The Post".
_TAIL = re.compile(
    r"\s*(?:\(.*|\[.*|<.*|\bfor\s+(?:the\s)?[A-Z].*|\bFOR\s+.*|\bin\s+[A-Z]\w+$|\s[–—-]\s.*|@.*|"
    r"\b(?:updated?|published|posted|on|am|le|el|il|op)\b\s*:?.*\d.*|"
    r"\b\d{1,2}[./:\s]\s?\w+[./:\s]\s?\d{2,4}.*|"
    r"\b(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\w*\.?\s+\d{1,2}\b.*|"
    r"\b(?:staff|special to|special|correspondent|contributor|chief|senior|political|editor|"
    r"reporter)\b\s+.*)$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"https?:|www\.|[@#{}<>=*…]|\d{3}|^\W*$|\b(?:comments?|min(?:ute)?s?\b.*read|read more|"
    r"follow|twitter|facebook|view all|subscribe|share|"
    r"about the author|all posts|more from|profile|biography|editor'?s note|newsletter|print|"
    r"password|log ?in|category|tags?)\b",
    re.IGNORECASE,
)
_PLACEHOLDER = frozenset(
    [
        "admin", "administrator", "author", "editor", "staff", "none", "null", "undefined",
        "unknown", "anonymous", "user", "root", "webmaster", "name", "by", "autor", "von",
        "guest", "published", "posted", "reporter", "contributor", "writer", "redaktion",
        "online", "email", "default", "superuser", "n/a", "na", "follow", "website", "blog",
        "post", "about", "contact", "writers",
    ]
)  # fmt: skip
_ROLE = re.compile(
    r"^(?:.*\b(?:staff|reporter|correspondent|editor|writer|journalist|contributor|columnist|"
    r"producer|bureau chief|team leader|founder|ceo|"
    r"redakteur(?:in)?|korrespondent(?:in)?|journaliste|rédaction|director|analyst|professor|"
    r"fellow|author)\b.*)$",
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
    """First source that names a person; else the first that names anybody.

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
    organisations = AuthorChoice()
    for source, values in candidates:
        found = clean_names(values)
        people = tuple(name for name in found if squeezed(name) not in names)
        if people:
            return AuthorChoice(people, source)
        if found and not organisations.names:
            organisations = AuthorChoice(found, source)
    return organisations


def clean_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names in raw author values, each once, in order.

    Examples
    --------
    >>> clean_names(["By Thandi Nkosi, Political Editor", "thandi nkosi"])
    ('Thandi Nkosi',)
    """
    found: dict[str, str] = {}
    for value in values:
        text = " ".join(value.split())
        if not text or text.startswith(("http:", "https:", "/")):
            continue
        for position, piece in enumerate(_SEPARATOR.split(_strip_prefix(text))):
            name = _clean_name(piece or "", is_first=position == 0)
            if name:
                found.setdefault(squeezed(name), name)
    return tuple(found.values())[:_MAX_AUTHORS]


def _strip_prefix(text: str) -> str:
    for _ in range(2):  # "Posted by: Von …"
        shorter = _PREFIX.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _clean_name(piece: str, *, is_first: bool) -> str:
    name = _TAIL.sub("", _strip_prefix(piece.strip())).strip(" \t.,:;-–—|·•'\"“”„()[]")
    if not name or len(name) > _MAX_NAME_CHARACTERS or len(name.split()) > _MAX_NAME_WORDS:
        return ""
    if _NO_NAME.search(name) or name.casefold() in _PLACEHOLDER or not any(map(str.isalpha, name)):
        return ""
    if len(name) < 2 or (not is_first and _ROLE.match(name)):
        return ""
    return name


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
        if not 2 <= len(text) <= _MAX_BYLINE_CHARACTERS or not clean_names([text]):
            continue
        box = boxes.setdefault(rank, outline.parents[max(outline.parents[index], 0)])
        if box <= index < outline.ends[box]:  # else another box: another article's author
            best.setdefault(rank, []).append(text)
    return best[min(best)] if best else []


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
    return 2 if _BYLINE_CLASS.search(names) else 3
