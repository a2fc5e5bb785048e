"""What goes into an extraction and what comes out of it.

The values that cross the package's border.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from extraction.html.markup.blocks import Block
from extraction.html.markup.page_size import PageSize
from extraction.html.site.fragments import SiteSample
from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.sketch import PageSketch
from extraction.html.site_rules.rules import RuleReport, SiteRules
from feeds.crawler.comment_systems.threads import ThreadReference
from feeds.crawler.rights.statements import Statement


class ExtractedKind(StrEnum):
    """What a page turned out to be.

    What of it belongs to the article corpus, its publication says.
    """

    TEXT = "text"
    GALLERY = "gallery"
    VIDEO = "video"
    EMPTY = "empty"


class Extractor(StrEnum):
    """Which candidate became the text; stored with the article."""

    RULE = "rule"
    LINE_MODEL = "line_model"
    JSON_LD = "json_ld"
    TEXT_DENSITY = "text_density"
    TAG_RATIO = "tag_ratio"
    QREAD = "qread"
    DGWC = "dgwc"
    SITE_LEVEL = "site_level"
    TEMPLATENESS = "templateness"
    FALLBACK = "fallback"
    POST = "post"  # of a microblog: nothing was chosen
    NONE = "none"


@dataclass(frozen=True, slots=True)
class FeedHints:
    """What the feed said about the page; empty where it said nothing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published_at: datetime | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class PageInput:
    """One page as fetched, with what is known about it beforehand."""

    body: bytes
    url: str = ""
    content_type: str = ""
    feed: FeedHints = field(default_factory=FeedHints)
    rules: SiteRules = field(default_factory=SiteRules)
    site_name: str = ""  # name of the publication; cut from titles, refused as an author
    zone: tzinfo = UTC  # of dates that name none: the publication's
    fetched_at: datetime | None = None  # "3 hours ago" is counted from here; passed over where None
    site: SiteKnowledge | None = None  # what its other pages have in common
    measured: bytes = b""  # the same with its elements' places, where a browser drew the page
    extractor: str = "auto"  # an algorithm's name where the editor chose one for the publication
    extractor_values: tuple[tuple[str, object], ...] = ()  # its parameters, defaults left out
    site_sample: SiteSample | None = None  # fragments of the site's pages, for SiteLevel
    headline: str = (
        ""  # shown there before, or in its place now; against a feed that is out of date
    )


@dataclass(frozen=True, slots=True)
class ChosenSource:
    """Where the value of a metadata field came from."""

    name: str
    # "rule", "feed", "json_ld", "open_graph", "twitter", "meta", "title", "microdata", "link",
    # "breadcrumb", "page", "url", "htmldate"
    source: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What a source says of a field where it is not what was chosen."""

    name: str
    source: str
    value: str


@dataclass(frozen=True, slots=True)
class PageComment:
    """One reader's comment; `parent` is the id of the comment it answers, empty at the top."""

    id: str
    text: str
    author: str = ""
    posted_at: datetime | None = None
    parent: str = ""
    likes: int = 0
    is_near: bool = False  # `posted_at` was counted from words such as "3 hours ago"


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """Text and metadata of one page; never an exception: one that cannot be read is `EMPTY`."""

    kind: ExtractedKind
    blocks: tuple[Block, ...] = ()
    text: str = ""
    title: str = ""
    shows_title: bool = False  # in a line; a feed may go on with a headline that the page has not
    authors: tuple[str, ...] = ()
    agencies: tuple[str, ...] = ()  # as the byline writes them, apart from authors
    published_at: datetime | None = None
    modified_at: datetime | None = None
    section: str = ""
    tags: tuple[str, ...] = ()
    description: str = ""
    canonical_url: str = ""
    declared_language: str = ""
    is_paywalled: bool = False
    extractor: Extractor = Extractor.NONE
    confidence: float = 0.0
    reason: str = ""  # a sentence: why this candidate was chosen
    sources: tuple[ChosenSource, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    comment_thread: ThreadReference | None = None
    comments: tuple[PageComment, ...] = ()  # readers' comments in the page itself
    comment_count: int = 0  # as the page names it ("134 Comments"); 0 where it names none
    rule_reports: tuple[RuleReport, ...] = ()
    rights_said: tuple[Statement, ...] = ()  # by its meta elements, of text mining
    encoding: str = ""
    sketch: PageSketch | None = None  # what its site may learn of it
    size: PageSize | None = None  # before anything was chosen
    tree: str = ""  # digest of what was read, without what differs in each answer
