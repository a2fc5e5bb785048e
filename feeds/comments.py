"""When threads of readers' comments are visited: once they have closed.

An article's thread becomes a page of the frontier below the article's page. It is looked at daily,
or first when threads of its publication usually close, which is learnt from those that
were seen open and then closed. An open thread is put off; a closed one is kept and done,
and the rest of a long one is asked for page by page.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models.functions import Coalesce

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.comment_systems import (
    ThreadReference,
    embed_url,
    next_page_url,
    posts_url,
    thread_of_embed_url,
)
from feeds.crawler.documents.disqus_answers import DisqusThread, parse_disqus
from feeds.crawler.outcomes import Outcome
from feeds.frontier import NewPage, add_pages
from feeds.models import Page, PageKind, Publication
from presentation.wording.figures import counted
from presentation.wording.times import span

# Most threads close within weeks; one that does not is looked at after another tenth of its age,
# so daily for ten days and monthly after ten months.
AGE_SHARE = 0.1
MAX_WAIT = timedelta(days=30)
# A thread that the comment system does not know: nobody has commented, perhaps nobody will.
GIVE_UP_AFTER = timedelta(days=60)
# Weight of the newest thread in the learnt open time; one odd thread must not decide.
OPEN_DAYS_WEIGHT = 0.25
_MAX_REASON = 200  # what the column holds
_DAY_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class CommentVisit:
    """What follows from a visit: whether the answer goes on to extraction, and the next look.

    ``due_at`` None means that the page is done.
    """

    is_kept: bool
    due_at: datetime | None
    due_reason: str


def register(article: Page, thread: ThreadReference, now: datetime) -> int | None:
    """Put an article's thread into the frontier and return its page.

    None for a bad address, and for one that was erased.

    Repeating it changes nothing.
    """
    try:
        address = canonicalize(embed_url(thread))
    except BadUrl:
        return None
    due_at, reason = _first_look(article, now)
    page = NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=PageKind.COMMENTS,
        publication_id=article.publication_id,
        parent_id=article.pk,
        due_at=due_at,
        due_reason=reason,
    )
    return add_pages([page], now).ids.get(address.key)


def record(page: Page, body: bytes, now: datetime) -> CommentVisit:
    """Decide about an answer of the comment system.

    Call it in the transaction that closes the page's lease, with the row as it was claimed: an
    answer before this one means that the thread was seen open.
    """
    answer = parse_disqus(body)
    if answer.problem:
        return _without_thread(page, answer.problem, now)
    if answer.is_closed is None:  # a further page of posts
        _register_rest(page, answer, now)
        return CommentVisit(is_kept=True, due_at=None, due_reason="further comments of the thread")
    if not answer.is_closed:
        return _put_off(page, answer, now)
    if page.outcome and Outcome(page.outcome).is_answer:
        _learn_open_time(page, answer, now)
    n_posts = answer.n_posts if answer.n_posts is not None else len(answer.posts)
    reason = f"the thread has closed with {counted(n_posts, 'comment')}"
    if answer.has_more and not _register_rest(page, answer, now):
        reason += f", of which {len(answer.posts)} are kept: no key for the rest is set"
    return CommentVisit(is_kept=True, due_at=None, due_reason=reason)


def unchanged(page: Page, now: datetime) -> CommentVisit:
    """Put off a thread whose answer is the same as before, so still open."""
    wait = _wait(now - page.found_at)
    reason = f"the thread is still open; looked at every {span(wait.total_seconds())}"
    return CommentVisit(is_kept=False, due_at=now + wait, due_reason=reason)


def look_now(since: datetime, until: datetime, slug: str, now: datetime) -> int:
    """Make threads due that are not kept yet, of articles from `since` to before `until`.

    An empty slug means all publications. Returns how many threads; that many visits go on over
    restarts, at the comment system's pace.
    """
    dated = Coalesce("parent__feed_published_at", "parent__found_at")
    threads = Page.objects.filter(kind=PageKind.COMMENTS, content_digest="").annotate(at=dated)
    threads = threads.filter(at__gte=since, at__lt=until)
    if slug:
        threads = threads.filter(publication__slug=slug)
    return Page.objects.filter(pk__in=threads.values("pk")).reschedule(
        now, due_reason="asked for with its month", quarantined_at=None, attempts=0
    )


def _check_interval() -> timedelta:
    return timedelta(seconds=settings.CRAWL_COMMENTS_CHECK_SECONDS)


def _wait(age: timedelta) -> timedelta:
    """Time until the next look at an open thread of this age."""
    return max(_check_interval(), min(age * AGE_SHARE, MAX_WAIT))


def _first_look(article: Page, now: datetime) -> tuple[datetime, str]:
    usual_days = article.publication.comments_open_days
    published_at = article.feed_published_at or article.found_at
    if usual_days is not None:
        closing_at = published_at + timedelta(days=usual_days)
        if closing_at > now + _check_interval():
            return closing_at, f"threads here usually close after {usual_days:.1f} days"
    wait = span(_check_interval().total_seconds())
    return now + _check_interval(), f"first look at the comments, {wait} after the article"


def _put_off(page: Page, answer: DisqusThread, now: datetime) -> CommentVisit:
    opened_at = answer.created_at or page.found_at
    due_at = now + _wait(now - opened_at)
    usual_days = page.publication.comments_open_days
    reason = f"the thread is open with {counted(answer.n_posts or 0, 'comment')}"
    if usual_days is not None and opened_at + timedelta(days=usual_days) > due_at:
        due_at = opened_at + timedelta(days=usual_days)
        reason += f"; threads here usually close after {usual_days:.1f} days"
    return CommentVisit(is_kept=False, due_at=due_at, due_reason=reason)


def _without_thread(page: Page, problem: str, now: datetime) -> CommentVisit:
    age = now - page.found_at
    if age > GIVE_UP_AFTER:
        reason = f"given up after {age.days} days: {problem}"
        return CommentVisit(is_kept=False, due_at=None, due_reason=reason[:_MAX_REASON])
    return CommentVisit(is_kept=False, due_at=now + _wait(age), due_reason=problem[:_MAX_REASON])


def _register_rest(page: Page, answer: DisqusThread, now: datetime) -> bool:
    """Put the next page of posts into the frontier; False when the API cannot be asked.

    The embed page's own cursor means nothing to the API: the first API page starts anew, from the
    oldest post, and what is there twice is stored once.
    """
    api_key = settings.CRAWL_DISQUS_API_KEY
    if not answer.has_more or not api_key:
        return False
    embed = thread_of_embed_url(page.url)
    if embed:
        url = posts_url(embed, api_key)
    elif answer.next_cursor:
        url = next_page_url(page.url, answer.next_cursor)
    else:
        return False
    address = canonicalize(url)
    further = NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=PageKind.COMMENTS,
        publication_id=page.publication_id,
        parent_id=page.parent_id,
        due_at=now,
        due_reason="further comments of a closed thread",
    )
    add_pages([further], now)
    return True


def _learn_open_time(page: Page, answer: DisqusThread, now: datetime) -> None:
    """Measure how long this thread was open: until the middle between the last two looks."""
    if answer.created_at is None:
        return
    last_look = page.visited_at or now
    closed_at = last_look + (now - last_look) / 2
    days = max((closed_at - answer.created_at).total_seconds() / _DAY_SECONDS, 0.0)
    before = page.publication.comments_open_days
    if before is not None:
        days = before + OPEN_DAYS_WEIGHT * (days - before)
    Publication.objects.filter(pk=page.publication_id).update(comments_open_days=days)
