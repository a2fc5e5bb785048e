"""Tagging old texts again after a change of the lexicon: a job with progress, slice by slice.

Which texts have the words is asked of the index. A slice of them is made due at the index stage,
and the next follows when that one is done, so that new articles wait for a slice at most. A text is
done when its row knows of the job's revision of the lexicon. Only its place is kept in a job's row:
one that is killed goes on from there, and doing a slice twice does no harm.

A batch that was on its way when the lexicon changed has read the old one, and its texts are not in
the index yet. A job therefore waits until that batch has ended before it asks.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

import numpy as np
from django.urls import reverse

from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Lock
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from search.answers.answering import hits_of
from search.asking.request import Texts, asked_in_cql
from search.asking.value_queries import row_query
from search.engine.annotation.languages import has_lexicon
from search.engine.annotation.lexicon import WORD_SEPARATOR
from search.engine.index.documents import TEXT_KINDS, DocumentKind
from search.engine.query.filters import DocumentFilter
from search.indexing import WRITER_LOCK
from search.lexicon import uses
from search.models import IndexedArticle, IndexedComment, Retagging
from search.stage.index_rows import still_to_tag, tag_again

# Tagged in some three seconds; a job of a million texts keeps its row up to date 2,000 times.
SLICE_TEXTS = 500
_EVERY_DOCUMENT = DocumentFilter(kinds=frozenset(DocumentKind))  # parts tell of their articles
_BOTH = (("articles", IndexedArticle), ("comments", IndexedComment))


@dataclass(frozen=True, slots=True)
class _Texts:
    """Keys of articles and comments, ascending."""

    articles: tuple[int, ...]
    comments: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.articles) + len(self.comments)


def run(terms: Claim) -> Report:
    """Give the oldest job a turn; one that waits for its texts counts as nothing claimed."""
    report = run_each(Retagging.objects.all(), 1, terms, _turn)
    return replace(report, n_claimed=report.done["steps"])


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest changes of the lexicon whose texts were tagged again."""
    for row in Retagging.objects.select_related("created_by")[:JOBS_PER_KIND]:
        yield Job(
            kind="Tagging again",
            subject=row.title,
            address=reverse("lexicon"),
            n_done=row.n_done,
            n_all=row.n_texts,
            unit="text,texts",
            now=now,
            row=row,
            asked_by=row.created_by,
            asked_at=row.created_at,
            since=row.started_at,
        )


def _turn(job: Retagging, terms: Claim) -> Report:
    return Report(done=Counter(steps=int(_go_on(job, terms))))


def _go_on(job: Retagging, terms: Claim) -> bool:
    """Take the next step of a job; returns whether there was one to take."""
    if job.started_at is None:
        return leases.complete(job, terms.owner, due_at=terms.now, started_at=terms.now)
    if not _has_old_batch_ended(job.started_at, terms.now):
        leases.complete(job, terms.owner, due_at=job.due_at)
        return False
    n_left, n_failed = _left(job)
    if n_left:
        leases.complete(job, terms.owner, due_at=job.due_at)
        return False
    return _next_slice(job, n_failed, terms)


def _has_old_batch_ended(since: datetime, now: datetime) -> bool:
    """Whether every batch that may have read the lexicon of before has written its texts.

    A run that began after `since` has ended, or nobody writes now; there is one writer.
    """
    lock = Lock.objects.filter(name=WRITER_LOCK).first()
    if lock is None or lock.lease_until <= now:
        return True
    return lock.last_run_at is not None and lock.last_run_at > since


def _left(job: Retagging) -> tuple[int, int]:
    """Count the texts of the slice that are not tagged yet, and those that failed."""
    counts = [still_to_tag(model, job.waiting.get(name, ()), job.revision) for name, model in _BOTH]
    return sum(left for left, _ in counts), sum(failed for _, failed in counts)


def _next_slice(job: Retagging, n_failed: int, terms: Claim) -> bool:
    texts = _texts_with(tuple(job.words), job.pk)
    done = _Texts(
        texts.articles[: bisect_right(texts.articles, job.last_article)],
        texts.comments[: bisect_right(texts.comments, job.last_comment)],
    )
    articles = texts.articles[len(done.articles) :][:SLICE_TEXTS]
    comments = texts.comments[len(done.comments) :][: SLICE_TEXTS - len(articles)]
    is_last = not articles and not comments
    if is_last:
        uses.count_anew(job.words, terms.now)
    keys = {"articles": articles, "comments": comments}
    return leases.complete(
        job,
        terms.owner,
        due_at=None if is_last else terms.now,
        finished_at=terms.now if is_last else None,
        waiting={
            name: tag_again(model, keys[name], job.revision, terms.now) for name, model in _BOTH
        },
        last_article=articles[-1] if articles else job.last_article,
        last_comment=comments[-1] if comments else job.last_comment,
        n_texts=len(texts),
        n_done=len(done),
        n_failed=job.n_failed + n_failed,
    )


@lru_cache(maxsize=2)
def _texts_with(words: tuple[str, ...], job_id: int) -> _Texts:  # noqa: ARG001 (asked once a job)
    """Ask the index which English texts have one of the words, in whatever case."""
    found: dict[DocumentKind, set[int]] = {kind: set() for kind in TEXT_KINDS}
    for word in words:
        query = row_query(word.split(WORD_SEPARATOR))
        hits = hits_of(asked_in_cql(query, Texts(_EVERY_DOCUMENT)))
        for part in hits.parts:
            documents = part.view.segment.documents
            rows = np.flatnonzero(part.document_counts)
            languages, which = np.unique(documents.language[rows], return_inverse=True)
            values = map(hits.snapshot.lexicon.value, languages.tolist())
            rows = rows[np.array([has_lexicon(value) for value in values], dtype=bool)[which]]
            is_comment = documents.kind[rows] == DocumentKind.COMMENT
            found[DocumentKind.COMMENT].update(documents.key[rows[is_comment]].tolist())
            found[DocumentKind.ARTICLE].update(documents.key[rows[~is_comment]].tolist())
    return _Texts(
        tuple(sorted(found[DocumentKind.ARTICLE])), tuple(sorted(found[DocumentKind.COMMENT]))
    )
