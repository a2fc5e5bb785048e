"""What the wizard found at an address, as it is kept between its steps.

`feeds.sources.discovery` investigates, `extraction.html` reads the samples; the result is a
`Draft`, which lies as JSON in a `SourceDraft` row.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from extraction.html.extract_page import extract_page
from extraction.html.page import ExtractedKind, ExtractedPage, FeedHints, PageInput
from extraction.html.proposals.verdicts import is_call
from extraction.text.language import identify
from extraction.text.other_languages import named
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.comment_systems.systems import find_thread
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind
from feeds.crawler.fetching.exchange import FetchResult
from feeds.models import DEFAULT_MIN_CHARACTERS, Page, SourceDraft
from feeds.sources.discovery import Investigation

SHOWN_PARAGRAPHS = 3  # what an editor reads of a sample before the rest is opened
# A draft is one row with up to ten samples: some 100 kB each at most.
MAX_PARAGRAPHS = 60
MAX_PARAGRAPH_CHARS = 2_000
_FIELDS = ("title", "author", "date")
_SOURCE_NAMES = {"title": "title", "author": "authors", "date": "published_at"}


@dataclass(frozen=True, slots=True)
class DraftFeed:
    """A feed that was found, with the verdict that ticks it."""

    url: str
    title: str
    how: str
    kind: str
    n_items: int
    newest: datetime | None
    verdict: str
    is_good: bool


@dataclass(frozen=True, slots=True)
class DraftSample:
    """An article as it will be stored, or the sentence why it could not be read.

    `sources` says of title, author and date where each came from; `doubts` has a sentence for each
    field that an editor should look at.
    """

    url: str
    problem: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    published_at: datetime | None = None
    paragraphs: tuple[str, ...] = ()
    n_paragraphs: int = 0
    n_words: int = 0
    kind: str = ""
    extractor: str = ""
    confidence: float = 0.0
    reason: str = ""
    language: str = ""
    language_reason: str = ""
    comments: str = ""
    sources: dict[str, str] | None = None
    doubts: dict[str, str] | None = None

    @property
    def fields(self) -> list[tuple[str, str, str]]:
        """Name, source and doubt of each metadata field, for the list beside the sample."""
        sources, doubts = self.sources or {}, self.doubts or {}
        return [(name, sources.get(name, ""), doubts.get(name, "")) for name in _FIELDS]

    @property
    def beginning(self) -> tuple[str, ...]:
        return self.paragraphs[:SHOWN_PARAGRAPHS]

    @property
    def rest(self) -> tuple[str, ...]:
        return self.paragraphs[SHOWN_PARAGRAPHS:]

    @property
    def n_hidden(self) -> int:
        return self.n_paragraphs - len(self.beginning)


@dataclass(frozen=True, slots=True)
class Draft:
    """The findings behind `/sources/add/?draft=`."""

    address: str
    name: str
    home_url: str
    language: str
    feeds: tuple[DraftFeed, ...]
    samples: tuple[DraftSample, ...]
    needs_browser_agent: bool = False
    crawl_delay_seconds: float | None = None
    tried: tuple[str, ...] = ()
    # Slug of the publication that the feeds are added to, where the site is known already.
    joins: str = ""

    @property
    def n_good(self) -> int:
        return sum(feed.is_good for feed in self.feeds)

    @property
    def n_unread(self) -> int:
        return sum(feed.kind == FeedKind.NONE for feed in self.feeds)

    @property
    def n_doubts(self) -> int:
        return sum(bool(sample.doubts) or bool(sample.problem) for sample in self.samples)

    @property
    def doubt_words(self) -> list[str]:
        """Say each doubt about the samples once: of which field, and what it is."""
        found = [
            f"{name}: {words}"
            for sample in self.samples
            for name, words in (sample.doubts or {}).items()
        ]
        found += [f"not read: {sample.problem}" for sample in self.samples if sample.problem]
        return list(dict.fromkeys(found))

    def to_json(self) -> dict[str, Any]:
        """Write the draft as JSON can hold it: moments as ISO 8601."""
        found: dict[str, Any] = json.loads(json.dumps(asdict(self), cls=DjangoJSONEncoder))
        return found

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Draft":
        """Read a draft back; the inverse of `to_json`."""
        feeds = tuple(
            DraftFeed(**{**feed, "newest": _moment(feed["newest"])}) for feed in found["feeds"]
        )
        samples = tuple(
            DraftSample(
                **{
                    **sample,
                    "published_at": _moment(sample["published_at"]),
                    "authors": tuple(sample["authors"]),
                    "paragraphs": tuple(sample["paragraphs"]),
                }
            )
            for sample in found["samples"]
        )
        return cls(**{**found, "feeds": feeds, "samples": samples, "tried": tuple(found["tried"])})


def forget_samples(page_ids: Collection[int]) -> None:
    """Leave of pages that are erased no sample and no address in drafts. Needs a transaction."""
    pages = Page.objects.filter(pk__in=page_ids).only("key", "host__name").select_related("host")
    homes = {page.key: f"https://{page.host.name}/" for page in pages}
    for row in SourceDraft.objects.order_by("pk").iterator(chunk_size=20):
        found = row.findings
        kept = [one for one in found.get("samples", ()) if _key_of(one["url"]) not in homes]
        home = homes.get(_key_of(row.address))
        if home:
            SourceDraft.objects.filter(pk=row.pk).update(
                address=home, findings={**found, "address": home, "samples": kept}
            )
        elif len(kept) < len(found.get("samples", ())):
            SourceDraft.objects.filter(pk=row.pk).update(findings={**found, "samples": kept})


def _key_of(address: str) -> str:
    try:
        return canonicalize(address).key
    except BadUrl:
        return ""


def make_draft(found: Investigation, now: datetime) -> Draft:
    """Read the samples of an investigation as they will be stored."""
    listed = {entry.url: entry for feed in found.feeds for entry in feed.entries}
    samples = [
        _sample(result, listed.get(result.url, FeedEntry(result.url)), found.name, now)
        for result in found.samples
    ]
    return Draft(
        address=found.address,
        name=found.name,
        home_url=found.home_url,
        language=found.language,
        feeds=tuple(
            DraftFeed(
                feed.url,
                feed.title or feed.url,
                feed.how,
                feed.kind.value,
                feed.n_items,
                feed.newest,
                feed.verdict,
                feed.is_good,
            )
            for feed in found.feeds
        ),
        samples=_with_common_words(samples),
        needs_browser_agent=found.needs_browser_agent,
        crawl_delay_seconds=found.crawl_delay_seconds,
        tried=found.tried,
        joins=found.known_publication,
    )


def _sample(result: FetchResult, entry: FeedEntry, site_name: str, now: datetime) -> DraftSample:
    """Read one sample as the extract stage will: with what the feed said of it."""
    if not result.outcome.is_answer:
        problem = result.error or result.outcome.value.replace("_", " ")
        return DraftSample(result.url, problem=problem)
    page = extract_page(
        PageInput(
            body=result.body,
            url=result.final_url,
            content_type=result.content_type,
            feed=FeedHints(
                title=entry.headline,
                authors=(entry.author,) if entry.author else (),
                published_at=entry.published_at,
                description=entry.description,
            ),
            site_name=site_name,
        ),
        now=now,
    )
    language = named(identify(page.text), page.text, page.declared_language)
    thread = find_thread(result.body, result.final_url)
    sources = {field.name: field.source for field in page.sources}
    return DraftSample(
        url=result.final_url,
        title=page.title,
        authors=page.authors,
        published_at=page.published_at,
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
        doubts=_doubts(page),
    )


def _doubts(page: ExtractedPage) -> dict[str, str]:
    doubts = {}
    if not page.title:
        doubts["title"] = "no title found"
    if not page.authors:
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


def _with_common_words(samples: Sequence[DraftSample]) -> tuple[DraftSample, ...]:
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


def _moment(text: str | datetime | None) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else text
