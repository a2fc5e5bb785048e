"""What was posted before a timeline's first look: read backwards, an answer a step, with an end.

The first answer is the newest there is. From it each step asks for what lies before the last one,
by an id or a cursor as the network has it, and stops where enough was read, where all posts of an
answer are too old, or where nothing older comes. What is new meanwhile is asked for afterwards,
from the first answer on, so nothing between is lost.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from feeds.crawler.documents.timeline_posts import TimelineAnswer, TimelinePlace, TimelineStep

# 250 answers of Mastodon, 100 of Bluesky: some minutes in which news wait.
MOST_PAST_POSTS = 10_000
_DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class PastWish:
    """How much is wanted of the time before the first look: posts at most, and until when."""

    n_posts: int
    until: datetime | None = None

    def place(self) -> TimelinePlace:
        """Give the place of a timeline that was not read yet."""
        until = self.until.isoformat() if self.until else ""
        return TimelinePlace(past_left=self.n_posts, past_until=until)


def posts_a_day(n_posts: int, first: datetime | None, last: datetime | None) -> float | None:
    """Estimate how many posts a day a timeline has, by one answer; None where that says nothing.

    Examples
    --------
    >>> posts_a_day(41, datetime(2026, 11, 1), datetime(2026, 11, 3))
    20.0
    """
    if first is None or last is None or n_posts < 2 or last <= first:
        return None
    return (n_posts - 1) / ((last - first).total_seconds() / _DAY_SECONDS)


def step_back(before: TimelinePlace, answer: TimelineAnswer, news: TimelineStep) -> TimelineStep:
    """Say where a timeline is read on whose past is wanted.

    Parameters
    ----------
    before
        Where it was, with `past_left`.
    answer
        What came: the first look, or a step into the past.
    news
        Where it is read on for what is new, as the first look has found it; of later steps it is
        where it was.
    """
    newest = before.newest if before.past else news.place.newest
    left = before.past_left - answer.n_items
    is_at_end = not answer.older or not answer.n_items or answer.older == before.past
    if left <= 0 or is_at_end or _is_too_old(answer, before.past_until):
        return TimelineStep(TimelinePlace(newest=newest))
    place = replace(before, newest=newest, is_behind=True, past=answer.older, past_left=left)
    return TimelineStep(place)


def without_past(before: TimelinePlace) -> TimelinePlace:
    """Give the place of a timeline whose past can not be read on: it goes on with its news."""
    return TimelinePlace(newest=before.newest)


def _is_too_old(answer: TimelineAnswer, until: str) -> bool:
    """Whether all posts of an answer are older than what is wanted."""
    newest = max((post.posted_at for post in answer.posts), default=None)
    return bool(until and newest and newest < datetime.fromisoformat(until))
