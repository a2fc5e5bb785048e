"""Figures that pages show of whole tables, by name: a sweep counts those again that were kept."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from corpus_site.counts import corpus_counts
from corpus_site.counts.crawl_counts import CRAWL, count_crawl
from feeds.watching import plan_counts
from feeds.watching.tallies import count_again
from search.articles import facets

# Home, Status, the list of articles and the plan as they open: nobody is to wait for them.
_LOOKED_AT_FIRST = (corpus_counts.CORPUS, CRAWL, facets.ARTICLES, plan_counts.PLAN)


def keep_counts(now: datetime) -> int:
    """Count again what pages showed lately and is no longer fresh; returns how many figures."""
    return count_again(_count_named, now, always=_LOOKED_AT_FIRST)


def _count_named(name: str) -> Callable[[datetime], Any] | None:
    if name == CRAWL:
        return count_crawl
    for count_named in (corpus_counts.count_named, facets.count_named, plan_counts.count_named):
        if count := count_named(name):
            return count
    return None
