"""What the settings say about going out: network limits, user agents, delays, the archive's file.

The one place where the crawler's settings become values for the Django-free packages.
"""

import ipaddress
import logging
import os
import socket
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from django.conf import settings

from feeds.crawler.addressing.canonical import is_same_site
from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.store_address import StoreAddress
from feeds.crawler.archive.warc import WarcWriter
from feeds.crawler.comment_systems.disqus import takes_key
from feeds.crawler.fetching.cookies import CookieJar
from feeds.crawler.fetching.exchange import NetworkPolicy
from feeds.crawler.fetching.ip_addresses import Network
from feeds.crawler.fetching.names import ProxyLookup
from feeds.crawler.timing.conditional import Headers
from feeds.models import Account, AccountKind, Host, Page, PageKind, Publication
from feeds.parameters.values import value
from feeds.secrets_at_rest import SealBrokenError

if TYPE_CHECKING:
    from feeds.crawler.archive.object_store import ObjectStore

log = logging.getLogger(__name__)

# Documentation addresses: connecting a datagram socket sends nothing, but shows our own address.
_PROBES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_PROBE_PORT = 9  # discard (RFC 863)

# One for each process: names behind a proxy, and the archive's open file.
PROXY_LOOKUP = ProxyLookup()
_writers: dict[tuple[int, str], WarcWriter] = {}


def network_policy() -> NetworkPolicy:
    """Return the limits under which everything leaves this machine."""
    return NetworkPolicy(
        allowed_private_networks=tuple(settings.CRAWL_ALLOWED_PRIVATE_NETWORKS),
        refused_networks=own_addresses(),
        proxy_url=settings.CRAWL_PROXY_URL,
        total_seconds=value("CRAWL_TOTAL_TIMEOUT_SECONDS"),
    )


@lru_cache(maxsize=1)
def own_addresses() -> tuple[Network, ...]:
    """Return this machine's own addresses towards the internet: they are no sites to crawl."""
    found: list[Network] = []
    for family, target in _PROBES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, _PROBE_PORT))
                found.append(ipaddress.ip_network(probe.getsockname()[0]))
        except (OSError, ValueError):  # no such network here
            continue
    return tuple(found)


def user_agent(host: Host, publication: Publication) -> str:
    """Return the honest name, or a browser's where the host needs it and the editor permits it."""
    if host.needs_browser_agent and permits_browser(host, publication):
        return str(settings.CRAWL_BROWSER_USER_AGENT)
    return str(settings.CRAWL_USER_AGENT)


def permits_browser(host: Host, publication: Publication) -> bool:
    """Whether a host may be asked as a browser: what an editor said of it, else its publication."""
    said = host.browser_permit
    return publication.allow_browser_agent if said is None else said


def permits_proxy(host: Host, publication: Publication) -> bool:
    """Whether a host may be asked through the pool: what was said of it, else its publication."""
    return publication.allow_proxy if host.proxy_permit is None else host.proxy_permit


def pause_seconds(host: Host, publication: Publication) -> float:
    """Return the least pause between two requests to a host: an editor's, else the publication's.

    A longer Crawl-delay wins over both.
    """
    said = host.editor_delay_seconds
    return min_delay_seconds(publication) if said is None else said


def account_of(host: Host, page: Page) -> Account | None:
    """Return the account a page is asked for with: of the publication's own site, if it has one.

    Several accounts that fit take turns by the page, so that a page is always asked for by the
    same one.
    """
    if page.kind == PageKind.COMMENTS:
        return None
    home = urlsplit(page.publication.home_url).netloc.lower()
    if not is_same_site(host.name, home):
        return None
    accounts = page.publication.accounts.all()
    fitting = [one for one in accounts if one.is_active and _is_for(one, host.name)]
    return fitting[page.pk % len(fitting)] if fitting else None


def credentials(host: Host, page: Page) -> Headers:
    """Return what signs a request in; nothing where a log-in form does (→ `session`)."""
    account = account_of(host, page)
    if account is None:
        return ()
    try:
        return account.headers
    except SealBrokenError as error:
        log.warning("The account of %s is not used: %s", page.publication.slug, error)
        return ()


def secret_query(page: Page) -> str:
    """Return what is added to a page's address on the way: the key for Disqus, to Disqus alone."""
    key = settings.CRAWL_DISQUS_API_KEY
    if not key or page.kind != PageKind.COMMENTS or not takes_key(page.url):
        return ""
    return urlencode({"api_key": key})


def session(host: Host, page: Page) -> CookieJar | None:
    """Return the cookies of the account's log-in form; None where nobody is signed in by one."""
    account = account_of(host, page)
    return account.session if account and account.kind == AccountKind.FORM else None


def _is_for(account: Account, host: str) -> bool:
    """Whether an account is meant for a host; the port does not count."""
    wanted = account.host.lower()
    name = host.partition(":")[0]
    return not wanted or name == wanted or name.endswith(f".{wanted}")


def min_delay_seconds(publication: Publication) -> float:
    """Return the least pause between two requests: the publication's own, else the site's."""
    if publication.min_delay_seconds is not None:
        return publication.min_delay_seconds
    return value("CRAWL_MIN_DELAY_SECONDS")


def archive_writer() -> WarcWriter:
    """Return the archive's writer of this process; a forked child gets its own file."""
    place = (os.getpid(), str(settings.ARCHIVE_DIR))
    writer = _writers.get(place)
    if writer is None:
        # Files of a parent process or of another test's folder are not ours to go on with.
        _writers.clear()
        # Files that go to a store are closed early, so that others need not wait for them.
        is_shared = bool(settings.ARCHIVE_URL)
        writer = WarcWriter(
            settings.ARCHIVE_DIR,
            settings.ARCHIVE_UPLOAD_BYTES if is_shared else settings.ARCHIVE_MAX_FILE_BYTES,
            settings.ARCHIVE_UPLOAD_SECONDS if is_shared else None,
        )
        _writers[place] = writer
    return writer


def archive_folder() -> Path:
    """Return the folder of this machine's WARC files."""
    return Path(settings.ARCHIVE_DIR)


def archive() -> Archive:
    """Return the places of all WARC files."""
    return Archive(archive_folder(), archive_store())


def archive_store() -> "ObjectStore | None":
    """Return the archive's object store; None where its folder is all there is."""
    return store_at(settings.ARCHIVE_URL) if settings.ARCHIVE_URL else None


def store_at(url: str) -> "ObjectStore":
    """Return the object store at an address, on the server and with the keys of the archive's."""
    return _store_at(
        StoreAddress(
            url=url,
            endpoint=settings.ARCHIVE_ENDPOINT_URL,
            region=settings.ARCHIVE_REGION,
            key_id=settings.ARCHIVE_KEY_ID,
            secret_key=settings.ARCHIVE_SECRET_KEY,
        )
    )


@lru_cache(maxsize=2)
def _store_at(address: StoreAddress) -> "ObjectStore":
    from feeds.crawler.archive.object_store import ObjectStore  # noqa: PLC0415 (8 MB)

    return ObjectStore(address)
