"""Metadata of an article by agreement: rule, feed, JSON-LD, Open Graph, meta, visible page.

One reading of the tree before it is cleaned (`read_sources`), one decision after the text is known
(`decide`). The winning source of every field is kept (COR-06: the feed is preferred where it
speaks).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from urllib.parse import urljoin, urlsplit

from lxml import etree

from extraction.html.authors import (
    AuthorChoice,
    byline_of_lines,
    choose_authors,
    is_contradicted,
    meta_authors,
    signature_of_lines,
    visible_authors,
)
from extraction.html.dates import DateChoice, choose_date, is_plausible
from extraction.html.headings import Heading, choose_heading, read_headings
from extraction.html.headline import headline_position, short_lines
from extraction.html.json_ld import JsonLdArticle, read_json_ld
from extraction.html.meta_tags import HeadData, read_head
from extraction.html.outline import Outline
from extraction.html.page import FeedHints, FieldSource
from extraction.html.publication_dates import (
    MODIFIED_NAMES,
    PUBLISHED_NAMES,
    VAGUE_NAMES,
    DateRequest,
    choose_published,
    in_local_zone,
)
from extraction.html.titles import TitleCandidate, TitleChoice, choose_title, squeezed

_SECTION_NAMES = (
    "article:section",
    "og:section",
    "section",
    "parsely-section",
    "sailthru.section",
    "cxenseparse:section",
)
_TAG_NAMES = (
    "article:tag",
    "og:article:tag",
    "news_keywords",
    "keywords",
    "parsely-tags",
    "sailthru.tags",
)
_MAX_TAGS = 50


@dataclass(frozen=True, slots=True)
class PageSources:
    """What the uncleaned tree says, before anything is decided."""

    head: HeadData
    json_ld: JsonLdArticle
    headings: tuple[Heading, ...]
    site_names: tuple[str, ...]


NO_HINTS = FeedHints()
# The clock of a caller that has none: no date is in its future.
ANY_TIME = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class MetadataRequest:
    """Everything the decision needs beside the page itself."""

    url: str = ""
    feed: FeedHints = NO_HINTS
    rule_values: Mapping[str, str] | None = None  # field name → text found by the editor's rule
    now: datetime = ANY_TIME
    zone: tzinfo = UTC
    outline: Outline | None = None  # for what the page shows; None: that is not asked
    html: str = ""  # for the last resort about the date; empty: that is not asked


@dataclass(frozen=True, slots=True)
class Metadata:
    """Decided fields; empty where no source says anything."""

    title: str
    authors: tuple[str, ...]
    published_at: datetime | None
    modified_at: datetime | None
    section: str
    tags: tuple[str, ...]
    description: str
    canonical_url: str
    declared_language: str
    is_paywalled: bool
    sources: tuple[FieldSource, ...]


def read_sources(
    root: etree._Element, url: str, site_name: str, site_names: Sequence[str] = ()
) -> PageSources:
    """Read the tree before cleaning removes its head and scripts.

    `site_name` is the publication's, `site_names` what was learnt over the pages of the host.
    """
    head = read_head(root)
    json_ld = read_json_ld(root)
    names = (
        site_name,
        *site_names,
        head.first(
            "og:site_name", "application-name", "apple-mobile-web-app-title", "al:android:app_name"
        ),
        json_ld.publisher,
        *_host_names(url or head.canonical or head.first("og:url")),
    )
    return PageSources(
        head=head,
        json_ld=json_ld,
        headings=read_headings(root),
        site_names=tuple(dict.fromkeys(name for name in names if name)),
    )


def decide(sources: PageSources, request: MetadataRequest) -> Metadata:
    """Choose every field and say where it came from."""
    title = _title(sources, request)
    outline = request.outline
    headline = headline_position(outline, title.text) if outline else None
    authors = _authors(sources, request, headline)
    published = _published(sources, request, headline)
    modified = choose_date(
        [
            ("json_ld", sources.json_ld.modified),
            *(("meta", value) for value in sources.head.every(MODIFIED_NAMES)),
        ],
        request.now,
        zone=request.zone,
    )
    section, section_source = _section(sources, request)
    description, description_source = _description(sources, request)
    found = [
        ("title", title.source if title.text else ""),
        ("authors", authors.source),
        ("published_at", published.source),
        ("modified_at", modified.source),
        ("section", section_source),
        ("description", description_source),
    ]
    return Metadata(
        title=title.text,
        authors=authors.names,
        published_at=published.moment,
        modified_at=modified.moment,
        section=section,
        tags=_tags(sources),
        description=description,
        canonical_url=_canonical(sources, request.url),
        declared_language=_language(sources),
        is_paywalled=sources.json_ld.is_free is False
        or sources.head.first("article:content_tier") in {"locked", "metered"},
        sources=tuple(FieldSource(name, source) for name, source in found if source),
    )


def _rule_value(request: MetadataRequest, name: str) -> str:
    return (request.rule_values or {}).get(name, "")


def _title(sources: PageSources, request: MetadataRequest) -> TitleChoice:
    ruled = _rule_value(request, "title")
    if ruled:
        return TitleChoice(ruled, "rule")
    head = sources.head
    heads = [
        TitleCandidate("json_ld", sources.json_ld.headline),
        TitleCandidate("open_graph", head.first("og:title")),
        TitleCandidate("feed", request.feed.title),
        TitleCandidate("twitter", head.first("twitter:title")),
        TitleCandidate("title", head.title),
    ]
    said = [head.text for head in heads if head.text]
    names = {squeezed(name) for name in sources.site_names}
    heading = TitleCandidate("page", choose_heading(sources.headings, said, names))
    outline = request.outline
    return choose_title(
        [heading, *heads],
        sources.site_names,
        lambda: short_lines(outline) if outline else frozenset(),
    )


def _authors(sources: PageSources, request: MetadataRequest, headline: int | None) -> AuthorChoice:
    values = ((name, value) for name, found in sources.head.values.items() for value in found)
    declared = [("json_ld", list(sources.json_ld.authors)), ("meta", meta_authors(values))]
    candidates = [("rule", [_rule_value(request, "author")]), ("feed", list(request.feed.authors))]
    outline = request.outline
    if outline is None:
        return choose_authors([*candidates, *declared], sources.site_names)
    byline = byline_of_lines(outline, headline)
    names = [value for _, found in declared for value in found]
    if is_contradicted(names, byline, outline):
        declared.insert(0, ("page", byline))
    shown = [
        ("page", visible_authors(outline, headline)),
        ("page", byline),
        ("page", signature_of_lines(outline, headline)),
    ]
    return choose_authors([*candidates, *declared, *shown], sources.site_names)


def _published(sources: PageSources, request: MetadataRequest, headline: int | None) -> DateChoice:
    ruled = choose_date([("rule", _rule_value(request, "date"))], request.now, zone=request.zone)
    if ruled.moment is not None:
        return ruled
    declared = [
        ("json_ld", sources.json_ld.published),
        *(("meta", value) for value in sources.head.every(PUBLISHED_NAMES)),
    ]
    dates = DateRequest(
        now=request.now,
        zone=request.zone,
        url=request.url,
        outline=request.outline,
        headline=headline,
        html=request.html,
    )
    feed = request.feed.published_at
    if feed is not None and is_plausible(feed, request.now):
        # COR-06; the page only tells in which zone the moment is written.
        return DateChoice(in_local_zone(feed, [text for _, text in declared], ()), "feed")
    return choose_published(declared, sources.head.every(VAGUE_NAMES), dates)


def _section(sources: PageSources, request: MetadataRequest) -> tuple[str, str]:
    candidates = (
        ("rule", _rule_value(request, "section")),
        ("json_ld", sources.json_ld.section),
        ("meta", sources.head.first(*_SECTION_NAMES)),
    )
    return next(((value, source) for source, value in candidates if value), ("", ""))


def _description(sources: PageSources, request: MetadataRequest) -> tuple[str, str]:
    candidates = (
        ("open_graph", sources.head.first("og:description")),
        ("meta", sources.head.first("description", "twitter:description", "dc.description")),
        ("json_ld", sources.json_ld.description),
        ("feed", request.feed.description),
    )
    return next(((value, source) for source, value in candidates if value), ("", ""))


def _tags(sources: PageSources) -> tuple[str, ...]:
    values = list(sources.json_ld.tags)
    if not values:
        found = next(
            (sources.head.values[name] for name in _TAG_NAMES if name in sources.head.values), []
        )
        values = [part.strip() for value in found for part in value.split(",")]
    return tuple(dict.fromkeys(value for value in values if value))[:_MAX_TAGS]


def _canonical(sources: PageSources, url: str) -> str:
    value = sources.head.canonical or sources.head.first("og:url")
    if not value:
        return ""
    try:
        absolute = urljoin(url, value)
        parts = urlsplit(absolute)
    except ValueError:
        return ""
    return absolute if parts.scheme in {"http", "https"} and parts.hostname else ""


def _language(sources: PageSources) -> str:
    value = (
        sources.head.language
        or sources.json_ld.language
        or sources.head.first("og:locale", "content-language", "dc.language", "language")
    )
    return value.replace("_", "-").split(",")[0].strip()[:20]


def _host_names(url: str) -> list[str]:
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return []
    labels = host.split(".")
    if len(labels) < 2:
        return [host] if host else []
    # The label before "co.za" or "com": the longest of the last three but the very last.
    registered = max(labels[-3:-1], key=len)
    return [host, registered]
