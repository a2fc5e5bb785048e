"""Which web archives are known: the usual one, and those that editors began crawls through.

Any site may give its pages addresses that look like an archive's; what it shows there stays
its own.
"""

from datetime import datetime
from urllib.parse import urlsplit

from feeds.crawler.addressing.web_archive import (
    DEFAULT_ARCHIVE,
    Headers,
    copy_moment,
    original_address,
)
from feeds.models import Crawl


def original_url(url: str) -> str:
    """Give the page's own address for that of its copy in a known archive, else it as it is.

    Asks the database for addresses that look like a copy's alone; crawls are few.
    """
    return original_address(url) if is_copy(url) else url


def is_copy(url: str) -> bool:
    """Whether an address is that of a copy in a known archive."""
    return original_address(url) != url and _is_archive(urlsplit(url).netloc)


def seen_at(url: str, headers: Headers) -> datetime | None:
    """When a known archive had seen what came from an address; None for what no archive gave."""
    return copy_moment(url, headers) if is_copy(url) else None


def _is_archive(host: str) -> bool:
    if host == urlsplit(DEFAULT_ARCHIVE).netloc:
        return True
    roots = Crawl.objects.exclude(archive_url="").values_list("archive_url", flat=True).distinct()
    return any(urlsplit(root).netloc == host for root in roots)
