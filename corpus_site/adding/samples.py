"""The samples of a draft: pages as they came, read as they will be stored, with the picked rules.

What came for a sample is kept as a `DraftPage`, so that rules can be picked on it and all samples
be read again with them.
"""

import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from corpus_site.drafts import Draft, DraftFeed, DraftSample
from extraction.html.extract_page import extract_page
from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html
from extraction.html.markup.script_drawn import is_drawn_by_scripts
from extraction.html.page import ExtractedKind, ExtractedPage, FeedHints, PageInput
from extraction.html.proposals.verdicts import is_call
from extraction.html.site_rules.rules import SiteRules
from extraction.rules.published import NO_RULES
from extraction.text.language import identify
from extraction.text.other_languages import named
from feeds.crawler.comment_systems.systems import find_thread
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind
from feeds.crawler.documents.found_feeds import FoundFeed
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH,
    WorkEndedError,
    run_limited,
)
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.signing_in.led_away import led_away
from feeds.crawler.timelines.past import posts_a_day
from feeds.models import DEFAULT_MIN_CHARACTERS, DraftPage, SourceDraft
from feeds.sources.discovery import Investigation

# A draft is one row with up to ten samples: some 100 kB each at most.
MAX_PARAGRAPHS = 60
MAX_PARAGRAPH_CHARS = 2_000
# Of a feed, for trying patterns on: with some ten feeds a draft keeps 300 kB of addresses at most.
MAX_ADDRESSES = 300
_SHELL = "this page’s text is drawn by scripts: a browser can draw it (4. Start)"
_SOURCE_NAMES = {
    "title": "title",
    "author": "authors",
    "date": "published_at",
    "section": "section",
}


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A sample as it came, with what its feed says of it."""

    url: str
    body: bytes
    content_type: str
    entry: FeedEntry

    def to_input(self, site_name: str, rules: SiteRules = NO_RULES) -> PageInput:
        """Give what the extract stage would be given of it."""
        return PageInput(
            body=self.body,
            url=self.url,
            content_type=self.content_type,
            feed=FeedHints(
                title=self.entry.headline,
                authors=(self.entry.author,) if self.entry.author else (),
                published_at=self.entry.published_at,
                description=self.entry.description,
            ),
            rules=rules,
            site_name=site_name,
        )


def make_draft(
    found: Investigation,
    now: datetime,
    rules: SiteRules = NO_RULES,
    followed: frozenset[str] = frozenset(),
) -> Draft:
    """Read the samples of an investigation as they will be stored, with the rules of the source.

    `followed` are addresses of feeds that the source has already.
    """
    return Draft(
        address=found.address,
        name=found.name,
        home_url=found.home_url,
        language=found.language,
        feeds=tuple(_draft_feed(feed, is_followed=feed.url in followed) for feed in found.feeds),
        samples=with_common_words(
            [
                _unread(result) or read_sample(page, found.name, now, rules)
                for result, page in zip(found.samples, sample_pages(found), strict=True)
            ]
        ),
        needs_browser_agent=found.needs_browser_agent,
        crawl_delay_seconds=found.crawl_delay_seconds,
        tried=found.tried,
        joins=found.known_publication,
    )


def _draft_feed(feed: FoundFeed, *, is_followed: bool) -> DraftFeed:
    return DraftFeed(
        feed.url,
        feed.title or feed.url,
        feed.how,
        feed.kind.value,
        feed.n_items,
        feed.newest,
        "followed already" if is_followed else feed.verdict,
        feed.is_good and not is_followed,
        is_followed,
        feed.entry_urls[:MAX_ADDRESSES],
        feed.other_links[:MAX_ADDRESSES] if feed.kind is FeedKind.INDEX else (),
        _posts_a_day(feed) if feed.kind is FeedKind.TIMELINE else None,
    )


def _posts_a_day(feed: FoundFeed) -> float | None:
    dates = [entry.published_at for entry in feed.entries if entry.published_at]
    return posts_a_day(len(dates), min(dates, default=None), max(dates, default=None))


def sample_pages(found: Investigation) -> list[SamplePage]:
    """Give what came for the samples, with what their feeds say of them, in their order."""
    listed = {entry.url: entry for feed in found.feeds for entry in feed.entries}
    return [
        SamplePage(
            result.final_url,
            result.body,
            result.content_type,
            listed.get(result.url, FeedEntry(result.url)),
        )
        for result in found.samples
    ]


def keep_pages(row: SourceDraft, found: Investigation) -> None:
    """Keep the samples that came, in the place of those of an earlier look. Needs a transaction."""
    row.pages.all().delete()
    pages = zip(found.samples, sample_pages(found), strict=True)
    DraftPage.objects.bulk_create(
        DraftPage(
            draft=row,
            url=page.url,
            content_type=page.content_type[:200],
            body=zlib.compress(page.body),
            entry=_entry_json(page.entry),
        )
        for result, page in pages
        if result.outcome.is_answer and result.body
    )


def _entry_json(entry: FeedEntry) -> dict[str, Any]:
    said = asdict(entry)
    said["published_at"] = entry.published_at.isoformat() if entry.published_at else None
    return said


def kept_pages(row: SourceDraft) -> list[tuple[int, SamplePage]]:
    """Give the kept samples of a draft, each with its key."""
    return [(page.pk, kept_page(page)) for page in row.pages.all()]


def kept_page(page: DraftPage) -> SamplePage:
    """Read one kept sample."""
    said = dict(page.entry)
    moment = said.get("published_at")
    said["published_at"] = datetime.fromisoformat(moment) if moment else None
    return SamplePage(
        page.url, zlib.decompress(bytes(page.body)), page.content_type, FeedEntry(**said)
    )


def _unread(result: FetchResult) -> DraftSample | None:
    """Say why a sample could not be read; None where it could."""
    if result.outcome.is_answer:
        problem = led_away(result, result.url)
        return DraftSample(result.url, problem=problem) if problem else None
    problem = result.error or result.outcome.value.replace("_", " ")
    return DraftSample(result.url, problem=problem)


def read_sample(
    sample: SamplePage, site_name: str, now: datetime, rules: SiteRules = NO_RULES
) -> DraftSample:
    """Read one sample as the extract stage will: with what the feed said of it, and by rules.

    A child does it, somebody waits for it; a page that takes too much says so.
    """
    try:
        return run_limited(lambda: _read(sample, site_name, now, rules), FOR_A_REQUEST)
    except WorkEndedError:
        return DraftSample(sample.url, problem=TOO_MUCH)


def _read(sample: SamplePage, site_name: str, now: datetime, rules: SiteRules) -> DraftSample:
    page = extract_page(sample.to_input(site_name, rules), now=now)
    language = named(identify(page.text), page.text, page.declared_language)
    thread = find_thread(sample.body, sample.url)
    sources = {field.name: field.source for field in page.sources}
    is_shell = page.kind is ExtractedKind.EMPTY and _is_shell(sample)
    return DraftSample(
        url=sample.url,
        title=page.title,
        authors=page.authors + page.agencies,
        published_at=page.published_at,
        section=page.section,
        paragraphs=tuple(block.text[:MAX_PARAGRAPH_CHARS] for block in page.blocks)[
            :MAX_PARAGRAPHS
        ],
        n_paragraphs=len(page.blocks),
        n_words=len(page.text.split()),
        kind=page.kind.value,
        extractor=page.extractor.value,
        confidence=page.confidence,
        reason=page.reason,
        language=language.language,
        language_reason=language.reason,
        comments=thread.system if thread else "",
        sources={name: sources.get(key, "") for name, key in _SOURCE_NAMES.items()},
        doubts=_doubts(page) | ({"body": _SHELL} if is_shell else {}),
        is_drawn_by_scripts=is_shell,
    )


def _is_shell(sample: SamplePage) -> bool:
    return is_drawn_by_scripts(parse_html(decode_html(sample.body, sample.content_type).text))


def _doubts(page: ExtractedPage) -> dict[str, str]:
    doubts = {}
    if not page.title:
        doubts["title"] = "no title found"
    if not page.authors + page.agencies:
        doubts["author"] = "no author found"
    elif any(map(is_call, page.authors)):
        doubts["author"] = "words of a button or a form, no name"
    if not page.published_at:
        doubts["date"] = "no date found, neither in the feed nor on the page"
    if page.kind is ExtractedKind.EMPTY:
        doubts["body"] = "no text found: the page may need a rule, or a script to be read"
    elif page.is_paywalled:
        doubts["body"] = "behind a paywall: only what is shown to everybody is stored"
    elif page.kind is not ExtractedKind.TEXT:
        doubts["body"] = f"kept outside the corpus as {page.kind.value}"
    elif len(page.text) < DEFAULT_MIN_CHARACTERS:
        doubts["body"] = (
            f"kept outside the corpus: shorter than {DEFAULT_MIN_CHARACTERS} characters"
        )
    return doubts


def with_common_words(samples: Sequence[DraftSample]) -> tuple[DraftSample, ...]:
    """Doubt a title, an author or a text that is the same on every sample: the layout's."""
    read = [sample for sample in samples if not sample.problem]
    if len(read) < 2:
        return tuple(samples)
    words = f"same words on {len(read)} of {len(read)} pages"
    common = {}
    if len({sample.title for sample in read}) == 1 and read[0].title:
        common["title"] = words
    if len({sample.authors for sample in read}) == 1 and read[0].authors:
        common["author"] = words
    if len({sample.paragraphs for sample in read}) == 1 and read[0].paragraphs:
        common["body"] = words
    return tuple(
        sample if sample.problem else replace(sample, doubts=(sample.doubts or {}) | common)
        for sample in samples
    )
