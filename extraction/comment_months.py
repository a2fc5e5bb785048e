"""A month's threads of readers' comments, looked at now: the job that an editor asks for.

Slice by slice, so that no more than some hundred of its looks wait at a comment system's host at
once: looks at new articles' threads stand among them by their time. Threads that have closed are
done; of one that was cut for want of a key the rest is asked for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from extraction.models import CommentMonth, CommentThread
from extraction.stage import comment_threads
from feeds import comments
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Page
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from presentation.wording.times import month as month_in_words

# Looks of a job that wait at once, some ten minutes of one host's time.
UNDER_WAY = 120
PAUSE = timedelta(seconds=20)
_LONGER_THAN_A_MONTH = timedelta(days=32)  # from its first day, into the next one


@dataclass(frozen=True, slots=True)
class MonthOfThreads:
    """Which threads: of articles of a month, of one publication or of all."""

    month: date
    publication_id: int | None = None

    def threads(self) -> "QuerySet[CommentThread]":
        """Threads that can be read and are not complete."""
        zone = timezone.get_current_timezone()
        first = datetime.combine(self.month.replace(day=1), time.min, zone)
        after = datetime.combine(next_month(self.month), time.min, zone)
        open_or_cut = Q(is_closed=False)
        if comments.can_complete():
            open_or_cut |= Q(is_cut=True)
        rows = CommentThread.objects.filter(
            open_or_cut, page__isnull=False, article__dated_at__gte=first
        ).filter(article__dated_at__lt=after)
        if self.publication_id is not None:
            rows = rows.filter(article__publication_id=self.publication_id)
        return rows


def next_month(month: date) -> date:
    """Give the first day of the month after."""
    return (month.replace(day=1) + _LONGER_THAN_A_MONTH).replace(day=1)


def look_now(wanted: MonthOfThreads, now: datetime) -> int:
    """Make all threads of a month due at once; returns how many."""
    return _ask(list(wanted.threads().values_list("pk", flat=True)), now)


def start(wanted: MonthOfThreads, user_id: int | None, now: datetime) -> CommentMonth:
    """Begin a job for a month."""
    return CommentMonth.objects.create(
        month=wanted.month.replace(day=1),
        publication_id=wanted.publication_id,
        asked_at=now,
        asked_by_id=user_id,
        n_threads=wanted.threads().count(),
        due_at=now,
    )


def run(limit: int, terms: Claim) -> Report:
    """Claim jobs and make the next threads of each due."""
    return run_each(CommentMonth.objects.all(), limit, terms, _slice)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest jobs."""
    for row in CommentMonth.objects.select_related("asked_by", "publication")[:JOBS_PER_KIND]:
        yield Job(
            kind="Comments of a month",
            subject=f"{month_in_words(row.month)}, {row.publication or 'all publications'}",
            address=reverse("comment-months"),
            n_done=max(row.n_asked - row.n_waiting, 0),
            n_all=max(row.n_threads, row.n_asked),
            unit="thread,threads",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.asked_at,
            since=row.asked_at,
        )


def _slice(row: CommentMonth, terms: Claim) -> Report:
    wanted = MonthOfThreads(row.month, row.publication_id)
    n_waiting = _n_waiting(row, terms.now)
    room = max(UNDER_WAY - n_waiting, 0)
    behind = wanted.threads().filter(pk__gt=row.last_thread).order_by("pk")
    with transaction.atomic():
        ids = list(behind.values_list("pk", flat=True)[:room])
        n_asked = _ask(ids, terms.now)
        is_last = not ids and not n_waiting and room > 0
        leases.complete_or_undo(
            row,
            terms.owner,
            due_at=None if is_last else terms.now + PAUSE,
            last_thread=ids[-1] if ids else row.last_thread,
            n_asked=row.n_asked + len(ids),
            n_waiting=n_waiting + len(ids),
            finished_at=terms.now if is_last else None,
        )
    return Report(done=Counter(threads=n_asked))


def _n_waiting(row: CommentMonth, now: datetime) -> int:
    """Count the looks that were asked for and have not been."""
    wanted = MonthOfThreads(row.month, row.publication_id)
    asked = wanted.threads().filter(pk__lte=row.last_thread).values("page_id")
    return Page.objects.filter(pk__in=asked).unfinished(now).count()


def _ask(thread_ids: list[int], now: datetime) -> int:
    threads = CommentThread.objects.filter(pk__in=thread_ids)
    cut = [thread for thread in threads if thread.is_cut and comments.can_complete()]
    n_asked = comment_threads.complete(cut, now)
    whole = {thread.page_id for thread in threads if thread not in cut and thread.page_id}
    return n_asked + comments.look_now(whole, now)
