"""What editors say of families of addresses that a crawl leaves: taken after all, or stopped.

Their words stand in a column of their own, which slices read under the crawl's lock and never
write: so a word that comes while a slice works is obeyed by the next one.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.traps import STOPPED_BY_HAND, family_of
from feeds.crawls.site_crawls import CrawlProblem
from feeds.crawls.trapped import STOP, TAKE
from feeds.models import Crawl, CrawlKind, CrawlState

FOLLOWING_KINDS = (CrawlKind.SITE, CrawlKind.SITEMAP)  # the others have no addresses to leave
MOST_CHOICES = 200  # a pattern of what is left out does for more
_TO_BE_TAKEN = "They are taken after all; pages that named them are read again."


@dataclass(frozen=True, slots=True)
class LeftFamily:
    """A family of addresses with why it is left, and what an editor said of it, if anything."""

    name: str
    sentence: str
    choice: str

    @property
    def is_taken(self) -> bool:
        return self.choice == TAKE


def left_families(crawl: Crawl) -> list[LeftFamily]:
    """Give the families that a crawl has stopped, and those of which editors said something."""
    rows = Crawl.objects.filter(pk=crawl.pk).values_list("traps__stopped", flat=True)
    stopped: dict[str, str] = rows.first() or {}
    said = {n: STOPPED_BY_HAND if c == STOP else _TO_BE_TAKEN for n, c in _choices(crawl).items()}
    taken = {name: told for name, told in said.items() if _choices(crawl)[name] == TAKE}
    told = said | stopped | taken
    # By name: PostgreSQL keeps no order of what stands in an object.
    return [LeftFamily(name, told[name], _choices(crawl).get(name, "")) for name in sorted(told)]


def _choices(crawl: Crawl) -> dict[str, str]:
    choices: dict[str, str] = crawl.trap_choices
    return choices


def take_family(crawl: Crawl, family: str, now: datetime) -> None:
    """Take the addresses of a family after all; a crawl that has ended goes on for them.

    Raises
    ------
    CrawlProblem
        When it has not left them, or cannot go on.
    """
    if family not in {one.name for one in left_families(crawl) if not one.is_taken}:
        raise CrawlProblem("This crawl does not leave such addresses.")
    _choose(crawl, family, TAKE, now)


def stop_family(crawl: Crawl, url: str, now: datetime) -> str:
    """Leave all addresses of the family of this one from now on; returns the family.

    Raises
    ------
    CrawlProblem
        When it is no address, or the crawl was stopped.
    """
    try:
        family = family_of(canonicalize(url.strip()).url)
    except BadUrl as problem:
        raise CrawlProblem(str(problem)) from problem
    _choose(crawl, family, STOP, now)
    return family


def leave_family(crawl: Crawl, family: str, now: datetime) -> None:
    """Say that a family was stopped rightly, or stop one again that was taken after all.

    Raises
    ------
    CrawlProblem
        When the crawl has never left it.
    """
    if family not in {one.name for one in left_families(crawl)}:
        raise CrawlProblem("This crawl does not leave such addresses.")
    _choose(crawl, family, STOP, now)


def _choose(crawl: Crawl, family: str, choice: str, now: datetime) -> None:
    if crawl.kind not in FOLLOWING_KINDS:
        raise CrawlProblem("Only a crawl of a site or of its sitemaps leaves addresses.")
    with transaction.atomic():
        rows = Crawl.objects.filter(pk=crawl.pk)
        row = rows.select_for_update().defer("traps").get()
        choices = _choices(row) | {family: choice}
        if len(choices) > MOST_CHOICES:
            raise CrawlProblem("That is too much to say one by one: give a pattern instead.")
        if row.state == CrawlState.RUNNING:
            rows.reschedule(now, trap_choices=choices)
        elif row.state == CrawlState.DONE and choice == TAKE:
            _refuse_late(row, now)
            again = {"state": CrawlState.RUNNING, "ended_at": None, "end_reason": ""}
            rows.reschedule(now, trap_choices=choices, **again)
        elif row.state in (CrawlState.PAUSED, CrawlState.DONE):
            rows.update(trap_choices=choices)
        else:
            raise CrawlProblem("This crawl was stopped; begin another one.")


def _refuse_late(crawl: Crawl, now: datetime) -> None:
    hours = crawl.max_hours
    if hours is not None and now >= crawl.created_at + timedelta(hours=hours):
        raise CrawlProblem("The time of this crawl is over; begin another one.")
