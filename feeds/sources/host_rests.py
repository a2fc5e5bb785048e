"""Hosts that the wizard asks: it leases each as the crawler does, and gives it back with a rest.

The host's row is the one budget in the world: who holds its lease is the only one to ask it. A host
that nobody has asked gets its row first. A look-up that is killed loses its leases by their time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid4

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from feeds.crawler.timing.politeness import HostRate, delay_seconds
from feeds.frontier import ensure_hosts
from feeds.models import Host
from presentation.wording.times import span

# A search ends by its deadline; what is left over is its last answer's and its writing's.
LEASE_MARGIN = timedelta(seconds=20)
_OWNER = "look-up"


@dataclass(frozen=True, slots=True)
class HostWait:
    """How long a host is not to be asked; `sentence` says why where that is too long to wait."""

    seconds: float = 0.0
    sentence: str = ""

    @property
    def is_too_long(self) -> bool:
        return bool(self.sentence)


@dataclass(frozen=True, slots=True)
class HostRest:
    """How long a host that was asked is left alone from now on, and why."""

    seconds: float
    reason: str = "It was asked while a publication was added."


def rest_sentence(name: str, seconds: float, why: str) -> str:
    """Say that a host is not asked now."""
    return f"{name} is not asked before {span(seconds)} have gone: {why}"


@dataclass(slots=True)
class HostKeeper:
    """The leases of one search, on at most as many hosts as it meets.

    `most_seconds` is how long the search may take; a host that rests for more than half of that is
    not asked at all.
    """

    most_seconds: float
    owner: str = field(default_factory=lambda: f"{_OWNER}:{uuid4().hex[:16]}")
    held: set[str] = field(default_factory=set)

    def take(self, name: str, now: datetime) -> HostWait | None:
        """Lease a host and say how long it rests still; None while somebody else holds it."""
        ensure_hosts([name], now)
        host = Host.objects.get(name=name)
        wait = max((host.next_at - now).total_seconds(), 0.0)
        if wait > self.most_seconds / 2:
            why = host.next_reason or "It rests until then."
            sentence = rest_sentence(name, wait, why)
            return HostWait(wait, f"{sentence} “Try now” on its host’s page overrides that.")
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        # A look-up that is killed may just have asked it.
        rate = HostRate(host.editor_delay_seconds or 0.0, host.crawl_delay_seconds)
        rest = timedelta(seconds=delay_seconds(rate))
        until = now + timedelta(seconds=self.most_seconds) + LEASE_MARGIN + rest
        if not Host.objects.filter(free, pk=host.pk).update(
            lease_owner=self.owner, lease_until=until, acted_fields=None
        ):
            return None
        self.held.add(name)
        return HostWait(wait)

    def give_back(self, rests: Mapping[str, HostRest]) -> None:
        """End all leases; hosts that were asked, by name, rest at least for our own delay."""
        now = timezone.now()
        for name in sorted(self.held):
            changes: dict[str, object] = {"lease_owner": "", "lease_until": None}
            if name in rests:
                seconds = max(rests[name].seconds, float(settings.CRAWL_MIN_DELAY_SECONDS))
                changes |= {
                    "next_at": now + timedelta(seconds=seconds),
                    "next_reason": rests[name].reason,
                    "last_request_at": now,
                }
            Host.objects.filter(name=name, lease_owner=self.owner).update(**changes)
        self.held.clear()
