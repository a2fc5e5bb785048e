"""The index stage: texts → tagged documents in the index, one generation a batch.

One writer at a time: a named lease in the database, then the index folder's own file lock; whoever
comes second goes away empty-handed and its rows stay due. Within a batch the index is committed
before the rows are closed. A crash in between leaves the rows due, and indexing them again replaces
the same documents: nothing is lost and nothing is there twice.

A row is stale when its digest is not that of its text, its place in the corpus, its clusters and
the tagger, or when the text's columns were written after it was indexed. Each row says how new the
lexicon was that its text was tagged with (`retagging`), and which parts of its text are in the
index beside it: what lacks some gets them when nothing else waits (`late_parts`).
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from threading import Lock as ThreadLock
from time import monotonic

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from feeds.models import IS_HELD
from feeds.work import leases
from feeds.work.batches import Report
from feeds.work.leases import Claim
from search.engine.index.building.writer import IndexWriter
from search.engine.index.errors import DamagedFileError, IndexLockedError
from search.lexicon import entries
from search.lexicon.entries import LexiconInForce
from search.models import IndexedArticle, IndexedComment
from search.stage import background_merges, leaving
from search.stage.index_rows import ROWS_PER_INSERT, Committed, close
from search.stage.late_parts import add_late_parts, add_with_parts, n_without_parts
from search.stage.sweeping import missed_articles, missed_comments
from search.stage.tagged_texts import INDEXED, parts_of, tag_texts
from search.stage.texts_to_index import (
    TextInput,
    read_articles,
    read_comments,
    tagger_versions,
)

logger = logging.getLogger(__name__)

WRITER_LOCK = "index-writer"
# A second worker does not wait for the first: its turn comes with the next run. It waits for a
# merge to be swapped in, which takes some 50 ms.
LOCK_TIMEOUT_SECONDS = 0.5
# The tagger's table and the writer's lexicon are one per process and not for two threads at once.
_one_thread = ThreadLock()
# Where each index stood when this process last wrote to it.
_seen_generation: dict[Path, int] = {}


# Registering


def register(article_ids: Collection[int], now: datetime) -> None:
    """Make articles due, new or changed, whatever their rows hold.

    A row that is being worked on becomes due again afterwards.
    """
    IndexedArticle.objects.bulk_create(
        [IndexedArticle(article_id=article_id) for article_id in article_ids],
        batch_size=ROWS_PER_INSERT,
        ignore_conflicts=True,
    )
    for chunk in _chunks(article_ids):
        IndexedArticle.objects.filter(article_id__in=chunk, quarantined_at=None).reschedule(now)


def register_comments(comment_ids: Collection[int], now: datetime) -> None:
    """Make comments due, as `register` does articles."""
    IndexedComment.objects.bulk_create(
        [IndexedComment(comment_id=comment_id) for comment_id in comment_ids],
        batch_size=ROWS_PER_INSERT,
        ignore_conflicts=True,
    )
    for chunk in _chunks(comment_ids):
        IndexedComment.objects.filter(comment_id__in=chunk, quarantined_at=None).reschedule(now)


def refresh(article_ids: Collection[int], now: datetime) -> None:
    """Make articles due that are in the index already: their text or metadata were written anew.

    New articles are left to their detection, which registers them, but for those that are being
    indexed just now.
    """
    for chunk in _chunks(article_ids):
        known = IndexedArticle.objects.filter(article_id__in=chunk, quarantined_at=None)
        known.filter(IS_HELD | ~Q(done_digest="")).reschedule(now)


def make_all_due(now: datetime) -> int:
    """Make every text that was ever indexed due, to build the index anew; returns how many."""
    return sum(
        model.objects.filter(quarantined_at=None).reschedule(now, done_digest="")
        for model in (IndexedArticle, IndexedComment)
    )


def pending(limit: int, now: datetime) -> int:
    """Register up to `limit` texts of either kind that are new or stale; returns how many.

    Of a large corpus only a part is looked at, see `sweeping`.
    """
    versions = tagger_versions()
    article_ids = missed_articles(limit, versions)
    comment_ids = missed_comments(limit, versions)
    register(article_ids, now)
    register_comments(comment_ids, now)
    return len(article_ids) + len(comment_ids) + n_without_parts(limit)


def _chunks(ids: Collection[int]) -> Iterable[list[int]]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), ROWS_PER_INSERT):
        yield ordered[start : start + ROWS_PER_INSERT]


# Running


def run(limit: int, terms: Claim) -> Report:
    """Claim up to `limit` texts, index them, close their rows.

    Returns an empty report when another worker is writing.
    """
    with _one_thread:
        if not leases.take_lock(WRITER_LOCK, terms):
            return Report()
        try:
            report = _run_as_writer(limit, terms)
        except IndexLockedError:
            return Report()
        except DamagedFileError:
            # Manifest or lexicon; a damaged segment does not stop the writer.
            logger.exception("the index cannot be written to; run manage.py reindex")
            return Report()
        finally:
            leases.release_lock(WRITER_LOCK, terms.owner, terms.now)
    if report.n_claimed:
        background_merges.start(settings.INDEX_DIR)
    return report


def _run_as_writer(limit: int, terms: Claim) -> Report:
    with _writer(settings.INDEX_DIR) as writer:
        _find_lost(settings.INDEX_DIR, writer.generation, terms.now)
        leaving.forget_withdrawn(writer)
        report = _run(limit, terms, writer)
        _seen_generation[settings.INDEX_DIR] = writer.generation
        return report


def _find_lost(folder: Path, generation: int, now: datetime) -> None:
    """Make rows due whose generation the index never had: its folder was deleted or put back.

    Looks only when the index has gone back since the last run, or at a process's first.
    """
    if generation >= _seen_generation.get(folder, generation + 1):
        return
    for model in (IndexedArticle, IndexedComment):
        lost = model.objects.filter(generation__gt=generation, quarantined_at=None)
        if n_lost := lost.reschedule(now, done_digest="", generation=0):
            logger.warning("%d texts are not in the index any more and are due again", n_lost)


@cache
def _writer(folder: Path) -> IndexWriter:
    """Return the process's writer: it keeps the index's lexicon in memory between batches."""
    return IndexWriter(folder, lock_timeout_seconds=LOCK_TIMEOUT_SECONDS)


def _run(limit: int, terms: Claim, writer: IndexWriter) -> Report:
    article_rows = leases.claim(IndexedArticle.objects.all(), limit, terms)
    n_left = limit - len(article_rows)
    comment_rows = leases.claim(IndexedComment.objects.all(), n_left, terms) if n_left else []
    in_force = entries.in_force()
    versions = tagger_versions()
    if not article_rows and not comment_rows:
        return add_late_parts(limit, versions, in_force.overrides, writer)
    inputs = [*read_articles(article_rows, versions), *read_comments(comment_rows, versions)]
    parts = [_index(part, in_force, terms, writer) for part in parts_of(inputs)]
    return sum(parts, Report(len(article_rows) + len(comment_rows)))


def _index(
    inputs: list[TextInput], in_force: LexiconInForce, terms: Claim, writer: IndexWriter
) -> Report:
    """Tag, write, commit, close the rows: in this order, see above."""
    started = monotonic()
    results, n_quarantined = tag_texts(inputs, in_force, terms)
    for result in results:
        if result.outcome == INDEXED:
            add_with_parts(writer, result)
        else:
            leaving.leave(writer, result.source)
    done = Committed(
        writer.commit(), terms.now + timedelta(seconds=monotonic() - started), in_force.revision
    )
    with transaction.atomic():
        for model in (IndexedArticle, IndexedComment):
            own = [result for result in results if isinstance(result.source.row, model)]
            close(model, own, done, terms)
    n_indexed = sum(result.outcome == INDEXED for result in results)
    n_tokens = sum(len(result.document.tokens) for result in results)
    return Report(
        done=Counter(indexed=n_indexed, left_out=len(results) - n_indexed, tokens=n_tokens),
        quarantined=n_quarantined,
    )
