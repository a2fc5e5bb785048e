"""The hub that tells of a feed's news, as the feed or its answer names it.

Reference: WebSub (W3C Recommendation, 23 January 2018), section 4: headers of the answer before
what the document says, `rel=hub` for the hub and `rel=self` for the name that it knows the feed by.
JSON Feed 1.1 has a list of hubs of its own.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from feeds.crawler.documents.feed_document import Hub, absolute_address

_MOST_LINKS = 50  # of one answer; real ones have up to ten
_WEBSUB = frozenset({"websub", "pubsubhubbub"})  # types of JSON Feed's hubs


def hub_in_headers(headers: Iterable[tuple[str, str]], base_url: str) -> Hub | None:
    """Read the Link headers of an answer.

    Examples
    --------
    >>> hub_in_headers([("Link", '<https://hub.example/>; rel="hub"')], "https://a.example/feed")
    Hub(url='https://hub.example/', topic='https://a.example/feed')
    """
    values = [value for name, value in headers if name.lower() == "link"]
    if not values:
        return None
    from requests.utils import parse_header_links  # noqa: PLC0415 (20 ms, of few answers alone)

    links = (link for value in values for link in parse_header_links(value)[:_MOST_LINKS])
    return hub_of(({"rel": link.get("rel"), "href": link["url"]} for link in links), base_url)


def hub_of(links: Iterable[Mapping[str, Any]], base_url: str) -> Hub | None:
    """Choose among links with `rel` and `href`; None where none is a hub.

    Parameters
    ----------
    links
        As feedparser lists them of a channel. One may be of several relations.
    base_url
        Final address of the document: for relative links, and the topic where none is named.
    """
    found: dict[str, str] = {}
    for link in links:
        url = absolute_address(link.get("href"), base_url)
        for relation in str(link.get("rel") or "").lower().split():
            if url:
                found.setdefault(relation, url)
    return Hub(found["hub"], found.get("self", base_url)) if "hub" in found else None


def hub_of_json(document: Mapping[str, Any], base_url: str) -> Hub | None:
    """Choose among the hubs of a JSON Feed."""
    hubs = document.get("hubs")
    known = [hub for hub in hubs if isinstance(hub, dict)] if isinstance(hubs, list) else []
    links = [
        {"rel": "hub", "href": hub.get("url")}
        for hub in known[:_MOST_LINKS]
        if str(hub.get("type")).lower() in _WEBSUB
    ]
    return hub_of([*links, {"rel": "self", "href": document.get("feed_url")}], base_url)
