"""Pages that were put aside while their host was in trouble come back when it answers again.

A host that refuses, fails or cannot be reached uses up the attempts of every page that falls due
meanwhile; that is no fault of theirs. When it answers again they are due once more, each for one
attempt, with room between them for what is new. Where nothing else is due at such a host, a sweep
lets one of its pages try, as often as the host's pauses let it: four times a day in the end. Of the
others each waits at least as long after its last visit as it was known then, so one that is refused
for itself, at a host whose troubles come and go, is tried a dozen times in a month. Pages that
robots.txt forbade come back when another robots.txt permits them. A page that fails for itself,
while its host answers others, is not put aside in its first month: it waits as long each time as
it was known. One that is refused for itself is, unless its host has refused all meanwhile.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.fetching.robots_book import FetchedRobots
from feeds.crawler.outcomes import HOST_REFUSALS, HOST_TROUBLES, Outcome
from feeds.models import IN_TROUBLE, BlockChoice, Host, Page, PageKind, PublicationState

# Refusals in a row after which a host counts as blocking us; a bot guard's page is plain at once.
BLOCK_AFTER = 3
# What was new this long ago is read by few, and gone from many sites.
RECOVERED_AGE = timedelta(days=30)
# The newest come back; a host that refused more than this in a month refuses for good.
MOST_RECOVERED = 2_000
# Every other request of the host is left to what is new.
ROOM = 2
# So long robots.txt is taken to stand, as for all hosts.
FORBIDDEN_LOOK = timedelta(days=1)
_MAX_REASON = 200  # what the column holds
_HOSTS_TRIED = 50  # in one sweep


def is_ill(host: Host) -> bool:
    """Whether a host is in trouble as a whole: one page that fails among others is none."""
    return host.blocked_since is not None or host.failures >= BLOCK_AFTER


def next_try(page: Page, host: Host, outcome: Outcome, now: datetime) -> datetime | None:
    """Give when a page is asked for again that fails for itself; None: it is put aside.

    For a page of an article that has never come: what breaks one page at a host that answers may
    last for hours, and nobody would ask for it again. One that is refused has to take no for an
    answer, but not where articles are refused and feeds are not: there its host answers as well.
    """
    is_young = now - page.found_at < RECOVERED_AGE
    is_ours = page.kind == PageKind.ARTICLE and outcome in HOST_TROUBLES
    if not (is_young and is_ours) or is_ill(host):
        return None
    is_its_own = outcome in HOST_REFUSALS and not _refused_all(host, page.found_at)
    return None if is_its_own else _patient_until(page)


def _refused_all(host: Host, since: datetime) -> bool:
    """Whether a host that answers by now has refused whatever was asked for."""
    return host.decisions.filter(at__gte=since, choice=BlockChoice.GO_ON).exists()


def bring_back(hosts: Iterable[Host], now: datetime) -> int:
    """Make pages due that were put aside in the troubles of hosts that answer; returns how many.

    Not those of the last trouble alone: between two of them, as where articles are refused and a
    feed is not, a page fails for itself at a host that answers.
    """
    n_back = 0
    for host in hosts:
        pause = timedelta(seconds=(host.delay_seconds or 0.0) * ROOM)
        pages = _put_aside(host, now).order_by("-quarantined_at", "-pk")
        for place, page in enumerate(pages[:MOST_RECOVERED]):
            at = max(now + pause * place, _patient_until(page))
            n_back += _try_once(page, at, "its host answers again")
    return n_back


def changed_robots(host: Host, robots: FetchedRobots | None) -> RobotsPolicy | None:
    """Give a host's new robots.txt where it is not as it was known; ask before it is kept."""
    if robots is None or not robots.is_fresh or host.robots_fetched_at is None:
        return None
    return robots.policy if robots.policy.text != host.robots_body else None


def bring_back_permitted(host: Host, robots: RobotsPolicy | None, now: datetime) -> int:
    """Make pages due that robots.txt forbade and a changed one permits; returns how many.

    The newest `MOST_RECOVERED` of those that are young enough to be worth it.
    """
    if robots is None:
        return 0
    pause = timedelta(seconds=(host.delay_seconds or 0.0) * ROOM)
    newest = _forbidden(host, now).order_by("-quarantined_at", "-pk")[:MOST_RECOVERED]
    permitted = [page for page in newest if robots.allows(page.url).allowed]
    return sum(
        _try_once(page, now + pause * place, "robots.txt permits it now")
        for place, page in enumerate(permitted)
    )


def try_hosts(now: datetime) -> int:
    """Let a page try where a host is in trouble and nothing is due there; returns how many.

    Where robots.txt forbids all that is known, a page a day looks whether it still does.
    """
    waiting = Page.objects.waiting().filter(host=OuterRef("pk"))
    hosts = Host.objects.filter(
        IN_TROUBLE,
        Q(lease_until=None) | Q(lease_until__lte=now),
        Q(troubled_since__isnull=False)
        | Q(forbidden_since__isnull=False, robots_fetched_at__lte=now - FORBIDDEN_LOOK),
        next_at__lte=now,
    ).exclude(Exists(waiting))
    n_tried = 0
    for host in hosts.order_by("next_at")[:_HOSTS_TRIED]:
        since = host.troubled_since
        if since is None:
            aside = _forbidden(host, now)
        else:
            aside = _put_aside(host, now).filter(quarantined_at__gte=since)
        page = aside.order_by("-found_at", "-pk").first()
        words = "its host answers again" if since else "robots.txt permits it now"
        if page is not None:
            n_tried += _try_once(page, now, f"to see whether {words}")
    return n_tried


def _put_aside(host: Host, now: datetime) -> QuerySet[Page]:
    return _aside(host, now).filter(outcome__in=HOST_TROUBLES)


def _forbidden(host: Host, now: datetime) -> QuerySet[Page]:
    return _aside(host, now).filter(outcome=Outcome.ROBOTS_FORBID)


def _aside(host: Host, now: datetime) -> QuerySet[Page]:
    return Page.objects.quarantined().filter(
        host=host,
        found_at__gte=now - RECOVERED_AGE,
        publication__state=PublicationState.ACTIVE,
    )


def _patient_until(page: Page) -> datetime:
    last = page.visited_at or page.found_at
    return last + (last - page.found_at)


def _try_once(page: Page, at: datetime, words: str) -> int:
    reason = f"{words}: {page.last_error}" if page.last_error else words
    changes: Mapping[str, object] = {
        "due_reason": reason[:_MAX_REASON],
        "quarantined_at": None,
        "attempts": max(settings.MAX_ATTEMPTS - 1, 0),
    }
    rows = Page.objects.quarantined().filter(pk=page.pk)
    return rows.reschedule(at, **changes)
