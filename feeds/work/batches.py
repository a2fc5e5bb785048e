"""A batch of a stage: what came of it, and how an item that breaks is kept from the others.

What the machine spoils, a lost disk or database, is no item's fault: it travels, and the rows go
back or their leases run out. Anything else that breaks stays on the row of its item.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import InterfaceError, OperationalError

from feeds.models import Work, WorkQuerySet
from feeds.work import leases
from feeds.work.leases import Claim, LeaseLostError

logger = logging.getLogger(__name__)

DISASTERS = (OSError, OperationalError, InterfaceError)

W = TypeVar("W", bound=Work)
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Report:
    """What a turn of a stage came to.

    `done` counts under the stage's own words; `next_ids` go on, named by what they are the keys of:
    pages, articles, comments.
    """

    n_claimed: int = 0
    done: Counter[str] = field(default_factory=Counter)
    quarantined: int = 0
    next_ids: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __add__(self, other: "Report") -> "Report":
        """Add up counts and join ids, each of them once."""
        named: dict[str, dict[int, None]] = {}
        for ids in (self.next_ids, other.next_ids):
            for name, keys in ids.items():
                named.setdefault(name, {}).update(dict.fromkeys(keys))
        return Report(
            self.n_claimed + other.n_claimed,
            self.done + other.done,
            self.quarantined + other.quarantined,
            {name: tuple(keys) for name, keys in named.items()},
        )


@dataclass(slots=True)
class Failures:
    """Rows of a batch that broke: each goes back with its error, the last time into quarantine."""

    terms: Claim
    n_quarantined: int = 0

    def add(self, row: Work, error: Exception) -> None:
        logger.error("%s %s failed", type(row).__name__, row.pk, exc_info=error)
        self.n_quarantined += leases.fail(row, self.terms.owner, repr(error), self.terms.now)


def whole_or_each(
    batch: Sequence[T],
    write: Callable[[Sequence[T]], R],
    put_aside: Callable[[T, Exception], object],
) -> list[R]:
    """Write a batch at once, which is cheaper; if one item breaks that, each by itself."""
    try:
        return [write(batch)]
    except DISASTERS:
        raise
    except Exception:
        logger.exception("%d items broke together; taking them one by one", len(batch))
    return each(batch, lambda item: write([item]), put_aside)


def each(
    items: Iterable[T], work: Callable[[T], R], put_aside: Callable[[T, Exception], object]
) -> list[R]:
    """Work on items one by one; one that breaks is put aside with its error, the others go on."""
    done = []
    for item in items:
        try:
            done.append(work(item))
        except DISASTERS:
            raise
        except Exception as error:  # noqa: BLE001 (whoever puts the item aside tells of its error)
            put_aside(item, error)
    return done


def run_each(
    rows: WorkQuerySet[W], limit: int, terms: Claim, work: Callable[[W, Claim], Report]
) -> Report:
    """Claim up to `limit` rows and work on each; `work` closes the row and reports what it did."""
    claimed = leases.claim(rows, limit, terms)
    if not claimed:
        return Report()
    failures = Failures(terms)

    def unless_lost(row: W) -> Report:
        try:
            return work(row, terms)
        except LeaseLostError:
            logger.info("%s %s is somebody else's by now", type(row).__name__, row.pk)
            return Report()

    reports = each(rows.filter(pk__in=claimed), unless_lost, failures.add)
    return sum(reports, Report(len(claimed), quarantined=failures.n_quarantined))
