"""The erase stage: jobs of the register that leave nothing of a text, byte by byte and row by row.

In this order, so that a kill at any moment leaves work to be done and nothing to be found: first
the tombstones of the addresses, with the asking; then where the records lie is written on the job;
then they are overwritten; then all rows are emptied and the index told, in one transaction; at the
end the job waits until the index has dropped the text. What somebody is just fetching or reading is
waited for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.urls import reverse

from corpus_site.accounts.admin_log import forget_log
from corpus_site.copies import compacting
from corpus_site.drafts import forget_samples
from corpus_site.messaging import forgetting as message_forgetting
from dedup import forgetting
from extraction.models import Comment, Erasure, Extraction, Subject
from extraction.stage.page_comment_rows import SYSTEM as PAGE_SYSTEM
from extraction.withdrawal import erasing, register
from feeds.archive import uploading
from feeds.crawler.archive.erasing import Place, overwrite
from feeds.crawler.archive.store_address import StoreAwayError
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Page
from feeds.network import archive
from feeds.removal import erasing as page_erasing
from feeds.removal import quoting
from feeds.removal.quoting import Quotes
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from search import forgetting as search_forgetting
from search.stage import leaving

# A slice is one transaction: short for other writers, and a kill loses little.
ARTICLES_PER_SLICE = 20
# How soon a job looks again whether a worker is done with its pages.
PAUSE = timedelta(seconds=3)


@dataclass(frozen=True, slots=True)
class _Slice:
    """What a job erases in one turn: articles with all below them, or one comment."""

    articles: tuple[int, ...]
    comments: tuple[int, ...]
    pages: tuple[int, ...]
    quotes: Quotes = field(default_factory=Quotes)

    @property
    def is_empty(self) -> bool:
        return not (self.articles or self.comments)


def run(limit: int, terms: Claim) -> Report:
    """Work on a slice of up to `limit` jobs; what was emptied goes on to dedup and index."""
    rows = Erasure.objects.filter(finished_at=None).select_related("entry")
    return run_each(rows, limit, terms, _turn)


def _turn(job: Erasure, terms: Claim) -> Report:
    todo = _next_slice(job)
    if todo.is_empty:
        return _finish(job, terms)
    if register.held_articles(todo.articles):
        raise erasing.HeldError("It is on legal hold by now: lift the hold, and let the job go on.")
    page_erasing.rest(todo.pages if todo.articles else ())
    if _is_busy(_with_quotes(todo), terms.now):
        leases.complete_or_undo(job, terms.owner, due_at=terms.now + PAUSE)
        return Report()
    todo = _with_quotes(todo)  # who was busy before may have written more
    try:
        _erase_records(job, todo, terms)
    except (FileNotFoundError, StoreAwayError) as error:
        # A file that no other machine has brought to the store yet, or a store that is away.
        leases.complete_or_undo(job, terms.owner, due_at=terms.now + PAUSE, last_error=str(error))
        return Report()
    return _empty(job, todo, terms)


def _next_slice(job: Erasure) -> _Slice:
    if job.entry.what == Subject.COMMENT:
        return _comment_slice(job)
    ids = tuple(erasing.articles_left(job, ARTICLES_PER_SLICE))
    own = Page.objects.filter(article__in=ids).values_list("pk", flat=True)
    return _Slice(ids, (), tuple(page_erasing.pages_below(list(own))))


def _comment_slice(job: Erasure) -> _Slice:
    """Find the pages that hold a comment: its thread's, or the article's own.

    What is done once comes again where a later record held the comment (`pending`).
    """
    rows = Comment.objects.filter(withdrawals=job.entry)
    comment = rows.select_related("article").first() if job.n_done < job.n_all else None
    if comment is None:
        return _Slice((), (), ())
    own = comment.article.page_id
    pages = page_erasing.pages_below([own] if own else [])
    if comment.system != PAGE_SYSTEM:
        pages = [pk for pk in pages if pk != own]
    return _Slice((), (comment.pk,), tuple(pages))


def _with_quotes(todo: _Slice) -> _Slice:
    """Add the documents that quote articles; no list quotes comments."""
    return replace(todo, quotes=quoting.quotes_of(todo.pages)) if todo.articles else todo


def _is_busy(todo: _Slice, now: datetime) -> bool:
    """Whether a worker may still write what is to be erased, or a list that quotes it."""
    reads = Extraction.objects.filter(page__in=todo.pages, lease_until__gt=now)
    held = page_erasing.are_held([*todo.pages, *todo.quotes.lists], now)
    return held or reads.exists()


def _erase_records(job: Erasure, todo: _Slice, terms: Claim) -> None:
    """Overwrite records, those first that were begun before a kill: they may be torn."""
    begun = overwrite(archive(), [Place(*place) for place in job.places], terms.now)
    places = page_erasing.archived_places(todo.pages, todo.quotes)
    Erasure.objects.filter(pk=job.pk).update(places=[astuple(place) for place in places])
    uploading.note_rewritten(begun | overwrite(archive(), places, terms.now), terms.now)


def _empty(job: Erasure, todo: _Slice, terms: Claim) -> Report:
    with transaction.atomic():
        erasing.bury_articles(todo.articles, terms.now)
        comments = todo.comments
        message_forgetting.forget(todo.articles, comments)
        search_forgetting.forget(todo.articles, comments)
        erasing.empty_comments(comments, terms.now)
        if todo.articles:
            forgetting.forget(todo.articles, terms.now)
            comments = erasing.empty_articles(todo.articles, terms.now)
            erasing.close_entries(todo.articles)
            forget_samples(todo.pages)
            page_erasing.empty_pages(todo.pages)
            quoting.forget(todo.quotes)
            forget_log(todo.articles, comments)
        else:
            page_erasing.forget_records(todo.pages)
        # Here, not by the stage's followers: the job may not end before the index has heard of it.
        leaving.register_articles(todo.articles, terms.now)
        leaving.register_comments(comments, terms.now)
        n_done = job.n_done + len(todo.articles) + len(todo.comments)
        leases.complete_or_undo(job, terms.owner, due_at=terms.now, places=[], n_done=n_done)
    return Report(
        done=Counter(erased=len(todo.articles) + len(todo.comments)),
        next_ids={"articles": todo.articles, "comments": comments},
    )


def _finish(job: Erasure, terms: Claim) -> Report:
    """Close the job once index and database have dropped what they held."""
    if search_forgetting.is_waiting():
        leases.complete_or_undo(job, terms.owner, due_at=terms.now)
        return Report()
    if not _compact(job):
        leases.complete_or_undo(job, terms.owner, due_at=terms.now + PAUSE)
        return Report()
    with transaction.atomic():
        erasing.close(job, terms.now)
        leases.complete_or_undo(job, terms.owner, finished_at=terms.now)
    return Report()


def _compact(job: Erasure) -> bool:
    """Overwrite what index and database keep of deleted things; False if that has to wait.

    Somebody reads there, or another machine has the index.

    Once for all jobs whose texts are out by then: it costs as much as the database is large.
    """
    if job.is_compacted:
        return True
    emptied = Erasure.objects.filter(finished_at=None, n_done__gte=F("n_all"), is_compacted=False)
    covered = list(emptied.values_list("pk", flat=True))
    if search_forgetting.fade() is None or not compacting.compact_small():
        return False
    Erasure.objects.filter(pk__in={*covered, job.pk}).update(is_compacted=True)
    return True


def pending(limit: int, now: datetime) -> int:
    """Ask again for the records of comments that a later look at their threads found once more."""
    finished = Erasure.objects.filter(entry__what=Subject.COMMENT, finished_at__isnull=False)
    seen = finished.filter(
        entry__comment__is_deleted=False,
        entry__comment__updated_at__gt=F("entry__comment__erased_at"),
    )
    ids = list(seen.order_by("pk").values_list("pk", flat=True)[:limit])
    return Erasure.objects.filter(pk__in=ids).reschedule(now, finished_at=None, n_done=0)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest jobs."""
    rows = Erasure.objects.select_related("entry__by").order_by("-pk")
    for row in rows[:JOBS_PER_KIND]:
        yield Job(
            kind="Erasing",
            subject=f"{row.entry.get_what_display().lower()} of {row.entry.address}",
            address=reverse("withdrawals"),
            n_done=row.n_done,
            n_all=row.n_all,
            unit="text,texts",
            now=now,
            row=row,
            asked_by=row.entry.by,
            asked_at=row.entry.at,
        )
