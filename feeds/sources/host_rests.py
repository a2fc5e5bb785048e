"""Hosts that the wizard asks: it waits for their turn, and afterwards they rest for the crawler.

The host's row is the one budget; a host without a row has not been asked by anybody yet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from feeds.models import Host
from presentation.wording.times import span


@dataclass(frozen=True, slots=True)
class HostWait:
    """How long a host is not to be asked; `sentence` says why where that is too long for a form."""

    seconds: float = 0.0
    sentence: str = ""

    @property
    def is_too_long(self) -> bool:
        return bool(self.sentence)


def hold(name: str, now: datetime, seconds: float) -> HostWait:
    """Keep the crawler from a host for so many seconds; say how long it is to be waited for.

    A host that rests for longer than that is not asked at all: a form cannot wait for it.
    """
    host = Host.objects.filter(name=name).first()
    if host is None:
        return HostWait()
    wait = max((host.next_at - now).total_seconds(), 0.0)
    if wait > seconds / 2:
        why = host.next_reason or "It rests until then."
        sentence = (
            f"{name} is not asked before {span(wait)} have gone: {why} "
            "“Try now” on its host’s page overrides that."
        )
        return HostWait(wait, sentence)
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    until = now + timedelta(seconds=seconds)
    reason = "Somebody adds a publication here."
    Host.objects.filter(free, pk=host.pk).update(next_at=until, next_reason=reason)
    return HostWait(wait)


def rest(pauses: Mapping[str, float]) -> None:
    """Let hosts that were asked rest for their pause (s by name) or ours, whichever is longer."""
    now = timezone.now()
    for name, pause in pauses.items():
        seconds = max(pause, float(settings.CRAWL_MIN_DELAY_SECONDS))
        Host.objects.filter(Q(lease_until=None) | Q(lease_until__lte=now), name=name).update(
            next_at=now + timedelta(seconds=seconds),
            next_reason="It was asked while a publication was added.",
            last_request_at=now,
        )
