"""Feeds that fail or are gone while their host answers; those of one paper and cause together."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from django.urls import reverse

from corpus_site.alarms.need import Need, cost, moment
from corpus_site.alarms.picture import Picture, RunningFeed
from feeds.crawler.outcomes import Outcome
from feeds.models import Feed
from feeds.watching.states import FeedState, feed_finding
from presentation.wording.figures import counted

# In the weights of `feeds.crawler.timing.revisit`: at once what will not mend by itself, otherwise
# at the second failure in a row, and at the fourth where nobody answered.
LEAST_FAILURES = 1.0
_TOLD = {FeedState.GONE, FeedState.FAILING, FeedState.BLOCKED}
_ANSWERS = ("", *(outcome.value for outcome in Outcome if outcome.is_answer))
_TO_DO = {
    FeedState.GONE: "find its new address, or pause it",
    FeedState.FAILING: "look whether its address has changed",
    FeedState.BLOCKED: "ask the newspaper, or follow another feed",
}


def feed_needs(picture: Picture, told_hosts: Collection[str]) -> list[Need]:
    """List feeds that need a person; `told_hosts` are told of as hosts."""
    ill = [feed.pk for feed in picture.feeds if _is_ill(feed)]
    if not ill:
        return []
    rows = (
        Feed.objects.filter(pk__in=ill)
        .select_related("publication", "page__host")
        .defer("page__host__robots_body", "publication__note", "page__feed_description")
    )
    groups: dict[tuple[int, str, str], list[Feed]] = defaultdict(list)
    for feed in rows:
        host = feed.page.host.name
        if host not in told_hosts and feed_finding(feed, picture.now).state in _TOLD:
            groups[feed.publication_id, host, feed.page.outcome].append(feed)
    return [_need(picture, feeds) for feeds in groups.values()]


def _is_ill(feed: RunningFeed) -> bool:
    """Whether a feed fails and was asked often enough; what is told of it decides its whole row."""
    if feed.page__outcome == Outcome.RATE_LIMITED:
        return False
    if feed.page__quarantined_at is not None:
        return True
    return feed.page__outcome not in _ANSWERS and feed.failures >= LEAST_FAILURES


def silenced(picture: Picture, needs: Collection[Need]) -> set[int]:
    """Give the papers that no feed answers for: their silence is told with their feeds."""
    return {
        need.publication_id
        for need in needs
        if need.publication_id is not None
        and need.articles_a_day >= picture.papers[need.publication_id].articles_a_day
    }


def _need(picture: Picture, feeds: list[Feed]) -> Need:
    first = feeds[0]
    publication, host = first.publication, first.page.host.name
    finding = feed_finding(first, picture.now)
    state = finding.state
    since = min((_since(feed) for feed in feeds), default=picture.now)
    share = len(feeds) / picture.n_feeds[publication.pk]
    lost = share * picture.papers[publication.pk].articles_a_day
    subject = str(first) if len(feeds) == 1 else counted(len(feeds), "feed")
    sentence = (
        f"{'gives' if len(feeds) == 1 else 'give'} nothing at {host} since {moment(since)} "
        f"({finding.reason.rstrip('.')}); each visit asks again, ever more rarely, and "
        f"{cost(lost)} are lost: {_TO_DO[state]}."
    )
    is_one = len(feeds) == 1
    address = reverse("feed", args=[first.pk]) if is_one else _feeds_of(publication.slug)
    return Need(
        "feed", state.tone, f"{state.shape} {state.word}", f"{publication.name}, {subject}",
        sentence, address, "Open the feed" if is_one else "See its feeds", host=host, since=since,
        articles_a_day=lost, publication_id=publication.pk,
        cause=f"feeds:{publication.slug}:{host}:{first.page.outcome}",
    )  # fmt: skip


def _since(feed: Feed) -> datetime:
    return feed.failing_since or feed.page.quarantined_at or feed.created_at


def _feeds_of(slug: str) -> str:
    return reverse("source", args=[slug]) + "#feeds"
