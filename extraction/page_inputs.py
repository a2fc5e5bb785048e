"""What the extractor is given for an archived page, by the stage and by the page view alike."""

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from extraction.extractors import with_extractor
from extraction.html.page import FeedHints, PageInput
from extraction.html.site_rules.rules import SiteRules
from extraction.sites.lookup import KnownSite, known_site_at
from feeds.archive.web_archives import is_copy, original_url, seen_at
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.models import Page, Publication


def page_input(
    page: Page,
    archived: ArchivedExchange,
    rules: SiteRules,
    site: KnownSite | None = None,
    *,
    headline: str = "",
) -> PageInput:
    """Put together bytes, address, and what feed, publication and its other pages say.

    What the other pages say is looked up where it is not given. An earlier document of the page is
    read as of its own day, an archive's copy as of the day on which it was seen. `headline` is that
    of the stored text, where there is one: a feed may still give an earlier one.
    """
    content_type = next(
        (value for name, value in archived.headers if name.lower() == "content-type"), ""
    )
    moment = shown_at(archived)
    if site is None:
        site = known_site_at(page, moment, is_copy=is_copy(archived.url))
    given = PageInput(
        body=archived.body,
        measured=archived.measured,
        url=original_url(archived.url),
        content_type=content_type,
        feed=_hints(page),
        rules=rules,
        site_name=page.publication.name,
        site=site.knowledge,
        zone=zone_of(page.publication),
        fetched_at=moment,
        headline=headline,
    )
    return with_extractor(given, page.publication)


def shown_at(archived: ArchivedExchange) -> datetime:
    """Moment at which a page showed a document: of an archive's copy, when that had seen it."""
    return seen_at(archived.url, archived.headers) or archived.fetched_at


def zone_of(publication: Publication) -> tzinfo:
    """Zone of dates that name none: the publication's, else the installation's."""
    if publication.time_zone:
        try:
            return ZoneInfo(publication.time_zone)
        except (ZoneInfoNotFoundError, ValueError):  # a name that this machine's database lost
            pass
    return timezone.get_default_timezone()


def _hints(page: Page) -> FeedHints:
    return FeedHints(
        title=page.feed_headline,
        authors=(page.feed_author,) if page.feed_author else (),
        published_at=page.feed_published_at,
        description=page.feed_description,
    )
