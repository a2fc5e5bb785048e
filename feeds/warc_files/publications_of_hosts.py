"""Whose pages an archive holds: the publication of each host; one that is not known is made."""

from collections.abc import Collection
from datetime import datetime

from feeds.crawler.addressing.canonical import BadUrl, canonicalize, is_same_site
from feeds.crawls.site_crawls import publication_without_feeds
from feeds.models import Publication
from feeds.sources.publications import site_of


def publications_of(hosts: Collection[str], now: datetime) -> dict[str, Publication]:
    """Give each host its publication.

    That whose home page the host has, else that to whose site it belongs, else a new one without
    feeds. Needs a transaction.
    """
    homes = _homes()
    found: dict[str, Publication] = {}
    # A site before its parts, so that these find it.
    for host in sorted(hosts, key=lambda host: (site_of(host).count("."), host)):
        pk = homes.get(site_of(host)) or _of_site(host, homes)
        if pk is None:
            made = publication_without_feeds(site_of(host), f"https://{host}/", now)
            homes[site_of(host)] = made.pk
            found[host] = made
        else:
            found[host] = Publication.objects.get(pk=pk)
    return found


def known_publications(hosts: Collection[str]) -> dict[str, int]:
    """Give those hosts that have a publication already, with its key; makes none."""
    homes = _homes()
    found = {host: homes.get(site_of(host)) or _of_site(host, homes) for host in hosts}
    return {host: pk for host, pk in found.items() if pk is not None}


def _of_site(host: str, homes: dict[str, int]) -> int | None:
    """Find the publication with the longest home host to which a host belongs."""
    sites = [home for home in homes if is_same_site(host, home)]
    return homes[max(sites, key=len)] if sites else None


def _homes() -> dict[str, int]:
    """Give publications by the site of their home page; of two the older one."""
    homes: dict[str, int] = {}
    for pk, home_url in Publication.objects.order_by("pk").values_list("pk", "home_url"):
        try:
            homes.setdefault(site_of(canonicalize(home_url).host), pk)
        except BadUrl:
            continue
    return homes
