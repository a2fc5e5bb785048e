"""Times of looks at threads of readers' comments: what settings, publication and host make of them.

The rules themselves are pure: `feeds.crawler.timing.thread_looks`.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from feeds.crawler.comment_systems import systems
from feeds.crawler.timing.thread_looks import (
    AGE_SHARE,
    SHARE_OF_PAPER,
    SHARE_OF_SYSTEM,
    LookRules,
    looks_a_day,
    with_room,
)
from feeds.models import Page, PageKind, Publication
from feeds.parameters.values import value
from presentation.wording.times import span

_DAY = timedelta(days=1)
# An old article's thread goes so far back where no nearer day has room: a crawl may find thousands.
_LATEST_FIRST_LOOK = timedelta(days=128)


def first_look(page: Page, now: datetime, planned: Sequence[datetime] = ()) -> tuple[datetime, str]:
    """Say when a new thread is looked at first, and why then.

    `planned` are looks at its host that are not stored yet.
    """
    check, age = check_interval(), now - thread_began(page)
    usual_days = page.publication.comments_open_days
    rules = rules_of(page)
    if usual_days is not None and rules.keep_after:
        closing_at = thread_began(page) + min(timedelta(days=usual_days), rules.keep_after)
        if closing_at > now + check:
            return closing_at, f"threads here usually close after {usual_days:.1f} days"
    if age > max(rules.keep_after, _DAY) + check:
        # Nobody waits for these: an interval later the run that found the article is at rest.
        at = room_for(page, now + check, planned) or now + _LATEST_FIRST_LOOK
        return at, f"first look at the comments of an article of {age.days} days"
    return (
        now + check,
        f"first look at the comments, {span(check.total_seconds())} after the article",
    )


def first_look_words(publication: Publication) -> str:
    """Say when the threads of a publication's articles are looked at first."""
    usual_days = publication.comments_open_days
    limit = keep_days(publication)
    if usual_days is not None and timedelta(days=min(usual_days, limit)) > check_interval():
        return f"first look {span(min(usual_days, limit) * _DAY.total_seconds())} after publication"
    return f"first look {span(check_interval().total_seconds())} after publication"


def check_interval() -> timedelta:
    """Least time between two looks at a thread."""
    return timedelta(seconds=value("CRAWL_COMMENTS_CHECK_SECONDS"))


def keep_days(publication: Publication) -> int:
    """Days after which an open thread of a publication is kept."""
    own = publication.comments_keep_days
    return int(value("CRAWL_COMMENTS_KEEP_DAYS")) if own is None else own


def tells_state(page: Page) -> bool:
    """Whether the thread's system tells that a thread is closed."""
    system = systems.system_of(page.url)
    return system is not None and system.tells_state


def rules_of(page: Page) -> LookRules:
    """Rules of a thread; one that never says that it is closed is not waited for."""
    days = keep_days(page.publication) if tells_state(page) else 0
    # Where pages grow old faster, a thread of some hours is no old one.
    share = AGE_SHARE / settings.CRAWL_VISIT_HURRY
    return LookRules(check_interval(), timedelta(days=days), share)


def thread_began(page: Page) -> datetime:
    """Give the article's date, or when the thread was found."""
    return page.feed_published_at or page.found_at


def room_for(page: Page, wished: datetime, also: Sequence[datetime] = ()) -> datetime | None:
    """Find a day on which the host has time for a look that need not be.

    `also` are planned besides those that are stored.
    """
    host = page.host
    system = systems.system_of(page.url)
    is_papers = system is not None and system.holds_page_comments
    delay = max(value("CRAWL_MIN_DELAY_SECONDS"), host.crawl_delay_seconds or 0)
    capacity = looks_a_day(delay, SHARE_OF_PAPER if is_papers else SHARE_OF_SYSTEM)

    def n_planned(day: datetime) -> int:
        stored = Page.objects.filter(
            host_id=host.pk, kind=PageKind.COMMENTS, due_at__gte=day, due_at__lt=day + _DAY
        )
        n_others = sum(day <= moment < day + _DAY for moment in also)
        return n_others + stored.order_by()[:capacity].count()

    return with_room(wished, n_planned, capacity)
