"""Structure alarms of publications: opened and closed by what their newest pages show."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median

from django.db.models import F, Q, QuerySet

from extraction.html.site.structure_alarm import (
    FIELDS,
    LEAST_ILL,
    LENGTH_SHARE,
    SERIES_PAGES,
    DesignEvidence,
    PageFacts,
    Signal,
    find_changes,
)
from extraction.models import RuleVersion, SiteSketch, StructureAlarm

_WORDS = {
    Signal.RULE: "the rule for {subject} matches nothing",
    Signal.UNMATCHED: "no rule for {subject} matches any page, all are read without one",
    Signal.TEMPLATE: "pages are built differently",
    Signal.COVERAGE: "{subject} are missing",
}
# An alarm that has ended is still told for so long.
SHOWN_CLOSED = timedelta(days=7)
# Of the pages that were read since a repair, so many must be well: a gallery may lack an author.
_WELL_SHARE = 0.8
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
    told = found if alarm else _not_repaired(publication_id, found)
    if told:
        alarm = alarm or _new(publication_id, told[0], now)
        alarm.signals = [[one.signal.value, one.subject, one.n_ill] for one in told]
        alarm.save()
    elif alarm is not None:
        alarm.closed_at = now
        alarm.save(update_fields=["closed_at"])
    template = [evidence.since for evidence in found if evidence.signal is Signal.TEMPLATE]
    return min(template, default=None)


def close_repaired(now: datetime) -> int:
    """Close alarms whose pages are read well since rules were published; returns how many."""
    n_closed = 0
    for alarm in open_alarms():
        repairs = RuleVersion.objects.filter(
            publication=alarm.publication, published_at__gt=alarm.opened_at
        )
        repair = repairs.order_by("-published_at").first()
        if repair is not None and repair.published_at and _reads_well(alarm, repair.published_at):
            alarm.closed_at, alarm.is_repaired = now, True
            alarm.save(update_fields=["closed_at", "is_repaired"])
            n_closed += 1
    return n_closed


def _reads_well(alarm: StructureAlarm, repaired_at: datetime) -> bool:
    """Whether the changed pages that were read since a repair hold what was missing."""
    rows = SiteSketch.objects.filter(publication=alarm.publication).defer("data")
    changed = rows.filter(
        fetched_at__gte=alarm.since, page__extraction__extracted_at__gte=repaired_at
    )
    facts = [_facts(row) for row in changed.order_by("-fetched_at")[:SERIES_PAGES]]
    before = rows.filter(fetched_at__lt=alarm.since).values_list("n_characters", flat=True)
    least = LENGTH_SHARE * median(before[:SERIES_PAGES]) if before else 0.0
    missed = {subject for _, subject, _ in alarm.signals}
    n_well = sum(_is_well(one, missed, least) for one in facts)
    return len(facts) >= LEAST_ILL and n_well >= _WELL_SHARE * len(facts)


def _is_well(facts: PageFacts, missed: set[str], least: float) -> bool:
    has_fields = missed.intersection(FIELDS) <= facts.fields
    return has_fields and _are_matched(facts.rules) and facts.n_characters >= max(least, 1)


def _are_matched(rules: Mapping[str, bool]) -> bool:
    """Say whether each field had a rule that matched, for one stands in for another."""
    by_field: dict[str, bool] = {}
    for part, matched in rules.items():
        name = part.partition(" ")[0]
        by_field[name] = by_field.get(name, False) or matched
    return all(by_field.values())


def _not_repaired(publication_id: int, found: Sequence[DesignEvidence]) -> list[DesignEvidence]:
    """Leave out what the last alarm told of until its pages were read well again."""
    last = StructureAlarm.objects.filter(publication=publication_id, is_repaired=True)
    repaired = last.order_by("-closed_at").first()
    if repaired is None or repaired.closed_at is None:
        return list(found)
    known = {(signal, subject) for signal, subject, _ in repaired.signals}
    return [
        one
        for one in found
        if one.since > repaired.closed_at or (one.signal.value, one.subject) not in known
    ]


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


def has_changed(alarm: StructureAlarm) -> bool:
    """Whether pages are no longer what they were; else rules never fitted them."""
    return any(signal != Signal.UNMATCHED for signal, _, _ in alarm.signals)


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
