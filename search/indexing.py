"""The index stage: texts → tagged documents in the index, one generation a batch.

One writer at a time: a named lease in the database, then the index folder's own file lock; whoever
comes second goes away empty-handed and its rows stay due. Within a batch the index is committed
before the rows are closed. A crash in between leaves the rows due, and indexing them again replaces
the same documents: nothing is lost and nothing is there twice.

A row is stale when its digest is not that of its text, its place in the corpus, its clusters and
the tagger, or when the text's columns were written after it was indexed. Each row says how new the
lexicon was that its text was tagged with (`retagging`).
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from threading import Lock as ThreadLock
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction

from feeds import leases
from feeds.leases import Claim
from search import background_merges, lexicon
from search.annotation.annotate import AnnotatedText, TextToAnnotate, annotate_many
from search.annotation.tagger import shared_tagger
from search.index.documents import IndexDocument
from search.index.errors import DamagedFileError, IndexLockedError
from search.index.writer import IndexWriter
from search.lexicon import LexiconInForce
from search.models import IndexedArticle, IndexedComment, IndexedText
from search.sweeping import missed_articles, missed_comments
from search.texts_to_index import (
    BlockSpan,
    TextInput,
    read_articles,
    read_comments,
    tagger_version,
)

logger = logging.getLogger(__name__)

WRITER_LOCK = "index-writer"
# A second worker does not wait for the first: its turn comes with the next run. It waits for a
# merge to be swapped in, which takes some 50 ms.
LOCK_TIMEOUT_SECONDS = 0.5
LEFT_OUT = "left out"
INDEXED = "indexed"
EMPTY = "empty"

_ROWS_PER_INSERT = 500
# Tokens of a million characters take some 230 MB while they are tagged and written.
MAX_PART_CHARACTERS = 1_000_000
# The tagger's table and the writer's lexicon are one per process and not for two threads at once.
_one_thread = ThreadLock()
# Where each index stood when this process last wrote to it.
_seen_generation: dict[Path, int] = {}


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a batch came to; `generation` is that of the commit, 0 when there was none."""

    n_claimed: int = 0
    indexed: int = 0
    left_out: int = 0
    quarantined: int = 0
    n_tokens: int = 0
    generation: int = 0


@dataclass(frozen=True, slots=True)
class _Result:
    """An input with what came of it."""

    source: TextInput
    outcome: str
    document: IndexDocument


@dataclass(frozen=True, slots=True)
class _Committed:
    """A generation, when it can be searched from, and the lexicon it was tagged with."""

    generation: int
    at: datetime
    lexicon_revision: int


# Registering


def register(article_ids: Collection[int], comment_ids: Collection[int], now: datetime) -> None:
    """Make texts due, new or changed, whatever their rows hold.

    A row that is being worked on becomes due again afterwards.
    """
    IndexedArticle.objects.bulk_create(
        [IndexedArticle(article_id=article_id) for article_id in article_ids],
        batch_size=_ROWS_PER_INSERT,
        ignore_conflicts=True,
    )
    IndexedComment.objects.bulk_create(
        [IndexedComment(comment_id=comment_id) for comment_id in comment_ids],
        batch_size=_ROWS_PER_INSERT,
        ignore_conflicts=True,
    )
    for chunk in _chunks(article_ids):
        IndexedArticle.objects.filter(article_id__in=chunk, quarantined_at=None).update(due_at=now)
    for chunk in _chunks(comment_ids):
        IndexedComment.objects.filter(comment_id__in=chunk, quarantined_at=None).update(due_at=now)


def refresh(article_ids: Collection[int], now: datetime) -> None:
    """Make articles due that are in the index already: their text or metadata were written anew.

    New articles are left to their detection, which registers them.
    """
    for chunk in _chunks(article_ids):
        known = IndexedArticle.objects.filter(article_id__in=chunk, quarantined_at=None)
        known.exclude(done_digest="").update(due_at=now)


def tag_again(
    model: type[IndexedText], keys: Collection[int], revision: int, now: datetime
) -> list[int]:
    """Make texts due whose tags do not know of a change of the lexicon; returns their keys.

    `keys` are those of articles or comments, as the model says; texts that are gone, and those that
    failed too often, are left out.
    """
    old = model._default_manager.filter(
        **{f"{_text_field(model)}__in": list(keys)},
        lexicon_revision__lt=revision,
        quarantined_at=None,
    )
    waiting = list(old.values_list(_text_field(model), flat=True))
    old.update(due_at=now)
    return waiting


def still_to_tag(model: type[IndexedText], keys: Collection[int], revision: int) -> tuple[int, int]:
    """Count the texts that are not tagged with a change of the lexicon yet, and the failed ones."""
    rows = model._default_manager.filter(
        **{f"{_text_field(model)}__in": list(keys)}, lexicon_revision__lt=revision
    )
    n_failed = rows.filter(quarantined_at__isnull=False).count()
    return rows.count() - n_failed, n_failed


def _text_field(model: type[IndexedText]) -> str:
    return "article_id" if model is IndexedArticle else "comment_id"


def make_all_due(now: datetime) -> int:
    """Make every text that was ever indexed due, to build the index anew; returns how many."""
    return sum(
        model._default_manager.filter(quarantined_at=None).update(done_digest="", due_at=now)
        for model in (IndexedArticle, IndexedComment)
    )


def pending(limit: int, now: datetime) -> int:
    """Register up to `limit` texts of either kind that are new or stale; returns how many.

    Of a large corpus only a part is looked at, see `sweeping`.
    """
    version = tagger_version()
    article_ids = missed_articles(limit, version)
    comment_ids = missed_comments(limit, version)
    register(article_ids, comment_ids, now)
    return len(article_ids) + len(comment_ids)


def _chunks(ids: Collection[int]) -> Iterable[list[int]]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), _ROWS_PER_INSERT):
        yield ordered[start : start + _ROWS_PER_INSERT]


# Running


def run(limit: int, terms: Claim) -> IndexReport:
    """Claim up to `limit` texts, index them, close their rows.

    Returns an empty report when another worker is writing.
    """
    with _one_thread:
        if not leases.take_lock(WRITER_LOCK, terms):
            return IndexReport()
        try:
            report = _run_as_writer(limit, terms)
        except IndexLockedError:
            return IndexReport()
        except DamagedFileError:
            # Manifest or lexicon; a damaged segment does not stop the writer.
            logger.exception("the index cannot be written to; run manage.py reindex")
            return IndexReport()
        finally:
            leases.release_lock(WRITER_LOCK, terms.owner, terms.now)
    if report.generation:
        background_merges.start(settings.INDEX_DIR)
    return report


def _run_as_writer(limit: int, terms: Claim) -> IndexReport:
    with _writer(settings.INDEX_DIR) as writer:
        _find_lost(settings.INDEX_DIR, writer.generation, terms.now)
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
        lost = model._default_manager.filter(generation__gt=generation, quarantined_at=None)
        if n_lost := lost.update(done_digest="", generation=0, due_at=now):
            logger.warning("%d texts are not in the index any more and are due again", n_lost)


@cache
def _writer(folder: Path) -> IndexWriter:
    """Return the process's writer: it keeps the index's lexicon in memory between batches."""
    return IndexWriter(folder, lock_timeout_seconds=LOCK_TIMEOUT_SECONDS)


def _run(limit: int, terms: Claim, writer: IndexWriter) -> IndexReport:
    article_rows = leases.claim(IndexedArticle.objects.all(), limit, terms)
    n_left = limit - len(article_rows)
    comment_rows = leases.claim(IndexedComment.objects.all(), n_left, terms) if n_left else []
    if not article_rows and not comment_rows:
        return IndexReport()
    in_force = lexicon.in_force()
    version = tagger_version()
    inputs = [*read_articles(article_rows, version), *read_comments(comment_rows, version)]
    parts = [_index(part, in_force, terms, writer) for part in _parts(inputs)]
    return replace(
        parts[-1],
        n_claimed=len(article_rows) + len(comment_rows),
        indexed=sum(part.indexed for part in parts),
        left_out=sum(part.left_out for part in parts),
        quarantined=sum(part.quarantined for part in parts),
        n_tokens=sum(part.n_tokens for part in parts),
    )


def _parts(inputs: Sequence[TextInput]) -> list[list[TextInput]]:
    """Cut a batch into parts that fit into memory with all their tokens; most fit as one."""
    parts: list[list[TextInput]] = [[]]
    n_left = MAX_PART_CHARACTERS
    for item in inputs:
        if parts[-1] and len(item.text) > n_left:
            parts.append([])
            n_left = MAX_PART_CHARACTERS
        parts[-1].append(item)
        n_left -= len(item.text)
    return parts


def _index(
    inputs: list[TextInput], in_force: LexiconInForce, terms: Claim, writer: IndexWriter
) -> IndexReport:
    """Tag, write, commit, close the rows: in this order, see above."""
    started = monotonic()
    results, n_quarantined = _annotate(inputs, in_force, terms)
    for result in results:
        if result.outcome == INDEXED:
            writer.add(result.document)
        else:
            writer.remove(result.document.kind, result.document.key)
    done = _Committed(
        writer.commit(), terms.now + timedelta(seconds=monotonic() - started), in_force.revision
    )
    with transaction.atomic():
        for model in (IndexedArticle, IndexedComment):
            own = [result for result in results if isinstance(result.source.row, model)]
            _close(model, own, done, terms)
    n_indexed = sum(result.outcome == INDEXED for result in results)
    return IndexReport(
        indexed=n_indexed,
        left_out=len(results) - n_indexed,
        quarantined=n_quarantined,
        n_tokens=sum(len(result.document.tokens) for result in results),
        generation=done.generation,
    )


def _annotate(
    inputs: list[TextInput], in_force: LexiconInForce, terms: Claim
) -> tuple[list[_Result], int]:
    """Tag a batch at once; when that fails, text by text, so that one bad text stands alone."""
    shown = [item for item in inputs if not item.is_hidden]
    results = [_Result(item, LEFT_OUT, item.document) for item in inputs if item.is_hidden]
    try:
        return results + _tag(shown, in_force), 0
    except Exception:
        logger.exception("a batch of %d texts failed; taking them one by one", len(shown))
    n_quarantined = 0
    for item in shown:
        try:
            results += _tag([item], in_force)
        except Exception as error:
            logger.exception("indexing %s failed", item.row)
            n_quarantined += leases.fail(item.row, terms.owner, repr(error), terms.now)
    return results, n_quarantined


def _tag(inputs: list[TextInput], in_force: LexiconInForce) -> list[_Result]:
    texts = [TextToAnnotate(item.text, item.document.language, item.corrections) for item in inputs]
    annotated = annotate_many(texts, shared_tagger(), in_force.overrides)
    return [
        _Result(item, INDEXED if text.tokens else EMPTY, with_tokens(item, text))
        for item, text in zip(inputs, annotated, strict=True)
    ]


def with_tokens(item: TextInput, annotated: AnnotatedText) -> IndexDocument:
    return replace(
        item.document,
        tokens=[(token.word, token.lemma, token.tag) for token in annotated.tokens],
        sentence_starts=annotated.sentence_starts,
        space_before=annotated.space_before(),
        blocks=_blocks_of_tokens(item.blocks, annotated),
    )


def _blocks_of_tokens(blocks: Sequence[BlockSpan], annotated: AnnotatedText) -> list[int]:
    """Say of each token in which kind of block it starts; nothing where there are none."""
    if not blocks:
        return []
    kinds, at = [], 0
    for token in annotated.tokens:
        while at < len(blocks) and blocks[at].end <= token.start:
            at += 1
        is_inside = at < len(blocks) and blocks[at].start <= token.start
        kinds.append(blocks[at].kind if is_inside else 0)
    return kinds


def _close(
    model: type[IndexedText], results: Sequence[_Result], done: _Committed, terms: Claim
) -> None:
    """Write what was done and give the leases back.

    A row that was registered anew meanwhile stays due.
    """
    due_when_read = {result.source.row.pk: result.source.row.due_at for result in results}
    table: Any = model._default_manager  # mypy fails on bulk_create of an abstract model's manager
    held = table.select_for_update().filter(pk__in=due_when_read, lease_owner=terms.owner)
    due_now = dict(held.values_list("pk", "due_at"))
    rows = []
    for result in results:
        row = result.source.row
        if row.pk not in due_now:
            continue
        row.done_digest = result.source.digest
        row.outcome = result.outcome
        row.generation = done.generation
        row.n_tokens = len(result.document.tokens)
        row.indexed_at = done.at
        row.lexicon_revision = done.lexicon_revision
        rows.append(row)
    # One insert that updates on conflict: a third of the time of bulk_update's CASE expressions.
    table.bulk_create(
        rows,
        batch_size=_ROWS_PER_INSERT,
        update_conflicts=True,
        unique_fields=["pk"],
        update_fields=[
            "done_digest",
            "outcome",
            "generation",
            "n_tokens",
            "indexed_at",
            "lexicon_revision",
        ],
    )
    again = [pk for pk, due_at in due_now.items() if due_at != due_when_read[pk]]
    leases.complete_many(model, [pk for pk in due_now if pk not in set(again)], terms.owner)
    leases.complete_many(model, again, terms.owner, due_at=terms.now)
