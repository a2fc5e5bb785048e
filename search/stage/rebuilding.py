"""Building the index anew from the database, while the old one is searched.

For a damaged index, a new format, or to get rid of the history of older generations. What was asked
at a generation before the rebuild gives the same numbers after it, but for texts of damaged
segments that had been replaced or removed. Indexing waits meanwhile (its rows stay due); what it
would have done comes right after.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Max, QuerySet

from feeds.work.row_updates import update_rows
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.index.building.rebuild import IndexRebuild
from search.engine.index.documents import IndexDocument
from search.lexicon import entries
from search.models import IndexedArticle, IndexedComment, IndexedText
from search.stage.tagged_texts import INDEXED, tagged
from search.stage.text_parts import PARTS_VERSION
from search.stage.texts_to_index import (
    TaggerVersions,
    TextInput,
    read_articles,
    read_comments,
    tagger_versions,
)

logger = logging.getLogger(__name__)

TEXTS_PER_BATCH = 200
TOKENS_PER_COMMIT = 1_000_000  # one generation each; bounds memory to some hundred MB
ROWS_PER_UPDATE = 500
LOCK_TIMEOUT_SECONDS = 60.0  # for a commit in progress
_NOTED = [
    "done_digest", "n_tokens", "generation", "indexed_at", "lexicon_revision", "parts_version",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild came to; failed texts are in the log and not in the new index."""

    n_texts: int
    n_failed: int
    n_tokens: int
    generation: int


@dataclass(frozen=True, slots=True)
class _Done:
    """A row whose text went into the new index."""

    row: IndexedText
    digest: str
    n_tokens: int
    generation: int


def rebuild(
    now: datetime, on_progress: Callable[[int, int], None], *, keeps_history: bool = True
) -> RebuildReport:
    """Write a fresh index of all texts that are in the old one, then swap it in.

    `on_progress` is told how many texts of how many are done. Rows that became due meanwhile stay
    so; the others hold the digests of the new index afterwards.

    Raises
    ------
    IndexLockedError
        If another process goes on writing.
    """
    total = sum(_indexed(model).count() for model in (IndexedArticle, IndexedComment))
    in_force = entries.in_force()
    done: list[_Done] = []
    seen = uncommitted = 0
    folder = Path(settings.INDEX_DIR)
    with IndexRebuild(
        folder, LOCK_TIMEOUT_SECONDS, _last_generation(), keeps_history=keeps_history
    ) as fresh:
        for batch in _batches(tagger_versions()):
            for item, (body, *parts) in _annotated(batch, in_force.overrides):
                known = replace(body, generation_in=item.row.generation or 0)
                generation = fresh.add(known)
                done.append(_Done(item.row, item.digest, len(body.tokens), generation))
                for part in parts:
                    fresh.add(part)
                uncommitted += sum(len(document.tokens) for document in (body, *parts))
            if uncommitted >= TOKENS_PER_COMMIT:
                fresh.writer.commit()
                uncommitted = 0
            seen += len(batch)
            on_progress(seen, total)
        generation = fresh.publish()
    for model in (IndexedArticle, IndexedComment):
        own = [item for item in done if isinstance(item.row, model)]
        _note(model, own, in_force.revision, now)
    n_tokens = sum(item.n_tokens for item in done)
    return RebuildReport(len(done), seen - len(done), n_tokens, generation)


def _indexed(model: type[IndexedText]) -> QuerySet[Any]:
    return model._default_manager.filter(outcome=INDEXED)


def _last_generation() -> int:
    found = [
        _indexed(model).aggregate(last=Max("generation"))["last"] or 0
        for model in (IndexedArticle, IndexedComment)
    ]
    return max(found)


def _batches(versions: TaggerVersions) -> Iterator[list[TextInput]]:
    for model, read in ((IndexedArticle, read_articles), (IndexedComment, read_comments)):
        ids = list(_indexed(model).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(ids), TEXTS_PER_BATCH):
            batch = read(ids[start : start + TEXTS_PER_BATCH], versions)
            yield [item for item in batch if not item.is_hidden]


def _annotated(
    batch: list[TextInput], overrides: LexiconOverrides
) -> Iterator[tuple[TextInput, tuple[IndexDocument, ...]]]:
    """Tag a batch at once; when that fails, text by text, so that one bad text stands alone."""
    try:
        yield from _tag(batch, overrides)
    except Exception:
        logger.exception("a batch of %d texts failed; taking them one by one", len(batch))
        for item in batch:
            try:
                yield from _tag([item], overrides)
            except Exception:
                logger.exception("indexing %s failed", item.row)


def _tag(
    batch: list[TextInput], overrides: LexiconOverrides
) -> list[tuple[TextInput, tuple[IndexDocument, ...]]]:
    found = zip(batch, tagged(batch, overrides), strict=True)
    return [(item, documents) for item, documents in found if documents[0].tokens]


def _note(model: type[IndexedText], done: list[_Done], revision: int, now: datetime) -> None:
    """Write what is in the new index into the rows that nobody has made due since."""
    table: Any = model._default_manager
    for start in range(0, len(done), ROWS_PER_UPDATE):
        chunk = {item.row.pk: item for item in done[start : start + ROWS_PER_UPDATE]}
        resting = table.filter(pk__in=chunk, due_at=None).values_list("pk", flat=True)
        rows = []
        for pk in resting:
            row = chunk[pk].row
            row.done_digest, row.n_tokens = chunk[pk].digest, chunk[pk].n_tokens
            row.generation, row.indexed_at = chunk[pk].generation, now
            row.lexicon_revision = revision
            row.parts_version = PARTS_VERSION
            rows.append(row)
        update_rows(rows, _NOTED)
