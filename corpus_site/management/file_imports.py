"""What commands that import files share: the turns of their stage, and the summary at the end."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from django.db.models import QuerySet
from django.utils import timezone

from corpus_site import pipeline
from corpus_site.running.executor import idle_wait
from feeds.models import WarcImport
from feeds.work.leases import Claim
from search.models import TextImport

_TELL_SECONDS = 2.0


class _Counted(Protocol):
    counts: dict[str, int]


def work_until_ended(
    stage_name: str,
    rows: QuerySet[WarcImport] | QuerySet[TextImport],
    tell: Callable[[], None],
) -> None:
    """Work on what is due until these imports have ended, here or in a worker's hands.

    `tell` is called every two seconds.
    """
    stage = pipeline.BY_NAME[stage_name]
    unfinished = rows.filter(finished_at=None, quarantined_at=None).exclude(due_at=None)
    told_at, idle_turns = time.monotonic(), 0
    while unfinished.exists():
        report = stage.run(Claim.make(f"import_{stage_name}", timezone.now()))
        idle_turns = 0 if report.n_claimed else idle_turns + 1
        if idle_turns:
            time.sleep(idle_wait(idle_turns))
        if time.monotonic() - told_at > _TELL_SECONDS:
            told_at = time.monotonic()
            tell()


def summed(rows: Iterable[_Counted], names: Sequence[str]) -> Counter[str]:
    """Add up what imports have counted; each name is there, be it 0."""
    counts: Counter[str] = Counter(dict.fromkeys(names, 0))
    for row in rows:
        counts.update(row.counts)
    return counts


def summary(counts: Counter[str], seconds: float, *, as_json: bool) -> str:
    """Write the counts and the seconds it took, a line each or as JSON."""
    told: dict[str, float] = dict(counts, seconds=round(seconds, 1))
    if as_json:
        return json.dumps(told)
    return "\n".join(f"{key}: {value}" for key, value in told.items())
