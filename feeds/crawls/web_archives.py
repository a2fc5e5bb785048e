"""Which web archives are known: the usual one, and those that editors began crawls through.

Any site may give its pages addresses that look like an archive's; what it shows there stays
its own.
"""

from urllib.parse import urlsplit

from feeds.crawler.addressing.web_archive import DEFAULT_ARCHIVE, original_address
from feeds.models import Crawl


def original_url(url: str) -> str:
    """Give the page's own address for that of its copy in a known archive, else it as it is.

    Asks the database for addresses that look like a copy's alone; crawls are few.
    """
    original = original_address(url)
    if original == url or _is_archive(urlsplit(url).netloc):
        return original
    return url


def _is_archive(host: str) -> bool:
    if host == urlsplit(DEFAULT_ARCHIVE).netloc:
        return True
    roots = Crawl.objects.exclude(archive_url="").values_list("archive_url", flat=True).distinct()
    return any(urlsplit(root).netloc == host for root in roots)
