"""Random small corpora with replaced and removed documents, and what a selection of them holds.

The obvious evaluator of word statistics: documents as lists of triples, counted one by one.
"""

import datetime as dt
from collections import Counter
from pathlib import Path

from hypothesis import strategies as st
from small_corpora import document

from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import TEXT_KINDS, UNIX_EPOCH, DocumentKind, IndexDocument
from search.engine.index.reader import IndexReader, Snapshot
from search.engine.query.filters import DocumentFilter

WORDS = ("the/the/DT", "The/the/DT", "rain/rain/NN", "Rain/rain/NNP", "rain/rain/VB", "it's/it/PRP",
         "7/7/CD", ",/,/,", "snow/snow/NN", "I/i/PRP", "i/i/PRP", "élan/élan/NN")  # fmt: skip
PAPERS = ("karoo", "cape", "veld")

# Articles and comments, and a part of an article, which counts only where it is asked for.
KINDS = (*sorted(TEXT_KINDS), *sorted(TEXT_KINDS), DocumentKind.HEADLINE)

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
documents = st.builds(
    lambda key, text, paper, kind, is_undated: document(
        key, text, publication=paper, kind=kind, is_undated=is_undated
    ),
    st.integers(1, 6),
    texts,
    st.sampled_from(PAPERS),
    st.sampled_from(KINDS),
    st.sampled_from([False, False, True]),
)


def batches_of(documents, max_size):
    """Generations: each has documents to add (again), and identities to remove."""
    added = st.lists(
        documents, min_size=1, max_size=4, unique_by=lambda item: (item.kind, item.key)
    )
    removed = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 6)), max_size=1)
    return st.lists(st.tuples(added, removed), min_size=1, max_size=max_size)


batches = batches_of(documents, max_size=4)
filters = st.builds(
    lambda kinds, papers, first, back: DocumentFilter(
        kinds=frozenset(kinds),
        publications=tuple(papers),
        first_day=None if first is None else UNIX_EPOCH + dt.timedelta(days=first),
        generation=back,
    ),
    st.sets(st.sampled_from(KINDS), max_size=1),
    st.sets(st.sampled_from(PAPERS), max_size=2),
    st.none() | st.integers(1, 6),
    st.none() | st.integers(1, 4),
)


def build(folder: Path, batches, **options) -> Snapshot:
    """Commit each batch and open the result."""
    writer = IndexWriter(folder, **options)
    for added, removed in batches:
        with writer:
            for item in added:
                writer.add(item)
            for kind, key in removed:
                if all((item.kind, item.key) != (kind, key) for item in added):
                    writer.remove(kind, key)
            writer.commit()
    return IndexReader(folder).snapshot


def plain_selection(batches, wanted: DocumentFilter) -> list[IndexDocument]:
    """The documents that a filter lets through, by walking the batches."""
    current: dict[tuple[int, int], IndexDocument] = {}
    for added, removed in batches[: wanted.generation]:
        for kind, key in removed:
            if all((item.kind, item.key) != (kind, key) for item in added):
                current.pop((kind, key), None)
        current |= {(item.kind, item.key): item for item in added}
    return [item for item in current.values() if _is_wanted(item, wanted)]


def _is_wanted(item: IndexDocument, wanted: DocumentFilter) -> bool:
    day = UNIX_EPOCH + dt.timedelta(days=item.day_number)
    return (
        item.kind in (wanted.kinds or TEXT_KINDS)
        and (not wanted.publications or item.publication in wanted.publications)
        and (wanted.first_day is None or (day >= wanted.first_day and not item.is_undated))
    )


def value_of(token: tuple[str, str, str], attribute: str) -> str:
    """What a token counts as."""
    word, lemma, tag = token
    return {"word": word, "lower": word.lower(), "lemma": lemma, "pos": tag}[attribute]


def plain_counts(items: list[IndexDocument], attribute: str) -> tuple[Counter, Counter]:
    """Tokens and documents by value."""
    tokens: Counter = Counter()
    found_in: Counter = Counter()
    for item in items:
        values = [value_of(token, attribute) for token in item.tokens]
        tokens.update(values)
        found_in.update(set(values))
    return tokens, found_in
