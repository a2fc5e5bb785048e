"""What pages, sweeps and claims cost in a filled database, for `make bench-growth`.

Names → median times in ms, by the clock and of processors, in process. Claims and sweeps are rolled
back.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from corpus_site import pipeline
from corpus_site.accounts.models import Role, User
from corpus_site.alarms.keeping import keep_if_due, present_needs
from corpus_site.counts.keeping import keep_counts
from corpus_site.retention.disk_days import note_disk
from feeds.frontier import claim_turns, release_hosts
from feeds.host_claims import claim_hosts
from feeds.models import Worker
from feeds.work import leases

ROUNDS = 3
MOST_SECONDS = 20  # of one thing: no second round for what takes longer
PAGES = {
    "home": "/",
    "articles": "/articles/",
    "articles of a paper": "/articles/?paper=paper-0",
    "sources": "/sources/",
    "publication": "/sources/paper-0/",
    "rules": "/sources/paper-0/rules/",
    "status": "/status/",
    "plan": "/status/plan/",
    "jobs": "/status/jobs/",
    "alarms": "/status/alarms/",
    "metrics": "/metrics",
    "host": "/hosts/paper0.example/",
    "changed lately": "/articles/changed/",
    "stories": "/stories/",
    "duplicates": "/duplicates/",
    "admin: pages": "/admin/feeds/page/",
    "admin: articles": "/admin/extraction/article/",
    "admin: fetches": "/admin/feeds/fetch/",
    "admin: hosts": "/admin/feeds/host/",
}
HOSTS_A_CLAIM = 50


def measured() -> Iterator[tuple[str, Callable[[], object]]]:
    """Name what is measured, with what does it."""
    user, _ = User.objects.get_or_create(
        username="bench", defaults={"role": Role.ADMIN, "is_superuser": True, "is_staff": True}
    )
    # Somebody works; without a sign of it, all that waits is counted to say so.
    at = timezone.now()
    worker, _ = Worker.objects.update_or_create(
        name="bench", defaults={"kind": "celery", "pid": 1, "started_at": at, "beat_at": at}
    )
    keep_if_due("bench", at)  # a worker's alarms are a minute old at most
    note_disk(at)  # and so is, for an hour, what its disk holds
    yield "first counts of what is kept", lambda: keep_counts(at)
    client = Client()
    client.force_login(user, backend="corpus_site.accounts.backends.RoleBackend")

    def page(path: str) -> None:
        answer = client.get(path, headers={"host": "127.0.0.1"})
        if answer.status_code != 200:
            raise ValueError(f"{path}: {answer.status_code}")

    def undone(work: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            with transaction.atomic():
                work()
                transaction.set_rollback(True)

        return run

    now = timezone.now()
    claim = leases.Claim.make("bench", now)
    # Idle hosts rest from the first claim of an hour on.
    release_hosts(claim_hosts(HOSTS_A_CLAIM, claim), claim.owner)
    for name, path in PAGES.items():
        yield f"page: {name}", lambda path=path: page(path)
    yield "sweep: leases that ran out", lambda: leases.with_exhausted(pipeline.MODELS, now)
    for stage in pipeline.STAGES:
        yield (
            f"sweep: pending {stage.name}",
            undone(lambda stage=stage: stage.pending(pipeline.SWEEP_LIMIT, now)),
        )
        yield f"sweep: has due {stage.name}", lambda stage=stage: pipeline.has_due(stage, now)
    Worker.objects.filter(pk=worker.pk).update(beat_at=timezone.now())
    yield "minute: present needs", lambda: present_needs(timezone.now())
    yield "claim: hosts", undone(lambda: claim_turns(HOSTS_A_CLAIM, 1, claim))
    yield "claim: one host", undone(lambda: claim_turns(1, 1, claim))
    for model in pipeline.MODELS:
        yield (
            f"claim: {model.__name__}",
            undone(lambda model=model: leases.claim(model.objects.all(), 20, claim)),
        )


def measure() -> None:
    """Print the median ms of each, wall and CPU, as JSON; `BENCH_ONLY` keeps names that hold it."""
    found = {}
    chosen = os.environ.get("BENCH_ONLY", "")
    used = _processor_clock()
    for name, work in measured():
        if chosen not in name:
            continue
        walls: list[float] = []
        processors: list[float] = []
        n_rounds = 1 if name.startswith("first") else ROUNDS  # the next finds what this one kept
        while len(walls) < n_rounds and sum(walls) < MOST_SECONDS:
            started, used_before = time.perf_counter(), used()
            try:
                work()
            except ValueError as error:
                print(error, file=sys.stderr)
                break
            walls.append(time.perf_counter() - started)
            processors.append(used() - used_before)
        if walls:
            found[name] = [1000 * statistics.median(times) for times in (walls, processors)]
    print(json.dumps(found))


def _processor_clock() -> Callable[[], float]:
    """Give what reads the CPU seconds of this process and, on this machine, of its server's."""
    scheduled = Path()
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        scheduled = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")

    def read() -> float:
        server = int(scheduled.read_text().split()[0]) / 1e9 if scheduled.is_file() else 0.0
        return time.process_time() + server

    return read
