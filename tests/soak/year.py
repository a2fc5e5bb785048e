"""A year of crawling on a clock that runs fast: papers, faults, an editor who answers alarms.

Runs the stages themselves, with what the scheduler does beside them. Workers are killed at one of
their statements, the disk is full for hours, the database's connections are cut.
"""

import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from statistics import median
from typing import Self

from django.apps import apps
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.test import override_settings
from integration.feeds.origin import Answer, Origin, not_found
from killed_work import is_killed_at
from soak import faults
from soak.faults import FULL, GONE, KILLED, SILENT, WELL_RUN, Fault
from soak.papers import DAY, HOUR, Paper, make_paper

from corpus_site import pipeline
from corpus_site.alarms.keeping import keep_if_due
from corpus_site.alarms.models import Alarm
from corpus_site.counts.keeping import keep_counts
from corpus_site.pipeline import Stage
from corpus_site.running import disks
from feeds.models import Feed, Publication, Worker
from feeds.sources.publications import (
    NewFeed,
    NewPublication,
    activate,
    add_feeds,
    create_publication,
)
from feeds.work.leases import Claim

# Between two looks for alarms: whoever looks more rarely learns no habits (UNHEARD_AFTER).
STEP = timedelta(hours=1)
WORK_EVERY = 6  # steps; sweeps and turns, which cost the same however little is due
SPAN_DAYS = 10  # over which the cost of a day is taken
# Between two turns of the stages; a host's delay is as long, so each is asked once a turn.
TURN = timedelta(seconds=5)
MOST_TURNS = 400  # of a step; what is left is done in the next
# A host may wait for longer than others, and what a dead worker held comes back with its lease: cut
# off before, what a kill has struck would be struck again by the next one six hours later.
_IDLE_TURNS = settings.LEASE_SECONDS // int(TURN.total_seconds()) + 1
_FETCH, _WAY, _BESIDE = pipeline.STAGES[0], pipeline.STAGES[1:5], pipeline.STAGES[5:]
EDITOR_ACTS_AFTER = DAY  # of an alarm
DATABASE_AWAY = (OperationalError, InterfaceError)
_LATEST_STATEMENT = 60  # of a stage's turn at which its worker is killed
_MORE_THAN_ANY_DISK = 1 << 60


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how much, and how much goes wrong."""

    begin: datetime
    n_days: int = 365
    n_papers: int = 200
    n_articles: int = 60_000
    n_faults: int = 300

    @property
    def end(self) -> datetime:
        return self.begin + self.n_days * DAY


@dataclass(frozen=True, slots=True)
class DayCost:
    """What a day of the simulation cost."""

    day: int
    cpu_seconds: float
    wall_seconds: float
    megabytes: float  # of memory of its own, at its end
    n_requests: int


class _Routes(dict[str, Answer]):
    """Asks the paper of a host what it answers now, and notes when each host was asked."""

    def __init__(self, year: "Year") -> None:
        super().__init__()
        self._year = year

    def get(self, key: str, default: Answer = not_found) -> Answer:  # type: ignore[override]
        host, slash, path = key.partition("/")
        paper = self._year.papers.get(host.removesuffix(".example"))
        if paper is None:
            return default
        self._year.note_request(paper, slash + path)
        return paper.answer_to(slash + path)


@dataclass
class Year:
    """Use it as a context, around `live`."""

    plan: Plan
    papers: dict[str, Paper] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    costs: list[DayCost] = field(default_factory=list)
    rows: dict[int, dict[str, int]] = field(default_factory=dict)  # by day, of each table
    asked: Counter[str] = field(default_factory=Counter)  # requests by what was asked for
    n_too_soon: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    feeds_back: dict[str, datetime] = field(default_factory=dict)  # a paper's new feed was added

    def __post_init__(self) -> None:
        plan = self.plan
        self.now = plan.begin
        self._chance = random.Random(plan.n_days)
        self._last_asked: dict[str, tuple[datetime, bool]] = {}
        self._turn_began = time.monotonic()
        a_day = plan.n_articles / plan.n_days / plan.n_papers
        made = [
            make_paper(number, lambda: self.now, (plan.begin - 2 * DAY, plan.end), a_day)
            for number in range(plan.n_papers)
        ]
        self.papers = {paper.name: paper for paper in made}
        # The first fortnight is a newcomer's: habits are learnt in it.
        quiet_days = min(14.0, plan.n_days / 3)
        span = (plan.begin + quiet_days * DAY, plan.end)
        self.faults = [self._measured(one) for one in faults.plan(plan.n_faults, made, span)]
        for fault in self.faults:
            if fault.name == SILENT:
                self.papers[fault.paper].keep_silent(fault.begin, fault.end)
        self._to_begin, self._begun = list(self.faults), list[Fault]()
        self._to_strike: list[str] = []
        self._n_steps = 0

    @property
    def until(self) -> datetime:
        """Up to when it was lived with faults."""
        return min(self.now, self.plan.end)

    def _measured(self, fault: Fault) -> Fault:
        """Say how many stories a fault concerns; own faults concern none."""
        if not fault.paper:
            return fault
        n = self.papers[fault.paper].n_between(fault.begin, fault.end)
        knows = fault.begin - self.plan.begin >= faults.HABITS_KNOWN_AFTER
        return replace(fault, n_stories=n, knows_habits=knows)

    def __enter__(self) -> Self:
        self._origin = Origin(routes=_Routes(self))
        self._origin.__enter__()
        self._settings = override_settings(
            CRAWL_PROXY_URL=self._origin.url,
            CRAWL_ALLOWED_PRIVATE_NETWORKS=[ip_network("127.0.0.0/8")],
            CRAWL_MIN_DELAY_SECONDS=TURN.total_seconds(),
        )
        self._settings.enable()
        self._least_room = settings.MIN_FREE_DISK_BYTES
        return self

    def __exit__(self, *exception: object) -> None:
        self._settings.disable()
        self._origin.__exit__(*exception)

    def note_request(self, paper: Paper, path: str) -> None:
        """Count a request, and whether it came before the host's delay was over."""
        self.asked["robots.txt" if path == "/robots.txt" else "pages"] += 1
        if path == "/robots.txt":
            return
        # Within a turn real seconds go by, as for the crawler, which waits before a redirect.
        at = self.now + timedelta(seconds=time.monotonic() - self._turn_began)
        last, led = self._last_asked.get(paper.name, (None, False))
        if last is not None and at - last < TURN and not led:
            self.n_too_soon += 1
        # A redirect within a host is followed at once where no Crawl-delay is asked for.
        self._last_asked[paper.name] = at, path in paper.old_feeds

    # ------------------------------------------------------------------------- the life

    def live(self, told: Callable[[Self], object] = lambda _year: None) -> None:
        """Let the whole span go by; `told` hears of each day."""
        for paper in self.papers.values():
            new = NewPublication(
                paper.name.title(),
                f"http://{paper.host}/",
                (NewFeed(f"http://{paper.host}{paper.feed_path}", paper.name),),
                language="en",
            )
            activate(create_publication(new, self.now), self.now)
        for day in range(self.plan.n_days):
            cpu, wall = time.process_time(), time.monotonic()
            until = self.plan.begin + (day + 1) * DAY
            while self.now < until:
                self._step(min(self.now + STEP, until))
            self._cost(day, time.process_time() - cpu, time.monotonic() - wall)
            told(self)

    def settle(self, days: int = 3) -> None:
        """Let some days go by without faults, so that what waits is done."""
        until = self.now + days * DAY
        while self.now < until:
            self._step(min(self.now + STEP, until))

    def _cost(self, day: int, cpu: float, wall: float) -> None:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
        n_own = int(pages[1]) - int(pages[2])  # without files that are mapped: the index grows
        megabytes = n_own * resource.getpagesize() / 2**20
        self.costs.append(DayCost(day + 1, cpu, wall, megabytes, len(self._origin.requests)))
        self._origin.requests.clear()
        if day + 1 in {SPAN_DAYS, self.plan.n_days}:
            self.rows[day + 1] = {
                model._meta.label: model._default_manager.count()
                for model in apps.get_models()
                if model._meta.managed and not model._meta.proxy
            }

    def _step(self, until: datetime) -> None:
        self._to_strike += self._change_faults()
        self._n_steps += 1
        if self._n_steps % WORK_EVERY == 0 and disks.shortage() is None:
            # Looked for before as after the work, which takes up to a step: else two looks would be
            # further apart than a silence may go unheard, and no paper ever were silent.
            self._look()
            self._guarded(lambda: pipeline.sweep(self.now))
            self._work(until)
        self._look()
        self._guarded(lambda: keep_counts(self.now))
        self._edit()
        self.now = max(self.now, until)

    def _work(self, until: datetime) -> None:
        """Fetch what is due, turn after turn, and let each turn's pages go their way."""
        n_idle = 0
        for _ in range(MOST_TURNS):
            if not pipeline.has_due(_FETCH, self.now):
                break
            n_idle = 0 if self._turn(_FETCH) else n_idle + 1
            self.now += TURN
            if n_idle == _IDLE_TURNS or self.now >= until:
                break
        for stage in (*_WAY, *_BESIDE):
            while pipeline.has_due(stage, self.now) and self._turn(stage):
                pass

    def _turn(self, stage: Stage) -> int:
        """Give a stage one turn as a worker's loop does; returns how many rows it claimed."""
        terms = Claim.make(f"soak-{self._chance.random()}", self.now)
        self._turn_began = time.monotonic()
        if self._to_strike:
            self._strike(self._to_strike.pop(), stage, terms)
            return 1
        return self._run(stage, terms)

    def _run(self, stage: Stage, terms: Claim) -> int:
        try:
            return stage.run(terms).n_claimed
        except DATABASE_AWAY as error:
            if not disks.is_machines_fault(error):
                raise
            connection.close()
            disks.give_back(stage.models, terms.owner)
            return 0

    def _strike(self, name: str, stage: Stage, terms: Claim) -> None:
        """Let a worker be killed, or its database go away, at a statement; if not now, later."""
        at = self._chance.randrange(_LATEST_STATEMENT)
        if name == KILLED:
            has_struck = is_killed_at(at, lambda: self._run(stage, terms))
        else:
            cut = _Cutting(at)
            with connection.execute_wrapper(cut):
                self._run(stage, terms)
            has_struck = cut.has_struck
        if has_struck:
            self.happened[name] += 1
        else:
            self._to_strike.append(name)

    def _guarded(self, work: Callable[[], object]) -> None:
        """Work as the scheduler does: a database that is away is asked again later."""
        try:
            work()
        except DATABASE_AWAY as error:
            if not disks.is_machines_fault(error):
                raise
            connection.close()

    def _look(self) -> None:
        """Give a sign and look for alarms."""
        self._beat()
        self._guarded(lambda: keep_if_due("soak", self.now))

    def _beat(self) -> None:
        Worker.objects.update_or_create(
            name="soak", defaults={"kind": "w", "pid": 1, "started_at": self.plan.begin,
                                   "beat_at": self.now},
        )  # fmt: skip

    # ------------------------------------------------------------------------- what goes wrong

    def _change_faults(self) -> list[str]:
        """Begin and end faults; returns what strikes a worker in this step."""
        cuts = []
        while self._to_begin and self._to_begin[0].begin <= self.now:
            fault = self._to_begin.pop(0)
            if fault.paper:
                faults.begin_at(self.papers[fault.paper], fault, len(self._to_begin))
                self._begun.append(fault)
            elif fault.name == FULL:
                settings.MIN_FREE_DISK_BYTES = _MORE_THAN_ANY_DISK
                self._begun.append(fault)
            else:
                cuts.append(fault.name)
        for fault in [one for one in self._begun if one.end <= self.now]:
            self._begun.remove(fault)
            self.happened[fault.name] += 1
            if fault.paper:
                faults.end_at(self.papers[fault.paper], fault)
            else:
                settings.MIN_FREE_DISK_BYTES = self._least_room
        return cuts

    def _edit(self) -> None:
        """Do what an editor does a day after a feed was told to be gone: add the new one."""
        old = self.now - EDITOR_ACTS_AFTER
        rows = Alarm.objects.filter(kind="feed", closed_at=None, opened_at__lte=old)
        for alarm in rows.select_related("publication"):
            if alarm.publication is None:
                continue
            paper = self.papers[alarm.publication.slug]
            self._replace_feed(alarm.publication, paper)
            self.feeds_back.setdefault(paper.name, self.now)

    def _replace_feed(self, publication: Publication, paper: Paper) -> None:
        address = f"http://{paper.host}{paper.feed_path}"
        known = Feed.objects.filter(publication=publication)
        if not known.filter(page__url=address).exists():
            add_feeds(publication, (NewFeed(address, paper.name),), self.now)
            known.exclude(page__url=address).update(is_active=False)

    # ------------------------------------------------------------------------- what should be

    def is_fetchable(self, paper: Paper, at: datetime) -> tuple[bool, bool]:
        """Whether a paper's feed and its articles could be read at a moment."""
        feed = articles = True
        for fault in self.faults:
            if fault.name == FULL and fault.is_on(at):
                return False, False
            if fault.paper != paper.name:
                continue
            if fault.kind is not None and fault.begin <= at < self._well_from(fault, paper):
                feed &= not (fault.kind.keeps_from_feed and fault.is_on(at))
                articles = False
            elif fault.name == GONE and at >= fault.begin:
                back = self.feeds_back.get(paper.name)
                feed &= back is not None and back <= at
        return feed, articles

    def _well_from(self, fault: Fault, paper: Paper) -> datetime:
        if fault.kind is None or not fault.kind.is_read:
            return fault.end
        later = [story.moment for story in paper.stories if story.moment >= fault.end]
        return later[WELL_RUN - 1] if len(later) >= WELL_RUN else self.now

    def hours_given(self, paper: Paper, place: int) -> Iterator[datetime]:
        """List the hours at which a story stood in a feed that could be read."""
        at = paper.stories[place].moment + HOUR / 2
        until = min(paper.listed_until(place) or self.now, at + 15 * DAY, self.now)
        while at < until:
            if all(self.is_fetchable(paper, at)):
                yield at
            at += HOUR


class _Cutting:
    """Ends the database's connection at one statement, as a restart of its server does."""

    def __init__(self, n_statements: int) -> None:
        self._n_left = n_statements
        self.has_struck = False

    def __call__(
        self, execute: Callable[..., object], sql: str, params: object, many: bool,
        context: dict[str, object],
    ) -> object:  # fmt: skip
        self._n_left -= 1
        if self._n_left < 0 and not self.has_struck:
            self.has_struck = True
            if connection.vendor == "postgresql":
                _end_session(connection.connection.info.backend_pid)
            else:
                raise OperationalError("the server closed the connection")
        return execute(sql, params, many, context)


def _end_session(pid: int) -> None:
    """Let the server end a session, as it does with all when it is restarted."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    finally:
        other.close()


def of_span(costs: Sequence[DayCost], last: int, of: Callable[[DayCost], float]) -> float:
    """Give the median of a cost over ten days up to one."""
    return median(of(cost) for cost in costs[max(last - SPAN_DAYS, 0) : last])


@contextmanager
def lived(plan: Plan, told: Callable[[Year], object] = lambda _year: None) -> Iterator[Year]:
    """Give a year that was lived to its end and has settled."""
    with Year(plan) as year:
        year.live(told)
        year.settle()
        yield year
