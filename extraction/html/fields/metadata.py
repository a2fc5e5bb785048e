"""Metadata of an article by agreement: rule, feed, JSON-LD, Open Graph, meta, visible page.

What the sources say (`page_sources`, before the tree is cleaned) → one decision after the text is
known. The winning source of every field is kept; the feed is preferred where it speaks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from extraction.html.fields.authors import choose_authors
from extraction.html.fields.dates import DateChoice, choose_date, is_plausible
from extraction.html.fields.disagreements import (
    author_disagreements,
    date_disagreements,
    text_disagreements,
    title_disagreements,
)
from extraction.html.fields.field_candidates import (
    MetadataRequest,
    author_candidates,
    declared_dates,
    rule_value,
    title_candidates,
)
from extraction.html.fields.field_choices import (
    Offer,
    canonical_offers,
    description_offers,
    language_offers,
    paywall_offers,
    section_offers,
    tag_offers,
)
from extraction.html.fields.headline import first_heading, headline_position, short_lines
from extraction.html.fields.page_sources import PageSources
from extraction.html.fields.publication_dates import (
    MODIFIED_NAMES,
    VAGUE_NAMES,
    DateRequest,
    choose_published,
    in_local_zone,
)
from extraction.html.fields.titles import TitleCandidate, TitleChoice, choose_title
from extraction.html.page import ChosenSource, Disagreement
from extraction.text.normalize import normalize_text
from extraction.text.plain_words import plain


@dataclass(frozen=True, slots=True)
class Metadata:
    """Decided fields; empty where no source says anything."""

    title: str
    shows_title: bool
    certain_title: (
        str  # what the feed calls it, or the page by now; a headline however it is marked
    )
    authors: tuple[str, ...]
    published_at: datetime | None
    modified_at: datetime | None
    section: str
    tags: tuple[str, ...]
    description: str
    canonical_url: str
    declared_language: str
    is_paywalled: bool
    sources: tuple[ChosenSource, ...]
    disagreements: tuple[Disagreement, ...] = ()


@dataclass(frozen=True, slots=True)
class _PlacedTitle:
    """A title with the line that says it, and whether that or the title element does."""

    title: TitleChoice
    certain: str
    position: int | None
    is_shown: bool


def decide(sources: PageSources, request: MetadataRequest) -> Metadata:
    """Choose every field, say where it came from and which sources say something else."""
    candidates = title_candidates(sources, request)
    given = _placed(_title(candidates, sources, request), request.feed.title, sources, request)
    if given.title.source == "feed" and not given.is_shown and request.headline:
        known = TitleChoice(request.headline, "page")
        later = _placed(known, request.headline, sources, request)
        given = later if later.is_shown else given
    title, headline = given.title, given.position
    if headline is None and request.outline is not None:
        headline = first_heading(request.outline)
    people = author_candidates(sources, request, headline)
    authors = choose_authors(people, sources.site_names)
    dates = declared_dates(sources)
    published = _published(dates, sources, request, headline)
    modified = _modified(sources, request, published.moment)
    choices = _TrustedChoices.of(sources, request)
    winners = [
        ("title", title.source if title.text else ""),
        ("authors", authors.source),
        ("published_at", published.source),
        ("modified_at", modified.source),
        *choices.sources(),
    ]
    return Metadata(
        title=title.text,
        shows_title=given.is_shown,
        certain_title=given.certain,
        authors=authors.names,
        published_at=published.moment,
        modified_at=modified.moment,
        section=choices.value("section"),
        tags=choices.tags[0][1] if choices.tags else (),
        description=choices.value("description"),
        canonical_url=choices.value("canonical_url"),
        declared_language=choices.value("declared_language"),
        is_paywalled=choices.paywall[0][1] if choices.paywall else False,
        sources=tuple(ChosenSource(name, source) for name, source in winners if source),
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


def _placed(
    title: TitleChoice, certain: str, sources: PageSources, request: MetadataRequest
) -> _PlacedTitle:
    outline = request.outline
    position = headline_position(outline, title.text) if outline else None
    is_named = f" {plain(title.text)} " in f" {plain(sources.head.title)} "
    return _PlacedTitle(title, certain, position, position is not None or is_named)


def _offers(candidates: Iterable[TitleCandidate]) -> list[Offer]:
    return [Offer(candidate.source, candidate.text) for candidate in candidates]


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


def _published(
    declared: Sequence[tuple[str, str]],
    sources: PageSources,
    request: MetadataRequest,
    headline: int | None,
) -> DateChoice:
    ruled = choose_date([("rule", rule_value(request, "date"))], request.now, zone=request.zone)
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
        # The page only tells in which zone the moment is written.
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


@dataclass(frozen=True, slots=True)
class _TrustedChoices:
    """What the sources say of the fields that the most trusted one decides."""

    texts: dict[str, list[Offer]]
    tags: list[tuple[str, tuple[str, ...]]]
    paywall: list[tuple[str, bool]]

    @classmethod
    def of(cls, sources: PageSources, request: MetadataRequest) -> Self:
        marks = sources.marks
        ruled = rule_value(request, "section")
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
