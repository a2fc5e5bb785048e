"""Tables of the sources.

Publications, feeds, hosts, the frontier, fetches, and the leases of all work.
"""

from feeds.models.archive_file import ArchiveFile
from feeds.models.crawl import (
    AddressRole,
    Crawl,
    CrawlAddress,
    CrawlKind,
    CrawlState,
    UrlPolicy,
)
from feeds.models.feed import Feed, FeedChange, FeedItem
from feeds.models.fetch import Fetch, VisitFound, of_documents_since
from feeds.models.finding import VisitFinding
from feeds.models.flow import ArticleFlow, ArticleHour, PublishingRhythm
from feeds.models.host import IN_TROUBLE, Host, HostQuerySet
from feeds.models.hub_subscription import HubAsked, HubSubscription
from feeds.models.outside_file import OutsideFile
from feeds.models.page import Page, PageKind, VisitPurpose
from feeds.models.parameter import ParameterChange
from feeds.models.publication import (
    DEFAULT_MIN_CHARACTERS,
    DraftPage,
    Publication,
    PublicationChange,
    PublicationKind,
    PublicationState,
    RightsPolicy,
    SourceDraft,
    Tag,
    TakenKind,
)
from feeds.models.resources import Account, AccountKind, BlockChoice, HostDecision, Proxy
from feeds.models.rights import GENERAL_POLICIES, RightsFile, RightsSetting
from feeds.models.tally import Tally
from feeds.models.tombstone import Tombstone
from feeds.models.warc_import import WarcImport
from feeds.models.work import IS_HELD, AskedWork, Moment, Work, WorkQuerySet
from feeds.models.worker import Lock, Worker

__all__ = [
    "DEFAULT_MIN_CHARACTERS",
    "GENERAL_POLICIES",
    "IN_TROUBLE",
    "IS_HELD",
    "Account",
    "AccountKind",
    "AddressRole",
    "ArchiveFile",
    "ArticleFlow",
    "ArticleHour",
    "AskedWork",
    "BlockChoice",
    "Crawl",
    "CrawlAddress",
    "CrawlKind",
    "CrawlState",
    "DraftPage",
    "Feed",
    "FeedChange",
    "FeedItem",
    "Fetch",
    "Host",
    "HostDecision",
    "HostQuerySet",
    "HubAsked",
    "HubSubscription",
    "Lock",
    "Moment",
    "OutsideFile",
    "Page",
    "PageKind",
    "ParameterChange",
    "Proxy",
    "Publication",
    "PublicationChange",
    "PublicationKind",
    "PublicationState",
    "PublishingRhythm",
    "RightsFile",
    "RightsPolicy",
    "RightsSetting",
    "SourceDraft",
    "Tag",
    "TakenKind",
    "Tally",
    "Tombstone",
    "UrlPolicy",
    "VisitFinding",
    "VisitFound",
    "VisitPurpose",
    "WarcImport",
    "Work",
    "WorkQuerySet",
    "Worker",
    "of_documents_since",
]
