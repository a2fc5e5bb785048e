"""What the wizard found at an address, as it is kept between its steps.

`feeds.sources.discovery` investigates, `adding.samples` reads the samples; the result is a `Draft`,
which lies as JSON in a `SourceDraft` row.
"""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.feed_document import FeedKind
from feeds.models import DraftPage, Page, SourceDraft

SHOWN_PARAGRAPHS = 3  # what an editor reads of a sample before the rest is opened
_FIELDS = ("title", "author", "date", "section")


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
    is_followed: bool = False  # by the publication that is looked at again
    # What it lists, and what an index page links to beside that: patterns are tried on them.
    addresses: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    posts_a_day: float | None = None  # of a timeline, by what it lists


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
    section: str = ""
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
    is_drawn_by_scripts: bool = False

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
    def is_timeline(self) -> bool:
        """Whether it is of a microblog, whose posts have no pages to be read."""
        return any(feed.kind == FeedKind.TIMELINE for feed in self.feeds)

    @property
    def n_drawn_by_scripts(self) -> int:
        return sum(sample.is_drawn_by_scripts for sample in self.samples)

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
            DraftFeed(
                **{
                    **feed,
                    "newest": _moment(feed["newest"]),
                    "addresses": tuple(feed.get("addresses", ())),
                    "links": tuple(feed.get("links", ())),
                }
            )
            for feed in found["feeds"]
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
    stored = DraftPage.objects.values_list("pk", "url").iterator()
    DraftPage.objects.filter(pk__in=[pk for pk, url in stored if _key_of(url) in homes]).delete()
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


def _moment(text: str | datetime | None) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else text
