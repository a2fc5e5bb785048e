"""When threads of readers' comments are visited, and what becomes of each answer.

An article's thread becomes a page of the frontier below the article's page. An open one is put off
until it closes, first looked at when threads of its publication usually do, which is learnt from
those that were seen open and then closed. One that stays open is kept at an age, as is at once what
a system keeps that does not tell whether it is closed; later answers bring it up to date. The rest
of a long thread is asked for page by page. How often: `feeds.crawler.timing.thread_looks`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.comment_systems import systems
from feeds.crawler.comment_systems.disqus import DISQUS
from feeds.crawler.comment_systems.threads import Thread
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import Headers
from feeds.crawler.timing.thread_looks import (
    GIVE_UP_AFTER,
    LAST_LOOK_AGE,
    next_once_kept,
    next_while_open,
    wait_while_open,
)
from feeds.frontier import add_pages, ensure_hosts
from feeds.models import Host, Page, PageKind, Publication
from feeds.threads.look_times import (
    check_interval,
    room_for,
    rules_of,
    tells_state,
    thread_began,
)
from feeds.threads.registering import new_page
from presentation.wording.figures import counted
from presentation.wording.times import span

# Weight of the newest thread in the learnt open time; one odd thread must not decide.
OPEN_DAYS_WEIGHT = 0.25
# Of one thread: 20,000 posts; a server that names ever further pages ends here.
MAX_PAGES = 200
_MAX_REASON = 200  # what the column holds
_DAY = timedelta(days=1)
# What an interface that a page names says where it does not answer strangers.
_REFUSALS = frozenset(
    {Outcome.FORBIDDEN, Outcome.NOT_FOUND, Outcome.GONE, Outcome.CLIENT_ERROR}
    | {Outcome.ROBOTS_FORBID, Outcome.UNEXPECTED_TYPE}
)


@dataclass(frozen=True, slots=True)
class CommentVisit:
    """What follows from a visit: whether the answer goes on to extraction, and the next look.

    ``due_at`` None means that the page is done.
    """

    is_kept: bool
    due_at: datetime | None
    due_reason: str


# --- Answers --------------------------------------------------------------------------------------


def record(page: Page, body: bytes, now: datetime, headers: Headers = ()) -> CommentVisit:
    """Decide about an answer of the comment system.

    Call it in the transaction that closes the page's lease, with the row as it was claimed: an
    answer before this one means that the thread was seen open.
    """
    answer = systems.read_answer(page.url, body, headers)
    if answer.problem:
        return _without_thread(page, answer.problem, now)
    if answer.moved_to:
        return _follow(page, answer.moved_to, now)
    if answer.is_further:
        _ask_further(page, answer, now)
        return CommentVisit(is_kept=True, due_at=None, due_reason="further comments of the thread")
    began_at = answer.created_at or thread_began(page)
    if not answer.is_closed and now - began_at < rules_of(page).keep_after:
        return _put_off(page, began_at, answer, now)
    if answer.is_closed and page.outcome and Outcome(page.outcome).is_answer:
        _learn_open_time(page, answer, now)
    missing = ""
    if answer.has_more and not _ask_further(page, answer, now):
        missing = f", of which {len(answer.posts)} are kept: no key for the rest is set"
    if answer.is_closed:
        reason = f"the thread has closed with {_n_posts(answer)}{missing}"
        return CommentVisit(is_kept=True, due_at=None, due_reason=reason)
    return _keep_open(page, began_at, f"{_n_posts(answer)}{missing}", now)


def unchanged(page: Page, now: datetime) -> CommentVisit:
    """Put off a thread whose answer is the same as before, so still open."""
    if page.content_digest:
        return _keep_open(page, thread_began(page), "the same comments", now)
    wait = wait_while_open(now - thread_began(page), rules_of(page))
    reason = f"the thread is still open; looked at every {span(wait.total_seconds())}"
    return CommentVisit(is_kept=False, due_at=now + wait, due_reason=reason)


def refused(page: Page, outcome: Outcome, error: str) -> CommentVisit | None:
    """End the looks at an interface that a page names and that does not answer strangers.

    None where the failure is one of the page, to be tried again and put aside as any other.
    """
    if not is_refusal(page, outcome):
        return None
    reason = f"the site does not give its comments by this interface: {error}"
    return CommentVisit(is_kept=False, due_at=None, due_reason=reason)


def is_refusal(page: Page, outcome: Outcome) -> bool:
    """Whether it is no fault of host or page that an interface does not answer."""
    if page.kind != PageKind.COMMENTS or outcome not in _REFUSALS:
        return False
    system = systems.system_of(page.url)
    return system is not None and system.may_be_off


def _keep_open(page: Page, began_at: datetime, words: str, now: datetime) -> CommentVisit:
    """Keep what a thread says that is open, and look again when its age has doubled."""
    due_at = next_once_kept(now, began_at, rules_of(page), partial(room_for, page))
    kept = "kept while open" if tells_state(page) else "kept"
    ahead = "looked at again at twice its age"
    if due_at is None and now - began_at < LAST_LOOK_AGE:
        ahead = "its host has no time for more looks"
    elif due_at is None:
        ahead = "too old for another look"
    return CommentVisit(is_kept=True, due_at=due_at, due_reason=f"{kept} with {words}; {ahead}")


def _put_off(page: Page, began_at: datetime, answer: Thread, now: datetime) -> CommentVisit:
    usual_days = page.publication.comments_open_days
    closing_at = None if usual_days is None else began_at + timedelta(days=usual_days)
    room = partial(room_for, page)
    due_at = next_while_open(now, began_at, rules_of(page), room, closing_at)
    reason = f"the thread is open with {counted(answer.n_posts or 0, 'comment')}"
    if closing_at is not None and closing_at >= due_at:
        reason += f"; threads here usually close after {usual_days:.1f} days"
    return CommentVisit(is_kept=False, due_at=due_at, due_reason=reason)


def _without_thread(page: Page, problem: str, now: datetime) -> CommentVisit:
    """Look again at what gave no thread, when its age has doubled; it may be opened yet."""
    age = now - page.found_at
    due_at = None
    if age <= GIVE_UP_AFTER:
        due_at = room_for(page, now + max(check_interval(), age))
    if due_at is None:
        problem = f"given up after {age.days} days: {problem}"
    return CommentVisit(is_kept=False, due_at=due_at, due_reason=problem[:_MAX_REASON])


def _follow(page: Page, url: str, now: datetime) -> CommentVisit:
    """Go on at the address where the thread is."""
    _ask(page, url, now, "the comments themselves")
    return CommentVisit(is_kept=False, due_at=None, due_reason="the page led to the thread")


def _ask_further(page: Page, answer: Thread, now: datetime) -> bool:
    """Put the next page of posts into the frontier; False when it cannot be asked for."""
    url = systems.further_url(page.url, answer, settings.CRAWL_DISQUS_API_KEY)
    return bool(url) and _ask(page, url, now, "further comments of a thread")


def _ask(page: Page, url: str, now: datetime, reason: str) -> bool:
    """Make another page of a thread due; one known from an earlier round is asked anew.

    A thread whose pages lead round in a circle, or ever on, ends.
    """
    try:
        address = canonicalize(url)
    except BadUrl:
        return False
    pages = Page.objects.filter(kind=PageKind.COMMENTS, parent_id=page.parent_id)
    known = pages.filter(key=address.key).first()
    if known is None:
        if page.parent_id is None or pages.count() >= MAX_PAGES:
            return False
        host = Host.objects.get(pk=ensure_hosts([address.host], now)[address.host])
        further = Page(
            url=address.url,
            key=address.key,
            host=host,
            publication_id=page.publication_id,
            found_at=now,
            feed_published_at=page.feed_published_at,
        )
        add_pages([new_page(page.parent_id, further, now, reason)], now)
        return True
    first = pages.order_by("pk").first()
    began_at = now if first is None or first.pk == page.pk else first.visited_at
    if known.pk != page.pk and (
        not known.visited_at or not began_at or known.visited_at < began_at
    ):
        Page.objects.filter(pk=known.pk, quarantined_at=None).reschedule(now, due_reason=reason)
    return True


# --- What was cut, and what is asked for ----------------------------------------------------------


def is_cut(url: str, answer: Thread) -> bool:
    """Whether an answer has posts behind it that cannot be asked for."""
    return answer.has_more and not systems.further_url(url, answer, settings.CRAWL_DISQUS_API_KEY)


def can_complete() -> bool:
    """Whether a key is set by which threads that were cut can be read to their end."""
    return bool(settings.CRAWL_DISQUS_API_KEY)


def complete(page_ids: Collection[int], now: datetime) -> int:
    """Ask for what is missing of threads that were cut for want of a key; returns how many."""
    n_asked = 0
    for page in Page.objects.filter(pk__in=page_ids, kind=PageKind.COMMENTS):
        system = systems.system_of(page.url)
        if system is not None and system.key == DISQUS:
            n_asked += _ask_further(page, Thread(has_more=True), now)
    return n_asked


def look_now(page_ids: Collection[int], now: datetime) -> int:
    """Make threads due now, those put aside too; returns how many.

    That many visits go on over restarts, at the comment system's pace.
    """
    threads = Page.objects.filter(pk__in=page_ids, kind=PageKind.COMMENTS)
    return threads.reschedule(
        now, due_reason="asked for with its month", quarantined_at=None, attempts=0
    )


# --- What is learnt -------------------------------------------------------------------------------


def _n_posts(answer: Thread) -> str:
    return counted(answer.n_posts if answer.n_posts is not None else len(answer.posts), "comment")


def _learn_open_time(page: Page, answer: Thread, now: datetime) -> None:
    """Measure how long this thread was open: until the middle between the last two looks."""
    if answer.created_at is None:
        return
    last_look = page.visited_at or now
    closed_at = last_look + (now - last_look) / 2
    days = max((closed_at - answer.created_at) / _DAY, 0.0)
    before = page.publication.comments_open_days
    if before is not None:
        days = before + OPEN_DAYS_WEIGHT * (days - before)
    Publication.objects.filter(pk=page.publication_id).update(comments_open_days=days)
