"""Documents and copies that two selections share, against pairing them one by one."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.query.filters import Copies, DocumentFilter, select
from search.engine.statistics.shared_texts import shared_copies, shared_documents

HERE, THERE = DocumentFilter(publications=("karoo",)), DocumentFilter(publications=("cape",))
papers = st.sampled_from(["karoo", "cape", "tribune"])


@pytest.fixture
def snapshot(tmp_path):
    karoo = [document(key, "The veld") for key in range(1, 4)]
    return snapshot_of(tmp_path, [*karoo, document(4, "The sea", publication="cape")])


def test_shared_documents_are_counted_with_and_without_masks(snapshot):
    everything, karoo = select(snapshot, DocumentFilter()), select(snapshot, HERE)

    assert shared_documents(everything, everything) == 4
    assert shared_documents(karoo, everything) == 3
    assert shared_documents(karoo, select(snapshot, THERE)) == 0


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(papers, st.integers(0, 4)), min_size=1, max_size=8),
    st.frozensets(papers),
    st.frozensets(papers),
    st.booleans(),
)
@example(
    texts=[("karoo", 0), ("cape", 1), ("tribune", 2)],
    one={"karoo", "cape"},
    other={"karoo", "tribune"},
    once=False,
)
def test_copies_on_both_sides_are_counted_as_when_paired(texts, one, other, once):
    """The cluster of a text is 0 or the number of its original, which may not be there."""
    copies = Copies.ONCE if once else Copies.ALL
    with tempfile.TemporaryDirectory() as folder:
        snapshot = snapshot_of(
            Path(folder),
            [
                document(key, "rain", publication=paper, duplicate_cluster=cluster)
                for key, (paper, cluster) in enumerate(texts, 1)
            ],
        )
        sides = [
            select(snapshot, DocumentFilter(publications=tuple(names), copies=copies))
            for names in (one, other)
        ]

        found = shared_copies(*sides)

        chosen = [keys_in(snapshot, side) for side in sides]
        both = chosen[0] & chosen[1]
        of = {key: cluster or key for key, (_, cluster) in enumerate(texts, 1)}
        here, there = ({of[key] for key in keys - both} for keys in chosen)
        is_cluster = {cluster for key, cluster in of.items() if cluster != key}
        assert found == len(here & there & is_cluster)


def keys_in(snapshot, selection):
    """Keys of the documents of a selection, one by one."""
    return {
        snapshot.document_info(view, row).key
        for view, mask in zip(snapshot.segments, selection.masks, strict=True)
        for row in range(view.segment.n_documents)
        if mask is None or mask[row]
    }
