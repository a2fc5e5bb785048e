"""When an open thread of readers' comments is looked at again, when kept, and when no more.

Pure functions of ages; nothing here reads a clock. A thread is looked at daily for ten days, then
after another tenth of its age, until it closes. One that does not close is kept at an age, looked
at again each time its age has doubled, and no more after a year: some twenty looks in its life.

All threads of a comment system share one host, and so its delay. Looks that need not be, on
threads looked at before, get a share of its day; where that day is full they go to a later one, or
fall out. First looks and those that keep a thread are two a thread, and always on time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

# Daily for ten days, monthly after ten months.
AGE_SHARE = 0.1
MAX_WAIT = timedelta(days=30)
LAST_LOOK_AGE = timedelta(days=365)
# A thread that the comment system does not know: nobody has commented, perhaps nobody will.
GIVE_UP_AFTER = timedelta(days=60)
# Of a host's day for looks that need not be: half of a comment system's, and of a paper's own host
# an eighth, since its articles come first.
SHARE_OF_SYSTEM = 0.5
SHARE_OF_PAPER = 0.125
_DAY = timedelta(days=1)
Room = Callable[[datetime], datetime | None]
# Days tried behind the one that is wished for: the next, then 2, 4 … 64 days later.
_DETOURS = tuple(timedelta(days=days) for days in (0, 1, 2, 4, 8, 16, 32, 64))


@dataclass(frozen=True, slots=True)
class LookRules:
    """Least time between two looks, and the age at which a thread is kept although it is open.

    An open thread is looked at after another `age_share` of its age.
    """

    check: timedelta
    keep_after: timedelta
    age_share: float = AGE_SHARE


def wait_while_open(age: timedelta, rules: LookRules) -> timedelta:
    """Time until the next look at an open thread that is not kept yet.

    Examples
    --------
    >>> rules = LookRules(check=timedelta(days=1), keep_after=timedelta(days=14))
    >>> [wait_while_open(timedelta(days=days), rules).days for days in (1, 12, 13)]
    [1, 1, 1]
    """
    wait = max(rules.check, min(age * rules.age_share, MAX_WAIT))
    to_keep = rules.keep_after - age
    return min(wait, to_keep) if to_keep > timedelta(0) else wait


def wait_once_kept(age: timedelta, rules: LookRules) -> timedelta | None:
    """Time until a kept thread's age has doubled; None where there is no further look.

    Examples
    --------
    >>> rules = LookRules(check=timedelta(days=1), keep_after=timedelta(days=14))
    >>> wait_once_kept(timedelta(days=28), rules).days
    28
    >>> wait_once_kept(timedelta(days=400), rules) is None
    True
    """
    return max(age, rules.check) if age < LAST_LOOK_AGE else None


def next_while_open(
    now: datetime, began_at: datetime, rules: LookRules, room: Room, closing_at: datetime | None
) -> datetime:
    """Moment of the next look at an open thread that is not kept yet.

    Parameters
    ----------
    now, began_at
        When it was looked at, and when the thread began.
    rules
        Of its publication.
    room
        Gives the first moment from a wished one on that has room; None where there is none.
    closing_at
        When threads of its publication usually close.

    Returns
    -------
    datetime
        At the latest when it is kept, which no full day puts off.
    """
    keep_at = began_at + rules.keep_after
    wished = now + wait_while_open(now - began_at, rules)
    if closing_at is not None and closing_at > wished:
        wished = closing_at
    if wished >= keep_at:
        return keep_at
    at = room(wished)
    return keep_at if at is None else min(at, keep_at)


def next_once_kept(
    now: datetime, began_at: datetime, rules: LookRules, room: Room
) -> datetime | None:
    """Moment of the next look at a thread that was kept; None where there is none any more."""
    wait = wait_once_kept(now - began_at, rules)
    return None if wait is None else room(now + wait)


def looks_a_day(delay_seconds: float, share: float) -> int:
    """How many looks that need not be fit into a share of a host's day; 0 means any number."""
    if delay_seconds <= 0:
        return 0
    return max(int(_DAY.total_seconds() * share / delay_seconds), 1)


def day_of(moment: datetime) -> datetime:
    """Begin of the day whose looks are counted together."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def with_room(
    wished: datetime, n_planned: Callable[[datetime], int], capacity: int
) -> datetime | None:
    """Find the first moment from the wished one on whose day has room for one more look.

    Parameters
    ----------
    wished
        When the look would be best.
    n_planned
        How many looks at the host are planned for the day that begins at a moment.
    capacity
        How many there may be; 0 means any number.

    Returns
    -------
    datetime or None
        None where all of the next days that are tried are full.
    """
    if not capacity:
        return wished
    for detour in _DETOURS:
        if n_planned(day_of(wished + detour)) < capacity:
            return wished + detour
    return None
