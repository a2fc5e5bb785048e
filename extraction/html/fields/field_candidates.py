"""What each source says of title, authors and date, most trusted first.

The sources of a page and what is known beforehand → pairs of source and value, from which
`metadata` chooses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from extraction.html.fields.authors import is_contradicted, meta_authors, visible_authors
from extraction.html.fields.bylines import (
    bare_names,
    byline_of_lines,
    house_of_lines,
    linked_names,
    signature_of_lines,
)
from extraction.html.fields.headings import choose_heading
from extraction.html.fields.names import clean_names, is_person_like
from extraction.html.fields.page_sources import PageSources
from extraction.html.fields.publication_dates import PUBLISHED_NAMES
from extraction.html.fields.titles import TitleCandidate
from extraction.html.markup.outline import Outline
from extraction.html.page import FeedHints
from extraction.text.plain_words import squeezed

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
    headline: str = ""  # taken where the page shows it, and not what the feed calls it


def rule_value(request: MetadataRequest, name: str) -> str:
    return (request.rule_values or {}).get(name, "")


def title_candidates(sources: PageSources, request: MetadataRequest) -> list[TitleCandidate]:
    head = sources.head
    ruled = rule_value(request, "title")
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


def author_candidates(
    sources: PageSources, request: MetadataRequest, headline: int | None
) -> list[tuple[str, list[str]]]:
    values = ((name, value) for name, found in sources.head.values.items() for value in found)
    declared = [("json_ld", list(sources.json_ld.authors)), ("meta", meta_authors(values))]
    trusted = [("rule", [rule_value(request, "author")]), ("feed", list(request.feed.authors))]
    outline = request.outline
    if outline is None:
        return [*trusted, *declared]
    shown = byline_of_lines(outline, headline) or linked_names(outline, headline)
    names = [value for _, found in declared for value in found]
    if is_contradicted(names, shown, outline):
        declared.insert(0, ("page", shown))
    found = [*trusted, *declared, ("page", visible_authors(outline, headline)), ("page", shown)]
    if any(map(is_person_like, clean_names(value for _, values in found for value in values))):
        return found
    houses = house_of_lines(outline, headline)
    return [
        ("page", houses),
        *found,
        ("page", bare_names(outline, headline)),
        ("page", signature_of_lines(outline, headline)),
    ]


def declared_dates(sources: PageSources) -> list[tuple[str, str]]:
    return [
        ("json_ld", sources.json_ld.published),
        *(("meta", value) for value in sources.head.every(PUBLISHED_NAMES)),
    ]
