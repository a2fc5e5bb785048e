"""Crawl status: what the stages do, who works, what the web answered."""

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from corpus_site.alarms.keeping import alarms_in, last_closed, told_needs
from corpus_site.counts.crawl_counts import crawl_counts, n_hosts
from corpus_site.retention.disk_days import outlooks
from extraction.status import stored_since, usual_an_hour
from feeds.crawler.outcomes import Outcome
from feeds.models import Feed
from feeds.status import (
    OutcomeHour,
    drawn_pages,
    feed_rows,
    outcome_hours,
    outcomes_since,
    worker_rows,
    worst_hosts,
)
from feeds.watching.judgements import JudgedFeed, judgements, state_counts, worst_first
from presentation.charts.bars import Bar, BarChart
from presentation.charts.svg import Mark
from presentation.fragments import part_of
from presentation.wording.figures import grouped
from search.stage.followers import follower_rows
from search.status import latency_since

FEEDS_PER_PAGE = 50
NEEDS_SHOWN = 12  # more sentences hide each other; the list of alarms has them all
HOSTS_SHOWN = 20  # those in trouble first; the requests of a day are counted for each
HOUR = timedelta(hours=1)

# How outcomes are stacked in the chart: words, outcomes, series of the style sheet, state of bars.
_ANSWERED = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
_POLITE = frozenset({Outcome.ROBOTS_FORBID, Outcome.NOT_FOUND, Outcome.GONE})
_GROUPS = (
    ("answered", _ANSWERED, 1, ""),
    ("not there or not allowed", _POLITE, 3, ""),
    ("refused or failed", frozenset(Outcome) - _ANSWERED - _POLITE, 2, "lo"),
)


@dataclass(frozen=True, slots=True)
class Disk:
    """Space of the data folder's disk, in bytes."""

    total: int
    free: int

    @property
    def used_share(self) -> float:
        return 1 - self.free / self.total


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    context = _overview(request)
    context["outcome_chart"] = outcome_chart(context["hours"])
    context["day_outcomes"] = _day_outcomes(context["hours"])
    return render(request, "corpus_site/status.html", context)


@require_safe
@part_of("status")
def status_part(request: HttpRequest) -> HttpResponse:
    context = _overview(request)
    context["outcome_chart"] = outcome_chart(context["hours"])
    context["day_outcomes"] = _day_outcomes(context["hours"])
    return render(request, "corpus_site/_status.html", context)


def _overview(request: HttpRequest) -> dict[str, Any]:
    now = timezone.localtime()
    all_feeds = worst_first(judgements(now))
    counts, workers = crawl_counts(now), worker_rows(now)
    asked = outcomes_since(now - HOUR)
    hosts = worst_hosts(HOSTS_SHOWN, now)
    needs = list(told_needs(now))
    return {
        "now": now,
        "crawl": counts,
        "stages": counts.stages,
        "workers": workers,
        "n_alive": sum(worker.is_alive for worker in workers),
        "last_beat": max((row.worker.beat_at for row in workers), default=None),
        "stored_last_hour": stored_since(now - HOUR),
        "usual_an_hour": usual_an_hour(now),
        "latency": latency_since(now - HOUR),
        "index_followers": follower_rows(now),
        "disk": _disk(),
        "days_left": next((one.days_left for one in outlooks(now)), None),
        "n_requests": sum(asked.values()),
        "n_forbidden": asked[Outcome.ROBOTS_FORBID],
        "hours": outcome_hours(now),
        "hosts": hosts,
        "n_hosts": n_hosts(now) if len(hosts) == HOSTS_SHOWN else len(hosts),
        "drawn": drawn_pages(now),
        "needs": needs[:NEEDS_SHOWN],
        "n_needs": len(needs),
        "n_snoozed": alarms_in("snoozed", now).count(),
        "last_closed": None if needs else last_closed(now),
    } | _chosen(all_feeds, request, now)


def _chosen(rows: Sequence[JudgedFeed], request: HttpRequest, now: datetime) -> dict[str, Any]:
    """Choose the feeds of the wanted state, one page of them."""
    wanted, counts = request.GET.get("state", ""), state_counts(rows)
    keys = {state.key for state, _ in counts}
    chosen = [row for row in rows if row.state.key == wanted] if wanted in keys else list(rows)
    shown = [row.feed_id for row in chosen[:FEEDS_PER_PAGE]]
    loaded = {row.feed.pk: row for row in feed_rows(Feed.objects.filter(pk__in=shown), now)}
    return {
        "counts": counts,
        "n_feeds": len(rows),
        "wanted": wanted if wanted in keys else "",
        "feeds": [loaded[pk] for pk in shown if pk in loaded],
        "n_chosen": len(chosen),
    }


def _disk() -> Disk:
    usage = shutil.disk_usage(settings.DATA_DIR)
    return Disk(usage.total, usage.free)


def _day_outcomes(hours: Sequence[OutcomeHour]) -> list[tuple[str, int]]:
    """All requests of the chart by outcome, most frequent first."""
    return sum((hour.counts for hour in hours), Counter[str]()).most_common()


def outcome_chart(hours: Sequence[OutcomeHour]) -> SafeString:
    """Stacked bars: requests an hour, answered ones below, troubles on top."""
    bars = tuple(Bar(f"{hour.hour:%H}:00", tuple(_marks(hour))) for hour in hours)
    n = sum(sum(hour.counts.values()) for hour in hours)
    sentence = f"Requests by hour and outcome, last 24 hours: {grouped(n)} in all"
    return mark_safe(BarChart(sentence, bars).draw())


def _marks(hour: OutcomeHour) -> list[Mark]:
    counts = [
        (words, sum(hour.counts[outcome] for outcome in outcomes), series, state)
        for words, outcomes, series, state in _GROUPS
    ]
    return [
        Mark(n, f"{_clock(hour.hour)}: {grouped(n)} {words}", series=series, state=state)
        for words, n, series, state in counts
    ]


def _clock(hour: datetime) -> str:
    return f"{hour:%H:%M}–{hour + HOUR:%H:%M}"
