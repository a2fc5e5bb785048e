"""What needs a person now, in sentences: present rows → Need."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from corpus_site.running import disks
from corpus_site.stage_counts import StageCount
from extraction.sites.alarms import open_alarms, sentence
from feeds.sources.naming import publication_names
from feeds.status import FeedRow, WorkerRow, unexplained_quarantine
from feeds.watching.states import FeedState
from presentation.wording.figures import counted, grouped
from presentation.wording.times import day


@dataclass(frozen=True, slots=True)
class Need:
    """One sentence with its state, what it is about, and the page where one acts."""

    kind: str
    tone: str
    label: str
    subject: str
    sentence: str
    address: str
    action: str

    @property
    def key(self) -> str:
        """Tells whether it is the same as another time: its words may have changed."""
        return f"{self.kind}:{self.address}"


def all_needs(
    feeds: Sequence[FeedRow], stages: Sequence[StageCount], workers: Sequence[WorkerRow]
) -> list[Need]:
    """List what stands still until somebody acts, worst first."""
    return [
        *_disk(),
        *_idle(stages, workers),
        *_quarantined(stages),
        *_hosts(feeds),
        *_changed(),
        *_gone(feeds),
        *_quiet(feeds),
    ]


def _disk() -> list[Need]:
    """Say that the work pauses for want of room; it goes on by itself."""
    short = disks.shortage()
    if short is None:
        return []
    sentence = (
        f"has no room: {short}. Nothing is fetched or indexed until there is more; "
        "what is stored stays searchable, and the work then goes on by itself."
    )
    address = reverse("status") + "#workers"
    return [Need("disk", "bad", "■ Paused", "The disk", sentence, address, "See the workers")]


def _idle(stages: Sequence[StageCount], workers: Sequence[WorkerRow]) -> list[Need]:
    n_due = sum(stage.due for stage in stages)
    if any(row.is_alive for row in workers) or not n_due:
        return []
    sentence = (
        f"gives a sign, and {grouped(n_due)} rows are due. "
        "Start the program with “make up” or look at its log."
    )
    address = reverse("status") + "#workers"
    return [Need("worker", "bad", "■ Stopped", "No worker", sentence, address, "See the workers")]


def _quarantined(stages: Sequence[StageCount]) -> list[Need]:
    """List stages with errors of ours; pages that the web itself refuses are no such errors."""
    counts = {stage.name: stage.quarantined for stage in stages}
    counts["fetch"] = unexplained_quarantine() if counts.get("fetch") else 0
    return [
        Need(
            "quarantine",
            "warn",
            "▲ Put aside",
            f"Stage {name}",
            f"gave up on {counted(n, 'row')} after repeated errors.",
            reverse("stage", args=[name]) + "?state=quarantined",
            "See the errors",
        )
        for name, n in counts.items()
        if n
    ]


def _hosts(feeds: Sequence[FeedRow]) -> list[Need]:
    blocked = {row.feed.page.host for row in feeds if row.feed.page.host.blocked_since}
    return [
        Need(
            "block",
            "bad",
            "■ Blocked",
            host.name,
            f"refuses us: {host.block_reason or 'no reason given'}.",
            reverse("host", args=[host.name]),
            "See the host",
        )
        for host in sorted(blocked, key=lambda host: host.name)
    ]


def _changed() -> list[Need]:
    """List publications whose pages are no longer what they were."""
    names = publication_names()
    return [
        Need(
            "structure",
            "warn",
            "▲ Structure",
            names.get(alarm.publication.slug, alarm.publication.name),
            f"has changed: since {day(alarm.since)} {sentence(alarm)}.",
            reverse("source", args=[alarm.publication.slug]) + "#structure",
            "See a page before and after",
        )
        for alarm in open_alarms()
    ]


def _gone(feeds: Sequence[FeedRow]) -> list[Need]:
    return _feeds("feed", feeds, {FeedState.GONE, FeedState.FAILING})


def _quiet(feeds: Sequence[FeedRow]) -> list[Need]:
    """List feeds that bring nothing new though they answer."""
    return _feeds("quiet", feeds, {FeedState.QUIET})


def _feeds(kind: str, feeds: Sequence[FeedRow], states: set[FeedState]) -> list[Need]:
    wanted = [row for row in feeds if row.state in states]
    names = publication_names() if wanted else {}
    return [
        Need(
            kind,
            row.state.tone,
            f"{row.state.shape} {row.state.word}",
            f"{names[row.feed.publication.slug]}, {row.feed}",
            f"{row.finding.reason.rstrip('.')}.",
            reverse("feed", args=[row.feed.pk]),
            "Open the feed",
        )
        for row in wanted
    ]
