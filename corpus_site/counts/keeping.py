"""Figures that pages show of whole tables, by name: a sweep counts those again that were kept."""

import os
from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from django.utils import timezone

from corpus_site.counts import corpus_counts, crawl_counts
from corpus_site.counts.crawl_counts import CRAWL, HOSTS, count_crawl, count_hosts
from extraction import article_months, comment_status
from extraction.rules import versions
from feeds.watching import crawl_status, plan_counts
from feeds.watching.tallies import count_again, count_first
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
    _count_once(os.getpid())
    return count_again(_count_named, now, always=_LOOKED_AT_FIRST)


@cache
def _count_once(process: int) -> int:  # noqa: ARG001 (a forked child may follow by days)
    """Count what nobody is to wait for though nothing is kept, as in a database just restored."""
    return count_first(_count_named, timezone.now(), _LOOKED_AT_FIRST)


def _count_named(name: str) -> Callable[[datetime], Any] | None:
    if name in _SINGLE:
        return _SINGLE[name]
    owners = (
        corpus_counts,
        facets,
        plan_counts,
        versions,
        comment_status,
        article_months,
        crawl_status,
        crawl_counts,
    )
    found = (owner.count_named(name) for owner in owners)
    return next((count for count in found if count), None)
