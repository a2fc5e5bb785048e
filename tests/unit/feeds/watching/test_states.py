"""One word for how a feed does, from columns of rows; no database."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.models import Feed, Host, Page, Publication
from feeds.watching.states import FeedState, feed_finding

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def make(*, state="active", host=None, page=None, quiet_after_days=None, **feed):
    values = {"n_items": 30, "overlap_share": 0.9, "newest_item_at": NOW} | feed
    return Feed(
        publication=Publication(name="Paper", state=state, quiet_after_days=quiet_after_days),
        page=Page(
            host=Host(name="paper.example", **(host or {})), **({"outcome": "ok"} | (page or {}))
        ),
        **values,
    )


@pytest.mark.parametrize(
    ("feed", "state"),
    [
        (make(), FeedState.WORKING),
        (make(page={"outcome": "not_modified"}), FeedState.WORKING),
        (make(page={"outcome": ""}), FeedState.NEW),
        (make(state="paused"), FeedState.PAUSED),
        (make(state="draft"), FeedState.PAUSED),
        (make(is_active=False), FeedState.PAUSED),
        (make(host={"blocked_since": NOW}), FeedState.BLOCKED),
        (make(page={"outcome": "forbidden"}), FeedState.BLOCKED),
        (make(page={"outcome": "challenge"}), FeedState.BLOCKED),
        (make(page={"outcome": "robots_forbid"}), FeedState.BLOCKED),
        (make(page={"outcome": "rate_limited"}), FeedState.SLOWED),
        (make(page={"outcome": "gone"}), FeedState.GONE),
        (make(page={"outcome": "not_a_feed"}), FeedState.GONE),
        (make(page={"outcome": "timeout"}), FeedState.FAILING),
        (make(page={"quarantined_at": NOW}), FeedState.FAILING),
        (make(overlap_share=0.0), FeedState.MISSED),
        (make(overlap_share=0.0, n_items=0), FeedState.WORKING),
        (make(overlap_share=None), FeedState.WORKING),
        (make(newest_item_at=NOW - timedelta(days=8)), FeedState.QUIET),
        (make(newest_item_at=NOW - timedelta(days=8), quiet_after_days=14), FeedState.WORKING),
        (make(newest_item_at=NOW - timedelta(days=3), quiet_after_days=2), FeedState.QUIET),
        (make(newest_item_at=None), FeedState.WORKING),
    ],
)
def test_a_feed_has_the_state_of_its_rows(feed, state):
    assert feed_finding(feed, NOW).state is state


def test_a_failed_visit_gives_its_reason():
    feed = make(page={"outcome": "timeout"}, state_text="No answer within 30 s")

    assert feed_finding(feed, NOW).reason == "No answer within 30 s"


def test_every_state_has_a_word_of_its_own():
    words = [state.word for state in FeedState]

    assert len(set(words)) == len(words)
