"""First sightings of types, against a plain look at every document."""

from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.index.bulk import BulkBuilder
from search.index.documents import DocumentKind
from search.index.first_seen import NOWHERE, first_seen
from search.index.reader import IndexReader

TEXTS = st.text("abcd ", min_size=1, max_size=12)
BATCHES = st.lists(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3), TEXTS), max_size=4), max_size=5
)


def plainly(snapshot):
    """Word → (day, key) of the first current document that holds it."""
    found = {}
    for view in snapshot.segments:
        mask = view.alive(snapshot.generation)
        for row in range(view.segment.n_documents):
            if mask is None or mask[row]:
                info = snapshot.document_info(view, row)
                stored = snapshot.document(info.kind, info.key)
                for token in stored.tokens:
                    place = (info.published_seconds, int(info.kind), info.key)
                    found[token.word] = min(found.get(token.word, place), place)
    return found


def quickly(snapshot):
    seen = first_seen(snapshot)
    lexicon = snapshot.lexicon
    found = {}
    for number in range(lexicon.size.n_types):
        if seen.segment[number] != NOWHERE:
            view = snapshot.segments[seen.segment[number]]
            info = snapshot.document_info(view, int(seen.row[number]))
            assert int(seen.day[number]) == info.published_seconds // 86_400
            place = (info.published_seconds, int(info.kind), info.key)
            found[lexicon.form(int(lexicon.words[number]))] = place
    return found


@settings(deadline=None, max_examples=60)
@given(BATCHES, st.integers(1, 8))
def test_first_seen_equals_a_look_at_every_document(tmp_path_factory, batches, tail_tokens):
    documents = [
        [document(key, text, published_seconds=day * 86_400) for key, day, text in batch]
        for batch in batches
    ]

    snapshot = snapshot_of(tmp_path_factory.mktemp("seen"), *documents, tail_tokens=tail_tokens)

    assert quickly(snapshot) == plainly(snapshot)


def test_first_seen_looks_at_time_in_segments_of_another_order(tmp_path):
    with BulkBuilder(tmp_path) as builder:
        builder.add(document(5, "rain"))
        builder.add(document(2, "rain snow"))
        builder.add(document(3, "snow hail", kind=DocumentKind.COMMENT))
        builder.publish()

    assert quickly(IndexReader(tmp_path).snapshot) == {
        "rain": (2 * 86_400, 1, 2), "snow": (2 * 86_400, 1, 2), "hail": (3 * 86_400, 2, 3),
    }  # fmt: skip


def test_empty_index_has_seen_nothing(tmp_path):
    assert first_seen(IndexReader(tmp_path).snapshot).day.tolist() == []
