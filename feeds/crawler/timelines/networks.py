"""The table of microblogs: an address tells its network, and with it how it is asked and read."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.timeline_posts import (
    NOT_READABLE,
    TimelineAnswer,
    TimelinePlace,
    TimelinePost,
    TimelineStep,
)
from feeds.crawler.timelines import bluesky, mastodon


class NextStep(Protocol):
    """Where a network is read on; `is_met`: the answer meets what is known, or is the first."""

    def __call__(
        self, before: TimelinePlace, answer: TimelineAnswer, *, is_met: bool
    ) -> TimelineStep: ...


@dataclass(frozen=True, slots=True)
class Network:
    """How the timelines of a network are known, asked for and read.

    ``is_in_order`` says that each answer begins where the last one ended, so that its size tells
    how many posts came meanwhile.
    """

    key: str
    name: str
    limit: int
    is_in_order: bool
    is_timeline: Callable[[str], bool]
    is_post: Callable[[str], bool]
    request_url: Callable[[str, TimelinePlace], str]
    read: Callable[[str, bytes], TimelineAnswer]
    next_step: NextStep


NETWORKS = (
    Network(
        "mastodon",
        "Mastodon",
        limit=mastodon.LIMIT,
        is_in_order=True,
        is_timeline=mastodon.is_timeline,
        is_post=mastodon.is_post,
        request_url=mastodon.request_url,
        read=mastodon.read,
        next_step=mastodon.next_step,
    ),
    Network(
        "bluesky",
        "Bluesky",
        limit=bluesky.LIMIT,
        is_in_order=False,
        is_timeline=bluesky.is_timeline,
        is_post=bluesky.is_post,
        request_url=bluesky.request_url,
        read=bluesky.read,
        next_step=bluesky.next_step,
    ),
)


def network_of(url: str) -> Network | None:
    """Give the network that an address asks; None for all other addresses."""
    return next((one for one in NETWORKS if one.is_timeline(url) or one.is_post(url)), None)


def timeline_network(url: str) -> Network | None:
    """Give the network of an address that is a timeline; None for all others, posts too."""
    return next((network for network in NETWORKS if network.is_timeline(url)), None)


def read_timeline(url: str, body: bytes) -> TimelineAnswer:
    """Read what came from a timeline, or for a post; nothing raises."""
    network = network_of(url)
    return network.read(url, body) if network else TimelineAnswer(problem=NOT_READABLE)


def find_post(url: str, body: bytes, address: str) -> TimelinePost | None:
    """Find the post of an address in an answer; None where it is not among its posts.

    The last answers are remembered: the posts of one are asked for one after the other.
    """
    try:
        return _posts_of(url, body).get(canonicalize(address).key)
    except BadUrl:
        return None


@lru_cache(maxsize=4)
def _posts_of(url: str, body: bytes) -> Mapping[str, TimelinePost]:
    found: dict[str, TimelinePost] = {}
    for post in read_timeline(url, body).posts:
        with suppress(BadUrl):
            found.setdefault(canonicalize(post.address).key, post)
    return found
