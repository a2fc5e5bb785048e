"""Counts what becomes of new articles, by publication, host and hour; writes both tables.

The fetch stage tells of pages that gave no document, the extract stage of texts and of pages
without one, each at the end of its transaction. Rows are written in the order of their keys, so two
batches cannot lock each other out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import F, Value
from django.db.models.functions import Coalesce

from feeds.crawler.outcomes import Outcome
from feeds.models import AddressRole, ArticleFlow, ArticleHour, CrawlAddress

# So many articles are remembered in the recent figures, as with the findings of visits.
MEMORY_ARTICLES = 200
# What is older when it comes was not published now: a crawl of the past brought it.
NEWS_AGE = timedelta(days=3)


class Loss(StrEnum):
    """Why an article gave no text; the value names the column that counts it."""

    REFUSED = "refused"
    FORBIDDEN = "forbidden"
    SLOWED = "slowed"
    FAILED = "failed"
    MISSING = "missing"
    EMPTY = "empty"


_LOSSES = {
    Outcome.FORBIDDEN: Loss.REFUSED,
    Outcome.CHALLENGE: Loss.REFUSED,
    Outcome.ROBOTS_FORBID: Loss.FORBIDDEN,
    Outcome.RATE_LIMITED: Loss.SLOWED,
    Outcome.SERVER_ERROR: Loss.FAILED,
    Outcome.DNS_ERROR: Loss.FAILED,
    Outcome.CONNECTION_ERROR: Loss.FAILED,
    Outcome.TIMEOUT: Loss.FAILED,
}


@dataclass(frozen=True, slots=True)
class ArticleEvent:
    """One new article that came to its end: `loss` is empty for a text.

    `is_news` is False for texts that were published long before.
    """

    publication_id: int
    host_id: int
    loss: Loss | None = None
    is_news: bool = True


def loss_of(outcome: Outcome) -> Loss | None:
    """Say what a visit without a document counts as; None for an answer, and for our own wish."""
    if outcome.is_answer or outcome is Outcome.RIGHTS_RESERVED:
        return None
    return _LOSSES.get(outcome, Loss.MISSING)


def named_by_archives(page_ids: Sequence[int]) -> set[int]:
    """Say which pages only a past front page has named: without a text no news is lost by them."""
    if not page_ids:
        return set()
    named = CrawlAddress.objects.filter(
        page__in=page_ids,
        role=AddressRole.ARTICLE,
        snapshot_at__isnull=False,
        found_at__lte=F("page__found_at"),
    )
    return set(named.values_list("page_id", flat=True))


def count(events: Iterable[ArticleEvent], now: datetime) -> None:
    """Add events in their order; needs a transaction, at its end."""
    by_flow: dict[tuple[int, int], list[ArticleEvent]] = defaultdict(list)
    stored: Counter[int] = Counter()
    for event in events:
        by_flow[event.publication_id, event.host_id].append(event)
        stored[event.publication_id] += event.loss is None and event.is_news
    keys = sorted(by_flow)
    ArticleFlow.objects.bulk_create(
        [ArticleFlow(publication_id=key[0], host_id=key[1]) for key in keys], ignore_conflicts=True
    )
    for key in keys:
        rows = ArticleFlow.objects.filter(publication=key[0], host=key[1])
        rows.update(**_changes(by_flow[key], now))
    _count_stored(+stored, now.replace(minute=0, second=0, microsecond=0))


def forget(before: datetime) -> int:
    """Drop the hours that have been learnt; returns how many."""
    return ArticleHour.objects.filter(hour__lt=before).delete()[0]


def _count_stored(stored: Counter[int], hour: datetime) -> None:
    ArticleHour.objects.bulk_create(
        [ArticleHour(publication_id=pk, hour=hour) for pk in sorted(stored)], ignore_conflicts=True
    )
    for pk in sorted(stored):
        rows = ArticleHour.objects.filter(publication=pk, hour=hour)
        rows.update(n_stored=F("n_stored") + stored[pk])


def _changes(events: Sequence[ArticleEvent], now: datetime) -> dict[str, Any]:
    """Give the columns after some events: those before the last text do not count any more."""
    lost = [event.loss for event in events]
    last = max((place for place, loss in enumerate(lost) if loss is None), default=-1)
    n_lost = Counter(loss for loss in lost[last + 1 :] if loss)
    n_texts = lost.count(None)
    kept = 1 - min(len(events) / MEMORY_ARTICLES, 1.0)
    changes: dict[str, Any] = {
        "recent_stored": F("recent_stored") * kept + n_texts,
        "recent_lost": F("recent_lost") * kept + len(events) - n_texts,
    }
    if n_texts:
        changes |= {f"n_{loss.value}": n_lost[loss] for loss in Loss}
        if any(event.is_news and event.loss is None for event in events):
            changes["stored_at"] = now
        return changes | {"lost_since": now if n_lost else None}
    changes |= {f"n_{loss.value}": F(f"n_{loss.value}") + n for loss, n in n_lost.items()}
    return changes | {"lost_since": Coalesce("lost_since", Value(now))}
