"""The state of a feed as one word with its shape: columns of rows → FeedState.

Colour alone never says it: each state has a shape, a word and a tone. It is read from the present
rows; what a paper usually brings is judged in `feeds.watching.rhythms`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from feeds.crawler.outcomes import Outcome
from feeds.models import Feed, PublicationState

# A paper's feed without anything new for a week is worth a look, weekends and holidays included,
# unless its paper has a limit of its own.
QUIET_AFTER = timedelta(days=7)

_BLOCKED = {Outcome.FORBIDDEN, Outcome.CHALLENGE, Outcome.ROBOTS_FORBID}
_GONE = {Outcome.GONE, Outcome.NOT_A_FEED}


class ShownState(Enum):
    """A state as pages show it: its value is a shape, a word and a tone."""

    @property
    def shape(self) -> str:
        return self.value[0]  # type: ignore[no-any-return]  # a base without members has no type

    @property
    def word(self) -> str:
        return self.value[1]  # type: ignore[no-any-return]  # as above

    @property
    def tone(self) -> str:
        return self.value[2]  # type: ignore[no-any-return]  # as above


class FeedState(ShownState):
    """The order is worst first, as the status page lists them."""

    BLOCKED = ("■", "Blocked", "bad")
    GONE = ("✕", "Gone", "bad")
    FAILING = ("▲", "Failing", "bad")
    MISSED = ("▲", "Missed?", "warn")
    SLOWED = ("▲", "Slowed", "warn")
    QUIET = ("◇", "Quiet", "warn")
    WORKING = ("●", "Working", "ok")
    NEW = ("+", "New", "info")
    PAUSED = ("‖", "Paused", "")

    @property
    def key(self) -> str:
        """Name in addresses."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """A state and the reason for it in words; the reason may be empty when all is well."""

    state: FeedState
    reason: str = ""


def feed_finding(feed: Feed, now: datetime) -> Finding:
    """Judge a feed by its row, its page, its host and its publication (all already loaded)."""
    is_running = feed.publication.state == PublicationState.ACTIVE
    if not (is_running and feed.is_active):
        reason = "" if is_running else f"the publication is {feed.publication.state}"
        return Finding(FeedState.PAUSED, reason)
    return _running(feed, now)


def _running(feed: Feed, now: datetime) -> Finding:
    host, outcome = feed.page.host, feed.page.outcome
    if host.blocked_since:
        return Finding(FeedState.BLOCKED, host.block_reason or "the host refuses us")
    if outcome and not Outcome(outcome).is_answer:
        reason = feed.state_text or feed.page.last_error or outcome.replace("_", " ")
        return Finding(_failed(Outcome(outcome)), reason)
    if feed.page.quarantined_at:
        return Finding(FeedState.FAILING, f"put aside: {feed.page.last_error}")
    if not outcome:
        return Finding(FeedState.NEW, "the first visit is still to come")
    return _answered(feed, now)


def _failed(outcome: Outcome) -> FeedState:
    if outcome in _BLOCKED:
        return FeedState.BLOCKED
    if outcome in _GONE:
        return FeedState.GONE
    return FeedState.SLOWED if outcome is Outcome.RATE_LIMITED else FeedState.FAILING


def _answered(feed: Feed, now: datetime) -> Finding:
    if feed.overlap_share == 0 and feed.n_items:
        reason = "nothing in the last document was known: items may have come and gone unseen"
        return Finding(FeedState.MISSED, feed.state_text or reason)
    by_hand = feed.publication.quiet_after_days
    limit = timedelta(days=by_hand) if by_hand else QUIET_AFTER
    if feed.newest_item_at and now - feed.newest_item_at > limit:
        days = (now - feed.newest_item_at).days
        return Finding(FeedState.QUIET, f"nothing new for {days} days")
    return Finding(FeedState.WORKING, feed.state_text)
