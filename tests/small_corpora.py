"""Small indexes for tests: documents from strings, a folder written and read back."""

from pathlib import Path

from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind, IndexDocument
from search.engine.index.reader import IndexReader, Snapshot

DAY_SECONDS = 86_400


def tokens_of(text: str) -> list[tuple[str, str, str]]:
    """`rain/rain/NN falls` → triples; lemma and tag default to lower case and NN."""
    triples = []
    for piece in text.split():
        word, _, rest = piece.partition("/")
        lemma, _, tag = rest.partition("/")
        triples.append((word, lemma or word.lower(), tag or "NN"))
    return triples


def document(key: int, text: str, **changes) -> IndexDocument:
    """Make a document; sentences are separated by `|`."""
    sentences = [tokens_of(sentence) for sentence in text.split("|")]
    starts, tokens = [], []
    for sentence in sentences:
        starts.append(len(tokens))
        tokens += sentence
    values = {
        "kind": DocumentKind.ARTICLE,
        "publication": "karoo",
        "published_seconds": key * DAY_SECONDS,
    } | changes
    return IndexDocument(key=key, tokens=tokens, sentence_starts=starts, **values)


def write(folder: Path, *batches, **options) -> None:
    """Commit each batch of documents as a generation."""
    writer = IndexWriter(folder, **options)
    for batch in batches:
        with writer:
            for item in batch:
                writer.add(item)
            writer.commit()


def snapshot_of(folder: Path, *batches, **options) -> Snapshot:
    """Commit batches and open the result."""
    write(folder, *batches, **options)
    return IndexReader(folder).snapshot


def words_of(snapshot: Snapshot, kind: DocumentKind, key: int, generation=None) -> str | None:
    """The words of a stored document; None when the generation does not have it."""
    stored = snapshot.document(kind, key, generation)
    return None if stored is None else " ".join(token.word for token in stored.tokens)


def everything(snapshot: Snapshot, generation=None) -> dict[tuple[int, int], tuple]:
    """All current documents with tokens, sentences, spaces and columns, apart from generations."""
    at = snapshot.generation if generation is None else generation
    found = {}
    for view in snapshot.segments:
        mask = view.alive(at)
        for row in range(view.segment.n_documents):
            if mask is not None and not mask[row]:
                continue
            info = snapshot.document_info(view, row)
            stored = snapshot.document(info.kind, info.key, at)
            columns = (
                info.publication, info.section, info.author, info.language, info.day,
                info.published_seconds, info.ingested_seconds, info.duplicate_cluster,
                info.story_cluster, info.parent_key, info.is_changed, info.rights, info.is_undated,
                info.n_tokens,
            )  # fmt: skip
            tokens = [tuple(token) for token in stored.tokens]
            found[info.kind, info.key] = (
                tokens, stored.sentence_starts, stored.space_before, columns,
            )  # fmt: skip
    return found
