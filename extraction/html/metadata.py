"""Metadata of an article by agreement: rule, feed, JSON-LD, Open Graph, meta, visible page.

One reading of the tree before it is cleaned (`read_sources`), one decision after the text is known
(`decide`). The winning source of every field is kept (COR-06: the feed is preferred where it
speaks).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from itertools import islice
from typing import Self
from urllib.parse import urlsplit

from lxml import etree

from extraction.html.authors import (
    byline_of_lines,
    choose_authors,
    is_contradicted,
    meta_authors,
    signature_of_lines,
    visible_authors,
)
from extraction.html.dates import DateChoice, choose_date, is_plausible
from extraction.html.disagreements import (
    author_disagreements,
    date_disagreements,
    text_disagreements,
    title_disagreements,
)
from extraction.html.elements import attribute
from extraction.html.field_choices import (
    Offer,
    PageMarks,
    canonical_offers,
    description_offers,
    language_offers,
    paywall_offers,
    section_offers,
    tag_offers,
)
from extraction.html.headings import Heading, choose_heading, read_headings
from extraction.html.headline import headline_position, short_lines
from extraction.html.json_ld import JsonLdArticle, read_json_ld
from extraction.html.meta_tags import HeadData, read_head
from extraction.html.microdata import read_microdata
from extraction.html.outline import Outline
from extraction.html.page import Disagreement, FeedHints, FieldSource
from extraction.html.publication_dates import (
    MODIFIED_NAMES,
    PUBLISHED_NAMES,
    VAGUE_NAMES,
    DateRequest,
    choose_published,
    in_local_zone,
)
from extraction.html.titles import TitleCandidate, TitleChoice, choose_title, squeezed
from extraction.text.normalize import normalize_text

# Enough for the article element, which stands early.
_MAX_OUTERMOST = 10


@dataclass(frozen=True, slots=True)
class PageSources:
    """What the uncleaned tree says, before anything is decided."""

    head: HeadData
    json_ld: JsonLdArticle
    headings: tuple[Heading, ...]
    site_names: tuple[str, ...]
    microdata: dict[str, list[str]] = field(default_factory=dict)
    classes: str = ""  # class values of the outermost elements

    @property
    def marks(self) -> PageMarks:
        """What the fields are chosen from that need no agreement."""
        return PageMarks(self.head, self.json_ld, self.microdata, self.classes)


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
    disagreements: tuple[Disagreement, ...] = ()


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
        microdata=read_microdata(root),
        classes=" ".join(
            attribute(element, "class")
            for element in islice(root.iter("html", "body", "main", "article"), _MAX_OUTERMOST)
        ),
    )


def decide(sources: PageSources, request: MetadataRequest) -> Metadata:
    """Choose every field, say where it came from and which sources say something else."""
    candidates = _title_candidates(sources, request)
    title = _title(candidates, sources, request)
    outline = request.outline
    headline = headline_position(outline, title.text) if outline else None
    people = _author_candidates(sources, request, headline)
    authors = choose_authors(people, sources.site_names)
    dates = _declared_dates(sources)
    published = _published(dates, sources, request, headline)
    modified = _modified(sources, request, published.moment)
    choices = _FieldChoices.of(sources, request)
    winners = [
        ("title", title.source if title.text else ""),
        ("authors", authors.source),
        ("published_at", published.source),
        ("modified_at", modified.source),
        *choices.sources(),
    ]
    return Metadata(
        title=title.text,
        authors=authors.names,
        published_at=published.moment,
        modified_at=modified.moment,
        section=choices.value("section"),
        tags=choices.tags[0][1] if choices.tags else (),
        description=choices.value("description"),
        canonical_url=choices.value("canonical_url"),
        declared_language=choices.value("declared_language"),
        is_paywalled=choices.paywall[0][1] if choices.paywall else False,
        sources=tuple(FieldSource(name, source) for name, source in winners if source),
        disagreements=(
            *title_disagreements(title.text, _offers(candidates)),
            *author_disagreements(
                authors.names, [Offer(source, one) for source, values in people for one in values]
            ),
            *date_disagreements(
                "published_at",
                published.moment,
                [Offer(source, value) for source, value in dates],
                request.zone,
            ),
            *choices.disagreements(),
        ),
    )


@dataclass(frozen=True, slots=True)
class _FieldChoices:
    """What the sources say of the fields that the most trusted one decides."""

    texts: dict[str, list[Offer]]
    tags: list[tuple[str, tuple[str, ...]]]
    paywall: list[tuple[str, bool]]

    @classmethod
    def of(cls, sources: PageSources, request: MetadataRequest) -> Self:
        marks = sources.marks
        ruled = _rule_value(request, "section")
        texts = {
            "section": [*([Offer("rule", ruled)] if ruled else []), *section_offers(marks)],
            "description": description_offers(marks, request.feed.description),
            "canonical_url": canonical_offers(marks, request.url),
            "declared_language": language_offers(marks),
        }
        return cls(texts, tag_offers(marks), paywall_offers(marks))

    def value(self, name: str) -> str:
        return next((offer.value for offer in self.texts[name]), "")

    def sources(self) -> list[tuple[str, str]]:
        firsts = [(name, offers[0].source) for name, offers in self.texts.items() if offers]
        lists = (("tags", self.tags), ("is_paywalled", self.paywall))
        return [*firsts, *((name, found[0][0]) for name, found in lists if found)]

    def disagreements(self) -> list[Disagreement]:
        texts = [*self.texts.items()]
        texts.append(("tags", [Offer(source, ", ".join(tags)) for source, tags in self.tags]))
        texts.append(
            (
                "is_paywalled",
                [Offer(source, "yes" if is_paid else "no") for source, is_paid in self.paywall],
            )
        )
        return [
            disagreement
            for name, offers in texts
            if offers
            for disagreement in text_disagreements(name, offers[0].value, offers[1:])
        ]


def _rule_value(request: MetadataRequest, name: str) -> str:
    return (request.rule_values or {}).get(name, "")


def _offers(candidates: Iterable[TitleCandidate]) -> list[Offer]:
    return [Offer(candidate.source, candidate.text) for candidate in candidates]


def _title_candidates(sources: PageSources, request: MetadataRequest) -> list[TitleCandidate]:
    head = sources.head
    ruled = _rule_value(request, "title")
    heads = [
        TitleCandidate("json_ld", sources.json_ld.headline),
        TitleCandidate("open_graph", head.first("og:title")),
        TitleCandidate("feed", request.feed.title),
        TitleCandidate("twitter", head.first("twitter:title")),
        TitleCandidate("title", head.title),
    ]
    said = [candidate.text for candidate in heads if candidate.text]
    names = {squeezed(name) for name in sources.site_names}
    heading = TitleCandidate("page", choose_heading(sources.headings, said, names))
    return [*([TitleCandidate("rule", ruled)] if ruled else []), heading, *heads]


def _title(
    candidates: Sequence[TitleCandidate], sources: PageSources, request: MetadataRequest
) -> TitleChoice:
    if candidates[0].source == "rule":
        return TitleChoice(candidates[0].text, "rule")
    outline = request.outline
    choice = choose_title(
        candidates,
        sources.site_names,
        lambda: short_lines(outline) if outline else frozenset(),
    )
    return TitleChoice(" ".join(normalize_text(choice.text).split()), choice.source)


def _author_candidates(
    sources: PageSources, request: MetadataRequest, headline: int | None
) -> list[tuple[str, list[str]]]:
    values = ((name, value) for name, found in sources.head.values.items() for value in found)
    declared = [("json_ld", list(sources.json_ld.authors)), ("meta", meta_authors(values))]
    trusted = [("rule", [_rule_value(request, "author")]), ("feed", list(request.feed.authors))]
    outline = request.outline
    if outline is None:
        return [*trusted, *declared]
    byline = byline_of_lines(outline, headline)
    names = [value for _, found in declared for value in found]
    if is_contradicted(names, byline, outline):
        declared.insert(0, ("page", byline))
    shown = [
        ("page", visible_authors(outline, headline)),
        ("page", byline),
        ("page", signature_of_lines(outline, headline)),
    ]
    return [*trusted, *declared, *shown]


def _declared_dates(sources: PageSources) -> list[tuple[str, str]]:
    return [
        ("json_ld", sources.json_ld.published),
        *(("meta", value) for value in sources.head.every(PUBLISHED_NAMES)),
    ]


def _published(
    declared: Sequence[tuple[str, str]],
    sources: PageSources,
    request: MetadataRequest,
    headline: int | None,
) -> DateChoice:
    ruled = choose_date([("rule", _rule_value(request, "date"))], request.now, zone=request.zone)
    if ruled.moment is not None:
        return ruled
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


def _modified(
    sources: PageSources, request: MetadataRequest, published: datetime | None
) -> DateChoice:
    """Date of the last change, in the zone of the publication; none before the publication."""
    found = choose_date(
        [
            ("json_ld", sources.json_ld.modified),
            *(("meta", value) for value in sources.head.every(MODIFIED_NAMES)),
            *(("microdata", value) for value in sources.microdata.get("datemodified", ())),
        ],
        request.now,
        zone=request.zone,
    )
    if found.moment is None or published is None:
        return found
    if found.moment < published:
        return DateChoice()
    if not found.moment.utcoffset():
        return DateChoice(found.moment.astimezone(published.tzinfo), found.source)
    return found


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
