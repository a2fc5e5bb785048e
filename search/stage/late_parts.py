"""Parts of articles that were indexed before there were parts: added when nothing else waits.

The bodies stay as they are, with the generation they came in with; only their parts come in, so an
upgrade adds to the index what is new and nothing twice. Which articles lack parts their rows say.
One that changes meanwhile becomes due, and is indexed whole.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import QuerySet

from feeds.work.batches import Report, whole_or_each
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import ARTICLE_KINDS, IN_BODY, PART_KINDS, IndexDocument
from search.models import IndexedArticle
from search.stage.tagged_texts import INDEXED, TaggedText, parts_of, tagged
from search.stage.text_parts import PARTS_VERSION
from search.stage.texts_to_index import TaggerVersions, TextInput, read_articles

logger = logging.getLogger(__name__)

_BLOCKS_OF_PARTS = frozenset(map(int, IN_BODY.values()))


def add_with_parts(writer: IndexWriter, text: TaggedText) -> None:
    """Add a text with its parts; parts that it has no more go out."""
    writer.add(text.document)
    _add_parts(writer, text.source, text.parts)


def n_without_parts(limit: int) -> int:
    """Count articles that lack parts, up to a limit."""
    return len(_without_parts().values_list("pk", flat=True)[:limit])


def add_late_parts(
    limit: int, versions: TaggerVersions, overrides: LexiconOverrides, writer: IndexWriter
) -> Report:
    """Add the parts of up to `limit` articles that lack them; one generation for all.

    An article on which the tagger breaks stays without, until it is indexed anew.
    """
    rows = _without_parts().order_by("parts_version", "pk").values_list("pk", flat=True)
    row_ids = list(rows[:limit])
    if not row_ids:
        return Report()

    def add(some: Sequence[TextInput]) -> None:
        documents = tagged([_needed(item) for item in some], overrides)
        for item, (_, *parts) in zip(some, documents, strict=True):
            _add_parts(writer, item, parts)

    shown = [item for item in read_articles(row_ids, versions) if not item.is_hidden]
    for part in parts_of(shown):
        whole_or_each(part, add, _note_failure)
    writer.commit()
    IndexedArticle.objects.filter(pk__in=row_ids).update(parts_version=PARTS_VERSION)
    return Report(len(row_ids), done=Counter(parts=len(row_ids)))


def _note_failure(item: TextInput, error: Exception) -> None:
    logger.error("%s gets no parts", item.row, exc_info=error)


def _without_parts() -> QuerySet[IndexedArticle]:
    return IndexedArticle.objects.filter(
        parts_version__lt=PARTS_VERSION, outcome=INDEXED, due_at=None, quarantined_at=None
    )


def _needed(item: TextInput) -> TextInput:
    """Leave the body out where no part is taken from it: tagging it is most of the work."""
    has_parts = any(span.kind in _BLOCKS_OF_PARTS for span in item.blocks)
    return item if has_parts else replace(item, text="", blocks=())


def _add_parts(writer: IndexWriter, item: TextInput, parts: Iterable[IndexDocument]) -> None:
    added = set()
    for part in parts:
        writer.add(part)
        added.add(part.kind)
    if item.document.kind in ARTICLE_KINDS and item.row.parts_version:
        for kind in PART_KINDS - added:
            writer.remove(kind, item.document.key)
