"""What all looks for alarms share: papers with what they usually bring, and who serves them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from feeds.article_flow import Loss
from feeds.models import ArticleFlow, Feed, PublicationState
from feeds.watching.rhythms import Flowing, flowing


@dataclass(frozen=True, slots=True)
class Picture:
    """The papers that run at a moment, by primary key, with their hosts."""

    now: datetime
    papers: Mapping[int, Flowing]
    flows: Sequence[ArticleFlow]
    feeds_at: Mapping[int, Counter[int]]  # host → feeds of each publication
    n_feeds: Mapping[int, int]
    shares: Mapping[tuple[int, int], float]  # publication, host → share of its articles

    @property
    def articles_a_day(self) -> float:
        return sum(paper.articles_a_day for paper in self.papers.values())

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
    flows = [
        flow
        for flow in ArticleFlow.objects.select_related("host").defer("host__robots_body")
        if flow.publication_id in papers
    ]
    running = Feed.objects.filter(is_active=True, publication__state=PublicationState.ACTIVE)
    feeds_at: dict[int, Counter[int]] = defaultdict(Counter)
    for publication_id, host_id in running.values_list("publication", "page__host").order_by():
        feeds_at[host_id][publication_id] += 1
    n_feeds: Counter[int] = Counter()
    for papers_there in feeds_at.values():
        n_feeds.update(papers_there)
    return Picture(now, papers, flows, feeds_at, n_feeds, _shares(flows))


def n_lost(flow: ArticleFlow) -> Counter[Loss]:
    """Count the articles in a row that gave no text, by why."""
    return +Counter({loss: getattr(flow, f"n_{loss.value}") for loss in Loss})


def _shares(flows: Sequence[ArticleFlow]) -> dict[tuple[int, int], float]:
    """Give the share of each host in the articles of a publication; a newcomer's are equal."""
    weights = {
        (flow.publication_id, flow.host_id): flow.recent_stored + flow.recent_lost for flow in flows
    }
    totals: Counter[int] = Counter()
    for (publication_id, _), weight in weights.items():
        totals[publication_id] += weight  # type: ignore[assignment] # counts of articles fade
    return {key: weight / (totals[key[0]] or 1.0) for key, weight in weights.items()}
