"""The index of a database that `grow.py` has filled: rows of the index stage → its files.

The stage's own way but for its tagger, which would take hours for a million texts: tokens are cut
at white space, their tags stand in a table. Afterwards no text waits and the sweep finds nothing.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from grow import OWNER

from feeds.work.leases import Claim
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import IndexDocument
from search.lexicon import entries
from search.models import IndexedArticle, IndexedComment, IndexedText
from search.stage.index_rows import Committed, close
from search.stage.tagged_texts import INDEXED, LEFT_OUT, TaggedText
from search.stage.texts_to_index import (
    TextInput,
    read_articles,
    read_comments,
    tagger_versions,
)

TEXTS_A_COMMIT = 10_000
# Tag and lemma of the words of the texts; a number is one, all else a noun.
TAGS = {
    "Water": ("water", "NN"),
    "ran": ("run", "VBD"),
    "in": ("in", "IN"),
    "street": ("street", "NN"),
    "again": ("again", "RB"),
    "I": ("I", "PRP"),
    "agree": ("agree", "VBP"),
    "with": ("with", "IN"),
    "number": ("number", "NN"),
    ".": (".", "."),
}


def fill_index(now: datetime) -> None:
    """Index all texts whose rows are held by `OWNER`, and give the rows back."""
    terms = Claim(OWNER, now, timedelta(days=1))
    versions, revision = tagger_versions(), entries.in_force().revision
    started, n_texts = time.perf_counter(), 0
    with IndexWriter(settings.INDEX_DIR) as writer:
        for model, ids in _batches():
            read = read_articles if model is IndexedArticle else read_comments
            results = [_result(text) for text in read(ids, versions)]
            for result in results:
                if result.outcome == INDEXED:
                    writer.add(result.document)
            committed = Committed(writer.commit(), timezone.now(), revision)
            with transaction.atomic():
                close(model, results, committed, terms)
            n_texts += len(results)
        writer.optimize()
    seconds = time.perf_counter() - started
    print(f"{n_texts:>12,} {'texts in the index':<28} {seconds:6.1f} s", file=sys.stderr)


def _batches() -> Iterator[tuple[type[IndexedText], list[int]]]:
    for model in (IndexedArticle, IndexedComment):
        while ids := list(
            model.objects.filter(lease_owner=OWNER)
            .order_by("pk")
            .values_list("pk", flat=True)[:TEXTS_A_COMMIT]
        ):
            yield model, ids


def _result(text: TextInput) -> TaggedText:
    if text.is_hidden:
        return TaggedText(text, LEFT_OUT, text.document)
    return TaggedText(text, INDEXED, _with_tokens(text))


def _with_tokens(text: TextInput) -> IndexDocument:
    words = text.text.replace(".", " .").split()
    tokens = [(word, *TAGS.get(word, (word, "CD"))) for word in words]
    starts = [0, *(n + 1 for n, word in enumerate(words[:-1]) if word == ".")]
    return replace(text.document, tokens=tokens, sentence_starts=starts)
