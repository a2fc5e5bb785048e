"""What a simulated year brought: texts against what appeared, alarms against what went wrong."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from soak.faults import TOLD_AFTER, Fault
from soak.papers import DAY, HOUR, Paper, Story
from soak.year import SPAN_DAYS, STEP, WORK_EVERY, DayCost, Year, of_span

from corpus_site.alarms.models import Alarm
from extraction.models import Article, Comment

# A story that stood in a feed for fewer hours may be missed by a plan that asks twice a day.
LEAST_HOURS_GIVEN = 12
_ROUND = WORK_EVERY * STEP
# From when it could be had: where robots.txt forbade all, one page a day looks whether it does.
LATE_AFTER = DAY + _ROUND
# By then the last planned reading, a month after publication, has found a correction; in shorter
# runs those of the first days are looked at.
CORRECTION_SEEN_WITHIN = 10 * DAY
_EXAMPLES = 8
_TABLES = 15


@dataclass
class Texts:
    """Counts of stories; `examples` has addresses of those that are not as they should be."""

    appeared: int = 0
    not_to_be_had: int = 0  # the site or its feed was away for as long as they were listed
    stored: int = 0
    late: int = 0
    waited: int = 0  # late, but not longer than it could not be had before: as pages put aside do
    lost: int = 0
    twice: int = 0
    strange: int = 0  # articles that no story is
    right: int = 0  # letter by letter
    wrong: int = 0
    corrected: int = 0
    corrections_seen: int = 0
    comments_written: int = 0
    comments_kept: int = 0
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def note(self, what: str, story: Story) -> None:
        """Count a story, and keep the first addresses of each kind."""
        setattr(self, what, getattr(self, what) + 1)
        if what in {"late", "lost", "twice", "wrong"} and len(self.examples[what]) < _EXAMPLES:
            self.examples[what].append(f"{story.paper}{story.path}")


@dataclass(frozen=True, slots=True)
class _Stored:
    created_at: datetime
    text: str
    in_corpus: bool


def texts(year: Year) -> Texts:
    """Compare what is stored with what appeared, up to three days before the end."""
    found = Texts()
    stored = _stored()
    comments = Counter(
        (urlsplit(url).hostname, urlsplit(url).path)
        for url in Comment.objects.values_list("article__url", flat=True)
    )
    until = year.until - 3 * DAY
    for paper in year.papers.values():
        for place, story in enumerate(paper.stories):
            if story.moment >= until:
                break
            rows = stored.pop((paper.host, story.path), [])
            if story.moment >= year.plan.begin:
                _count(found, year, (paper, place), rows)
                has_posts = paper.layouts[-1][1] != 2 and len(paper.layouts) == 1
                if rows and has_posts:
                    found.comments_written += len(story.posts(year.now))
                    found.comments_kept += comments[(paper.host, story.path)]
    known = {(paper.host, story.path) for paper in year.papers.values() for story in paper.stories}
    found.strange = sum(len(rows) for key, rows in stored.items() if key not in known)
    return found


def _stored() -> dict[tuple[str, str], list[_Stored]]:
    rows: dict[tuple[str, str], list[_Stored]] = defaultdict(list)
    for url, *values in Article.objects.values_list("url", "created_at", "text", "in_corpus"):
        address = urlsplit(url)
        rows[(address.hostname or "", address.path)].append(_Stored(*values))
    return rows


def _count(found: Texts, year: Year, where: tuple[Paper, int], rows: list[_Stored]) -> None:
    paper, place = where
    story = paper.stories[place]
    found.note("appeared", story)
    hours = list(year.hours_given(paper, place))
    if not rows:
        found.note("lost" if len(hours) >= LEAST_HOURS_GIVEN else "not_to_be_had", story)
        return
    found.note("stored", story)
    if len(rows) > 1:
        found.note("twice", story)
    first = min(row.created_at for row in rows)
    # From an hour on at which one of the visits was sure to find it.
    sure = [at for at, then in zip(hours, hours[WORK_EVERY:], strict=False) if then - at == _ROUND]
    if sure and first - sure[0] > LATE_AFTER:
        patience = sure[0] - story.moment + _ROUND
        found.note("waited" if first - sure[0] <= patience else "late", story)
    versions = [_flat(text) for text in story.texts()]
    read = _flat(rows[-1].text)
    found.note("right" if read in versions else "wrong", story)
    after = story.corrected_after
    if after and story.moment + after + CORRECTION_SEEN_WITHIN < year.until:
        found.note("corrected", story)
        if read == versions[-1]:
            found.note("corrections_seen", story)


def _flat(text: str) -> str:
    return " ".join(text.split())


@dataclass
class Alarms:
    """Faults that had to be told, by kind, and alarms that no fault explains."""

    told: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    open_still: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)


def alarms(year: Year) -> Alarms:
    """Compare the alarms of the year with its faults."""
    found = Alarms()
    rows = list(Alarm.objects.select_related("publication"))
    by_paper: Mapping[str, list[Fault]] = defaultdict(list)
    for fault in year.faults:
        by_paper[fault.paper].append(fault)
    for fault in year.faults:
        if fault.must_be_told and fault.end < year.until:
            _judge(found, fault, rows)
    for alarm in rows:
        near = [*by_paper[_paper_of(alarm)], *by_paper[""]]
        until = alarm.closed_at or year.now
        if not any(
            alarm.kind in fault.may_be_told and fault.touches(alarm.opened_at, until)
            for fault in near
        ):
            found.wrong[alarm.kind] += 1
            if len(found.examples) < _EXAMPLES:
                found.examples.append(
                    f"{alarm.opened_at:%d %b %H:%M} {alarm.subject} {alarm.sentence}"
                )
    return found


def _judge(found: Alarms, fault: Fault, rows: Iterable[Alarm]) -> None:
    same = [
        alarm
        for alarm in rows
        if alarm.kind in fault.must_be_told
        and _paper_of(alarm) == fault.paper
        and fault.begin <= alarm.opened_at <= fault.end + TOLD_AFTER
    ]
    (found.told if same else found.missed)[fault.name] += 1
    if any(alarm.closed_at is None for alarm in same):
        found.open_still[fault.name] += 1


def _paper_of(alarm: Alarm) -> str:
    """Name the paper that an alarm is about: by itself, or by its host."""
    if alarm.publication is not None:
        return str(alarm.publication.slug)
    return alarm.host.removesuffix(".example")


def lines(year: Year, took: timedelta) -> list[str]:
    """Write all tables."""
    read, told, plan = texts(year), alarms(year), year.plan
    counts = {name: value for name, value in vars(read).items() if name != "examples"}
    kinds = sorted({*told.told, *told.missed})
    n_happened = sum(year.happened.values())
    size = f"{len(year.costs)} of {plan.n_days} days, {plan.n_papers} papers"
    return [
        f"{size}, {n_happened} faults of {len(year.faults)}, in {took / HOUR:.1f} h",
        "",
        "| texts | |",
        "|:--|--:|",
        *(f"| {name.replace('_', ' ')} | {value:,} |" for name, value in counts.items()),
        *(f"| e. g. {kind} | {some} |" for kind, all_ in read.examples.items() for some in all_),
        "",
        "| happened | |",
        "|:--|--:|",
        *(f"| {name} | {n} |" for name, n in sorted(year.happened.items())),
        "",
        "| must be told | told | missed | open still |",
        "|:--|--:|--:|--:|",
        *(
            f"| {kind} | {told.told[kind]} | {told.missed[kind]} | {told.open_still[kind]} |"
            for kind in kinds
        ),
        f"| alarms without a fault | {sum(told.wrong.values())} | {dict(told.wrong)} | |",
        *(f"| e. g. | {some} | | |" for some in told.examples),
        "",
        f"Requests: {dict(year.asked)}, before their host's delay was over: {year.n_too_soon}.",
        "",
        *_costs(year),
        *_rows(year),
    ]


def _costs(year: Year) -> list[str]:
    """Compare the last ten days with the second ten: in the first all is new to us."""
    last = len(year.costs)
    early = min(2 * SPAN_DAYS, last)
    measures: dict[str, Callable[[DayCost], float]] = {
        "processor seconds a day": lambda cost: cost.cpu_seconds,
        "requests a day": lambda cost: cost.n_requests,
        "ms of processor a request": lambda cost: 1000 * cost.cpu_seconds / max(cost.n_requests, 1),
        "MB of memory of its own": lambda cost: cost.megabytes,
    }
    found = [f"| median of ten days | to day {early} | to day {last} | × |", "|:--|--:|--:|--:|"]
    for name, of in measures.items():
        first, then = of_span(year.costs, early, of), of_span(year.costs, last, of)
        found.append(f"| {name} | {first:.2f} | {then:.2f} | {then / first:.2f} |")
    return [*found, ""]


def _rows(year: Year) -> list[str]:
    """Name the tables that have the most rows at the end."""
    days = sorted(year.rows)
    if not days:
        return []
    last = year.rows[days[-1]]
    longest = sorted(last, key=last.__getitem__, reverse=True)[:_TABLES]
    return [
        f"| rows | {' | '.join(f'day {day}' for day in days)} |",
        f"|:--|{'--:|' * len(days)}",
        *(
            f"| {name} | {' | '.join(f'{year.rows[day][name]:,}' for day in days)} |"
            for name in longest
        ),
    ]
