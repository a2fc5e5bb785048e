"""What all looks for alarms share: papers with what they usually bring, and who serves them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from feeds.article_flow import Loss
from feeds.models import ArticleFlow, Feed, PublicationState
from feeds.watching.rhythms import Flowing, flowing


class RunningFeed(NamedTuple):
    """Columns of a feed that is asked, by their names."""

    pk: int
    publication: int
    page__host: int
    page__outcome: str
    page__quarantined_at: datetime | None
    failures: float


@dataclass(frozen=True, slots=True)
class Picture:
    """The papers that run at a moment, by primary key, with their hosts and feeds.

    `losing` are those of their flows whose last articles gave no text, with their hosts.
    """

    now: datetime
    papers: Mapping[int, Flowing]
    losing: Sequence[ArticleFlow]
    feeds: Sequence[RunningFeed]
    feeds_at: Mapping[int, Counter[int]]  # host → feeds of each publication
    n_feeds: Mapping[int, int]
    shares: Mapping[tuple[int, int], float]  # publication, host → share of its articles

    @property
    def articles_a_day(self) -> float:
        return sum(paper.articles_a_day for paper in self.papers.values())

    @property
    def host_ids(self) -> set[int]:
        """Give the hosts of feeds and articles."""
        return {*self.feeds_at, *(host_id for _, host_id in self.shares)}

    def served_by(self, host_id: int) -> dict[int, float]:
        """Give the publications that a host serves, with the articles a day they owe to it."""
        found = {pk: n / self.n_feeds[pk] for pk, n in self.feeds_at.get(host_id, {}).items()}
        for (pk, host), share in self.shares.items():
            if host == host_id:
                found[pk] = max(share, found.get(pk, 0.0))
        return {
            pk: share * self.papers[pk].articles_a_day
            for pk, share in found.items()
            if pk in self.papers
        }

    def name(self, publication_id: int) -> str:
        return self.papers[publication_id].publication.name


def take(now: datetime) -> Picture:
    """Load the picture of a moment, in some six queries."""
    papers = {paper.publication.pk: paper for paper in flowing(now)}
    ill = ArticleFlow.objects.filter(lost_since__isnull=False).select_related("host")
    losing = [flow for flow in ill.defer("host__robots_body") if flow.publication_id in papers]
    running = Feed.objects.filter(is_active=True, publication__state=PublicationState.ACTIVE)
    feeds_at: dict[int, Counter[int]] = defaultdict(Counter)
    rows = running.order_by().values_list(*RunningFeed._fields)
    feeds = [RunningFeed._make(row) for row in rows]
    for feed in feeds:
        feeds_at[feed.page__host][feed.publication] += 1
    n_feeds: Counter[int] = Counter()
    for papers_there in feeds_at.values():
        n_feeds.update(papers_there)
    return Picture(now, papers, losing, feeds, feeds_at, n_feeds, _shares(papers))


def n_lost(flow: ArticleFlow) -> Counter[Loss]:
    """Count the articles in a row that gave no text, by why."""
    return +Counter({loss: getattr(flow, f"n_{loss.value}") for loss in Loss})


def _shares(papers: Collection[int]) -> dict[tuple[int, int], float]:
    """Give the share of each host in the articles of a publication; a newcomer's are equal."""
    rows = ArticleFlow.objects.order_by()
    weights = {
        (publication_id, host_id): stored + lost
        for publication_id, host_id, stored, lost in rows.values_list(
            "publication", "host", "recent_stored", "recent_lost"
        )
        if publication_id in papers
    }
    totals: Counter[int] = Counter()
    for (publication_id, _), weight in weights.items():
        totals[publication_id] += weight  # type: ignore[assignment] # counts of articles fade
    return {key: weight / (totals[key[0]] or 1.0) for key, weight in weights.items()}
