"""Figures that pages show of whole tables, by name: a sweep counts those again that were kept."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from corpus_site.counts import corpus_counts
from corpus_site.counts.crawl_counts import CRAWL, HOSTS, count_crawl, count_hosts
from extraction.rules import versions
from feeds.watching import plan_counts
from feeds.watching.tallies import count_again
from search.articles import changed_lately, facets

# Home, Status, the list of articles and the plan as they open: nobody is to wait for them.
_LOOKED_AT_FIRST = (corpus_counts.CORPUS, CRAWL, facets.ARTICLES, plan_counts.PLAN)

_SINGLE: dict[str, Callable[[datetime], Any]] = {
    CRAWL: count_crawl,
    HOSTS: count_hosts,
    changed_lately.CHANGED: changed_lately.count_changed,
}


def keep_counts(now: datetime) -> int:
    """Count again what pages showed lately and is no longer fresh; returns how many figures."""
    return count_again(_count_named, now, always=_LOOKED_AT_FIRST)


def _count_named(name: str) -> Callable[[datetime], Any] | None:
    if name in _SINGLE:
        return _SINGLE[name]
    found = (owner.count_named(name) for owner in (corpus_counts, facets, plan_counts, versions))
    return next((count for count in found if count), None)
