"""Addresses that people see in a browser → the timelines that a microblog's interface has for them.

Mastodon's way of writing them is taken on any host, so whether there is such a server is for the
look-up to find out; Bluesky's is taken on its own host alone.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from feeds.crawler.timelines import bluesky, mastodon
from feeds.crawler.timelines.networks import timeline_network

BLUESKY_PAGES = "bsky.app"
# The interface that answers strangers for Bluesky's pages.
BLUESKY_ROOT = "https://public.api.bsky.app"
_HANDLE = r"[\w.\-]{1,100}(?:@[\w.\-]{1,200})?"
_ACCOUNT = re.compile(rf"/(?:@|users/)({_HANDLE})(?:/(?:with_replies|media))?/?")
_TAG = re.compile(r"/(?:tags?|explore/tags)/([^/]{1,300})/?")
# Mastodon's, its older ones, and Pleroma's.
_PUBLIC = {
    "/public": "",
    "/public/all": "",
    "/main/all": "",
    "/public/local": "local",
    "/main/public": "local",
    "/public/remote": "remote",
}
_PROFILE = re.compile(r"/profile/([\w.:\-]{1,300})/?")
_HASHTAG = re.compile(r"/hashtag/([^/]{1,300})/?")


@dataclass(frozen=True, slots=True)
class TimelineWish:
    """What somebody asks for: the address of a timeline, or of an account that is looked up first.

    ``home_url`` is the page for people. ``is_sure`` says that nothing but a timeline can be meant.
    """

    network: str
    home_url: str
    timeline: str = ""
    root: str = ""
    handle: str = ""
    is_sure: bool = False


def timeline_wish(url: str) -> TimelineWish | None:
    """Read an address; None where it is not written like a microblog's.

    Parameters
    ----------
    url
        Absolute.

    Examples
    --------
    >>> timeline_wish("https://karoo.example/tags/rain").timeline
    'https://karoo.example/api/v1/timelines/tag/rain?limit=40'
    >>> timeline_wish("https://karoo.example/@nomsa").handle
    'nomsa'
    >>> timeline_wish("https://karoo.example/news/rain") is None
    True
    """
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}"
    network = timeline_network(url)
    if network is not None:
        return TimelineWish(network.key, f"{root}/", timeline=url, root=root, is_sure=True)
    if parts.hostname in {BLUESKY_PAGES, f"www.{BLUESKY_PAGES}"}:
        return _on_bluesky(url, BLUESKY_ROOT)
    return _on_mastodon(url, root)


def _on_bluesky(url: str, root: str) -> TimelineWish | None:
    parts = urlsplit(url)
    path = unquote(parts.path)
    if match := _PROFILE.fullmatch(path):
        timeline = bluesky.account_url(root, match[1])
    elif match := _HASHTAG.fullmatch(path):
        timeline = bluesky.search_url(root, f"#{match[1]}")
    elif path == "/search" and (words := dict(parse_qsl(parts.query)).get("q")):
        timeline = bluesky.search_url(root, words)
    else:
        return None
    return TimelineWish("bluesky", url, timeline=timeline, root=root, is_sure=True)


def _on_mastodon(url: str, root: str) -> TimelineWish | None:
    path = unquote(urlsplit(url).path)
    if match := _ACCOUNT.fullmatch(path):
        return TimelineWish("mastodon", url, root=root, handle=match[1])
    if match := _TAG.fullmatch(path):
        timeline = mastodon.tag_url(root, match[1])
        return TimelineWish("mastodon", url, timeline=timeline, root=root)
    which = _PUBLIC.get(path.rstrip("/"))
    if which is None:
        return None
    timeline = mastodon.public_url(root, which)
    return TimelineWish("mastodon", url, timeline=timeline, root=root)
