"""Section, tags, description, canonical address, language and paywall: one source decides each.

For each field all sources that speak, most trusted first; the first wins, the others that say
something else are kept as disagreements.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from extraction.html.markup.json_ld import JsonLdArticle
from extraction.html.markup.meta_tags import HeadData
from extraction.text.plain_words import squeezed

_SECTION_NAMES = (
    "article:section", "og:section", "section", "parsely-section", "sailthru.section",
    "cxenseparse:section",
)  # fmt: skip
_TAG_NAMES = (
    "article:tag", "og:article:tag", "news_keywords", "keywords", "parsely-tags", "sailthru.tags",
)  # fmt: skip
_TIER_NAMES = ("article:content_tier", "og:article:content_tier", "content_tier")
_TIERS = {"locked": True, "metered": True, "premium": True, "free": False}
# More or longer tags are a list of search words.
_MAX_TAGS = 50
_MAX_TAG_CHARACTERS = 100
# Words in the class of the page's outermost elements; a paywall that waits hidden on every page of
# a site is a class of a small element, and says nothing of this article.
_PAYWALL_CLASS = re.compile(
    r"(?<![a-z])(?:(?:has|is|with)[-_])?(?:paywall(?:ed)?|pay[-_]?article|paid[-_]?(?:content|article)|premium"
    r"|(?:subscriber|member)s?[-_]?only|plus[-_]?(?:article|artikel)|locked)(?![a-z])",
    re.IGNORECASE,
)
_FREE_CLASS = re.compile(
    r"(?:no|non|not|without|un|off|disabled|anti)[-_]?(?:paywall|premium|locked)"
    r"|paywall[-_](?:off|disabled|none|inactive|free|ready|enabled)",
    re.IGNORECASE,
)
_HOST_PREFIX = re.compile(r"^(?:www\d?|m|amp|mobile)\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Offer:
    """What one source says of a field."""

    source: str
    value: str


@dataclass(frozen=True, slots=True)
class PageMarks:
    """Everything the choices are made from."""

    head: HeadData
    json_ld: JsonLdArticle
    microdata: dict[str, list[str]]
    classes: str = ""  # class values of html, body, main and article elements


def section_offers(marks: PageMarks) -> list[Offer]:
    """Section of the newspaper: JSON-LD, meta, microdata, then the breadcrumbs."""
    return _offers(
        ("json_ld", marks.json_ld.section),
        ("meta", marks.head.first(*_SECTION_NAMES)),
        ("microdata", _first(marks.microdata, "articlesection")),
        ("breadcrumb", marks.json_ld.breadcrumb),
    )


def tag_offers(marks: PageMarks) -> list[tuple[str, tuple[str, ...]]]:
    """Tags by source, each list clean, once each, at most fifty."""
    meta = next((marks.head.values[name] for name in _TAG_NAMES if name in marks.head.values), [])
    lists = (
        ("json_ld", marks.json_ld.tags),
        ("meta", [part for value in meta for part in _split_tags(value)]),
        (
            "microdata",
            [part for value in marks.microdata.get("keywords", ()) for part in _split_tags(value)],
        ),
    )
    cleaned = ((source, _clean_tags(values)) for source, values in lists)
    return [(source, values) for source, values in cleaned if values]


def description_offers(marks: PageMarks, feed: str) -> list[Offer]:
    """Standfirst: Open Graph, meta, JSON-LD, microdata, feed."""
    head = marks.head
    return _offers(
        ("open_graph", head.first("og:description")),
        ("meta", head.first("description", "twitter:description", "dc.description")),
        ("json_ld", marks.json_ld.description),
        ("microdata", _first(marks.microdata, "description")),
        ("feed", feed),
    )


def language_offers(marks: PageMarks) -> list[Offer]:
    """Language tags as the page declares them (`en-ZA`)."""
    head = marks.head
    offers = _offers(
        ("page", head.language),
        ("json_ld", marks.json_ld.language),
        ("open_graph", head.first("og:locale")),
        ("meta", head.first("content-language", "dc.language", "language")),
        ("microdata", _first(marks.microdata, "inlanguage")),
    )
    tags = (
        Offer(offer.source, offer.value.replace("_", "-").split(",")[0].strip()[:20])
        for offer in offers
    )
    return [offer for offer in tags if offer.value]


def canonical_offers(marks: PageMarks, url: str) -> list[Offer]:
    """Addresses the page calls its own: of the same site, and not the site's home page.

    A canonical link to another site (a syndicated text), or to the home page (a broken template),
    would make one article of many.
    """
    found = _offers(("link", marks.head.canonical), ("open_graph", marks.head.first("og:url")))
    absolute = (Offer(offer.source, _absolute(url, offer.value)) for offer in found)
    return [
        offer
        for offer in absolute
        if offer.value and not _is_home(offer.value) and (not url or _same_site(url, offer.value))
    ]


def paywall_offers(marks: PageMarks) -> list[tuple[str, bool]]:
    """Say by source whether the text is behind a paywall."""
    found: list[tuple[str, bool]] = []
    if marks.json_ld.is_free is not None:
        found.append(("json_ld", not marks.json_ld.is_free))
    free = _first(marks.microdata, "isaccessibleforfree") or marks.head.first("isaccessibleforfree")
    if free.lower() in {"true", "false"}:
        found.append(("microdata", free.lower() == "false"))
    tier = marks.head.first(*_TIER_NAMES).lower()
    if tier in _TIERS:
        found.append(("meta", _TIERS[tier]))
    if _PAYWALL_CLASS.search(marks.classes) and not _FREE_CLASS.search(marks.classes):
        found.append(("page", True))
    return found


def _offers(*pairs: tuple[str, str]) -> list[Offer]:
    return [Offer(source, value) for source, value in pairs if value]


def _first(values: dict[str, list[str]], name: str) -> str:
    return next(iter(values.get(name, ())), "")


def _split_tags(value: str) -> list[str]:
    separator = ";" if ";" in value and "," not in value else ","
    return value.split(separator)


def _clean_tags(values: Sequence[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for value in values:
        tag = " ".join(value.split()).strip("#,; ")
        if tag and len(tag) <= _MAX_TAG_CHARACTERS:
            found.setdefault(squeezed(tag) or tag, tag)
    return tuple(found.values())[:_MAX_TAGS]


def _absolute(url: str, value: str) -> str:
    try:
        absolute = urljoin(url, value)
        parts = urlsplit(absolute)
        host = parts.hostname
    except ValueError:
        return ""
    return absolute if parts.scheme in {"http", "https"} and host else ""


def _is_home(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path.strip("/").lower() in {"", "index.html", "index.php"} and not parts.query


def _same_site(one: str, other: str) -> bool:
    """Whether two addresses are of one site: equal hosts, or one within the other's domain."""
    first, second = (_HOST_PREFIX.sub("", urlsplit(url).hostname or "") for url in (one, other))
    return first == second or first.endswith(f".{second}") or second.endswith(f".{first}")
