"""Structure alarms of publications: opened and closed by what their newest pages show."""

from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from extraction.html.site.structure_alarm import (
    SERIES_PAGES,
    DesignEvidence,
    PageFacts,
    Signal,
    find_changes,
)
from extraction.models import SiteSketch, StructureAlarm

_WORDS = {
    Signal.RULE: "the rule for {subject} matches nothing",
    Signal.TEMPLATE: "pages are built differently",
    Signal.COVERAGE: "{subject} are missing",
}
# An alarm that has ended is still told for so long.
SHOWN_CLOSED = timedelta(days=7)
_SUBJECTS = {"title": "titles", "date": "dates"}
_LENGTH = "texts are far shorter than usual"


def judge(publication_id: int, now: datetime) -> datetime | None:
    """Look at the newest pages: open, bring up to date or close the publication's alarm.

    Returns since when pages are built differently; None where they are not.
    """
    rows = SiteSketch.objects.filter(publication=publication_id).defer("data")
    newest = list(rows.order_by("-fetched_at", "-pk")[:SERIES_PAGES])
    found = find_changes([_facts(row) for row in reversed(newest)])
    alarm = StructureAlarm.objects.filter(publication=publication_id, closed_at=None).first()
    if found:
        alarm = alarm or _new(publication_id, found[0], now)
        alarm.signals = [[one.signal.value, one.subject, one.n_ill] for one in found]
        alarm.save()
    elif alarm is not None:
        alarm.closed_at = now
        alarm.save(update_fields=["closed_at"])
    template = [evidence.since for evidence in found if evidence.signal is Signal.TEMPLATE]
    return min(template, default=None)


def open_alarms(publication_id: int | None = None) -> list[StructureAlarm]:
    """List open alarms, of one publication or of all, the oldest change first."""
    rows = StructureAlarm.objects.filter(closed_at=None)
    if publication_id is not None:
        rows = rows.filter(publication=publication_id)
    return list(rows.select_related("publication").order_by("since"))


def last_alarm(publication_id: int, now: datetime) -> StructureAlarm | None:
    """Find the publication's open alarm, or the one that closed within the last days."""
    rows = StructureAlarm.objects.filter(publication=publication_id).filter(
        Q(closed_at=None) | Q(closed_at__gte=now - SHOWN_CLOSED)
    )
    return (
        rows.select_related("page_before__article", "page_after__article")
        .order_by(F("closed_at").desc(nulls_first=True))
        .first()
    )


def alarm_rows(*, is_closed: bool) -> QuerySet[StructureAlarm]:
    """All open alarms, the oldest change first; or all closed ones, the last closed first."""
    rows = StructureAlarm.objects.filter(closed_at__isnull=not is_closed).select_related(
        "publication", "page_before__article", "page_after__article"
    )
    return rows.order_by("-closed_at", "-pk") if is_closed else rows.order_by("since", "pk")


def findings(alarm: StructureAlarm) -> list[tuple[str, int]]:
    """Say of each signal what has changed, and on how many pages in a row."""
    return [(_words(signal, subject), n_ill) for signal, subject, n_ill in alarm.signals]


def sentence(alarm: StructureAlarm) -> str:
    """Say in words what has changed: “pages are built differently, authors are missing”."""
    return ", ".join(_words(signal, subject) for signal, subject, _ in alarm.signals)


def _words(signal: str, subject: str) -> str:
    if subject == "length":
        return _LENGTH
    is_field = signal == Signal.COVERAGE
    named = _SUBJECTS.get(subject, subject) if is_field else subject
    return _WORDS[Signal(signal)].format(subject=named)


def _facts(row: SiteSketch) -> PageFacts:
    return PageFacts(
        page=row.page_id,
        at=row.fetched_at,
        n_characters=row.n_characters,
        fields=frozenset(row.fields),
        familiarity=row.familiarity,
        rules=row.rules,
    )


def _new(publication_id: int, first: DesignEvidence, now: datetime) -> StructureAlarm:
    """Begin an alarm; its day and its pages stay those of the evidence it began with."""
    return StructureAlarm(
        publication_id=publication_id,
        since=first.since,
        page_before_id=first.page_before,
        page_after_id=first.page_after,
        opened_at=now,
    )
