"""Posts of timelines that are visited by themselves, to see whether they are there as they were.

Their documents came with their timelines, so a visit brings nothing new but an edit or a deletion.
Edits that a timeline shows itself are taken there.
"""

from datetime import datetime, timedelta

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.timeline_posts import DELETED_DIGEST
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.fetching.media_types import media_type
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timelines.networks import find_post
from feeds.models import Page

# Ages at which a post is looked at: most that go, go within a day; the rest of them by and by.
LOOK_AGES = (timedelta(days=1), timedelta(days=14))
_JSON = "application/json"


def judge(page: Page, result: FetchResult) -> tuple[str, Outcome, str]:
    """Give the digest of what came for a post, with outcome and error.

    `DELETED_DIGEST` where its server says that it is gone. A "not found" that is no word of the
    interface itself, as of a server in trouble, deletes nothing.
    """
    outcome, error = result.outcome, result.error
    if outcome is Outcome.OK:
        post = find_post(result.final_url, result.body, page.url)
        if post is not None:
            return post.digest, outcome, error
        if media_type(result.content_type) != _JSON:
            return "", Outcome.UNEXPECTED_TYPE, "The answer is no JSON."
        return DELETED_DIGEST, Outcome.GONE, "The server has no such post any more."
    is_gone = outcome is Outcome.GONE or (
        outcome is Outcome.NOT_FOUND and media_type(result.content_type) == _JSON
    )
    return DELETED_DIGEST if is_gone else "", outcome, error


def is_told(outcome: Outcome) -> bool:
    """Whether asking again before the next look would bring nothing else."""
    return outcome.is_answer or outcome.is_final


def next_look(
    posted_at: datetime, now: datetime, outcome: Outcome = Outcome.OK
) -> tuple[datetime | None, str]:
    """Give when a post is looked at next, and why; None for one that is gone, or old."""
    if not outcome.is_answer:
        return None, ""
    for age in LOOK_AGES:
        if posted_at + age > now:
            return posted_at + age, f"planned: is it still there after {age.days} days?"
    return None, ""


def key_of(address: str) -> str:
    """Give the key of a post's page; "" for what is no address."""
    try:
        return canonicalize(address).key
    except BadUrl:
        return ""
