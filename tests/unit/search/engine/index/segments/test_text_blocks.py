"""Kinds of blocks: runs give back what was packed, and a segment keeps them through merges."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.index.building.merge import DAY_SEGMENTS
from search.engine.index.building.merging import merge_step
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.index.segments.text_blocks import (
    TextBlock,
    blocks_at,
    pack_blocks,
    unpack_blocks,
)

KINDS = st.lists(st.sampled_from([0, 0, 0, 1, 4, 7]), max_size=60)


@given(KINDS, st.randoms(use_true_random=False))
def test_runs_give_back_each_token(kinds, random):
    blocks = np.array(kinds, dtype=np.uint8)
    positions = [random.randrange(len(kinds)) for _ in kinds]

    starts, values = pack_blocks(blocks)

    assert unpack_blocks(starts, values, len(kinds)).tolist() == kinds
    found = blocks_at(starts, values, np.array(positions, dtype=np.int64))
    assert found.tolist() == [kinds[at] for at in positions]


def test_numbers_of_kinds_never_change():
    assert {kind.label: int(kind) for kind in TextBlock} == {
        "paragraph": 0, "heading": 1, "quote": 2, "list_item": 3, "caption": 4, "table_row": 5,
        "preformatted": 6, "embed": 7, "headline": 8, "standfirst": 9,
    }  # fmt: skip


def test_documents_are_read_back_with_their_blocks_also_after_a_merge(tmp_path):
    batches = [
        [document(key, "rain falls | sun", blocks=[key % 3, 0, 4])]
        for key in range(1, DAY_SEGMENTS + 1)
    ]
    plain = [document(99, "rain")]
    before = snapshot_of(tmp_path, *batches, plain, tail_tokens=1)

    while merge_step(tmp_path):
        pass
    after = IndexReader(tmp_path).snapshot

    assert len(after.segments) < len(before.segments)
    for snapshot in (before, after):
        for key in range(1, DAY_SEGMENTS + 1):
            assert snapshot.document(DocumentKind.ARTICLE, key).blocks == [key % 3, 0, 4]
        assert snapshot.document(DocumentKind.ARTICLE, 99).blocks == [0]


def test_a_segment_of_paragraphs_alone_has_no_sections_for_blocks(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain falls")])

    names = snapshot.segments[0].segment._container.arrays

    assert not {"block_starts", "block_kinds"} & set(names)
