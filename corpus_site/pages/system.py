"""For machines: `/healthz` says whether the site works, `/metrics` speaks Prometheus's format."""

import logging
import shutil
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from corpus_site.accounts.models import User
from corpus_site.counts.corpus_counts import corpus_counts
from corpus_site.counts.crawl_counts import CrawlCounts, crawl_counts
from corpus_site.running import disks
from feeds.status import (
    HOUR,
    outcomes_since,
    worker_rows,
)
from feeds.watching.judgements import judgements, state_counts
from search.stage.followers import follower_rows, own_row
from search.status import latency_since

logger = logging.getLogger(__name__)

LOCAL_ADDRESSES = {"127.0.0.1", "::1"}


@login_not_required
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the database answers; pages work without workers and without room.

    Whoever watches the crawl looks at the other fields, or runs `manage.py status --check`. What
    the database says of itself (hosts, users) goes to the log: everybody may read this page.
    """
    del request
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        n_alive = sum(row.is_alive for row in worker_rows(timezone.now()))
        follower = own_row(timezone.now())
    except Error as error:
        logger.error("health check: %s", str(error).strip())  # noqa: TRY400 (no trace each time)
        return JsonResponse({"status": "no database"}, status=503)
    disk = "short" if disks.shortage() else "ok"
    said: dict[str, Any] = {"status": "ok", "workers_alive": n_alive, "disk": disk}
    if follower is not None:
        said["index"] = "late" if follower.is_late else "ok"
        said["index_behind_seconds"] = round(follower.seconds)
    return JsonResponse(said)


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Give the figures of the status page to this machine's own Prometheus, or to an admin."""
    if not _may_scrape(request):
        return HttpResponseForbidden("Metrics are for this machine and for admins.\n")
    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def _may_scrape(request: HttpRequest) -> bool:
    if isinstance(request.user, User) and request.user.is_admin:
        return True
    # Behind a proxy everybody seems local; a proxy says for whom it asks.
    is_forwarded = any(
        request.headers.get(name) for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP")
    )
    return not is_forwarded and request.META.get("REMOTE_ADDR") in LOCAL_ADDRESSES


def _registry() -> CollectorRegistry:
    now = timezone.now()
    registry = CollectorRegistry()
    rows = Gauge("broadsheet_stage_rows", "Rows of a stage", ["stage", "state"], registry=registry)
    counts = crawl_counts(now)
    for stage in counts.stages:
        for state in ("due", "postponed", "running", "planned", "done", "quarantined"):
            rows.labels(stage.name, state).set(getattr(stage, state))
    _crawl(registry, counts)
    _corpus(registry)
    return registry


def _crawl(registry: CollectorRegistry, counts: CrawlCounts) -> None:
    now = timezone.now()
    requests = Gauge(
        "broadsheet_requests_last_hour", "Requests by outcome", ["outcome"], registry=registry
    )
    for outcome, n in outcomes_since(now - HOUR).items():
        requests.labels(outcome).set(n)
    feeds = Gauge("broadsheet_feeds", "Feeds by state", ["state"], registry=registry)
    for state, n in state_counts(judgements(now)):
        feeds.labels(state.key).set(n)
    oldest = counts.fetch.oldest_due_at
    late = (now - oldest).total_seconds() if oldest else 0
    _gauge(registry, "broadsheet_oldest_due_seconds", "Lateness of the oldest due page", late)
    n_alive = sum(row.is_alive for row in worker_rows(now))
    _gauge(registry, "broadsheet_workers_alive", "Processes that gave a sign", n_alive)
    free = shutil.disk_usage(settings.DATA_DIR).free
    _gauge(registry, "broadsheet_disk_free_bytes", "Room on the disk of DATA_DIR", free)
    is_short = float(disks.shortage() is not None)
    _gauge(registry, "broadsheet_paused_for_room", "1 while the work waits for room", is_short)


def _corpus(registry: CollectorRegistry) -> None:
    counts = corpus_counts(timezone.now())
    totals, tokens = counts.totals, counts.tokens
    latency = latency_since(timezone.now() - HOUR)
    _gauge(registry, "broadsheet_articles", "Articles stored", totals.articles)
    _gauge(registry, "broadsheet_comments", "Comments stored", totals.comments)
    _gauge(registry, "broadsheet_tokens", "Tokens in the index", tokens.both)
    _gauge(registry, "broadsheet_generation", "Newest generation of the index", tokens.generation)
    _followers(registry)
    if latency.median is not None:
        text = "Seconds from stored to findable, median of the last hour"
        _gauge(registry, "broadsheet_findable_seconds", text, latency.median)


def _followers(registry: CollectorRegistry) -> None:
    behind, seconds = (
        Gauge(f"broadsheet_index_behind_{unit}", words, ["machine"], registry=registry)
        for unit, words in (
            ("generations", "Generations that a machine's copy of the index lacks"),
            ("seconds", "Seconds since a machine's copy of the index had all that there was"),
        )
    )
    for row in follower_rows(timezone.now()):
        behind.labels(row.machine).set(row.behind)
        seconds.labels(row.machine).set(row.seconds)


def _gauge(registry: CollectorRegistry, name: str, text: str, value: float) -> None:
    Gauge(name, text, registry=registry).set(value)
