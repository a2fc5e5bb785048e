"""Slices of hits and documents, against a slow evaluator on random small corpora."""

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.index.documents import UNIX_EPOCH, DocumentKind
from search.engine.index.segments.text_blocks import TextBlock
from search.engine.query.filters import Copies, DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.slices import OF_TOKENS, STROKES, parse_slice
from search.engine.statistics.slicing import (
    hours,
    narrow_hits,
    narrow_selection,
    quarter_of,
    quarter_tokens,
    weekdays,
)

JOHANNESBURG = ZoneInfo("Africa/Johannesburg")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour:red", "is no part of the corpus"),
        ("pub", "is no part of the corpus"),
        ("kind:letter", "is no part of the corpus"),
        ("days:2026-09-01", "are no days"),
        ("days:2026-09-31..2026-10-01", "are no days"),
        ("days:2026-09-02..2026-09-01", "are no days"),
        ("days:２０26-09-01..2026-09-02", "are no days"),
        ("hour:24", "is no hour: 0 to 23"),
        ("weekday:0", "is no weekday: 1 to 7"),
        ("quarter:5", "is no quarter: 1 to 4"),
        ("hour:٣", "is no hour"),
        ("block:verse", "is no part of the corpus"),
        ("text:x12", "“x12” is no text"),
        ("text:0", "“0” is no text"),
        ("text:", "“” is no text"),
        ("text:1000000000000000000", "is no text"),
        ("-quarter:1", "“-quarter:1” cannot be left out"),
        ("-lower:rain", "cannot be left out"),
        ("--pub:karoo", "“-pub:karoo” is no part of the corpus"),
        ("-colour:red", "is no part of the corpus"),
    ],
)
def test_a_wrong_slice_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        parse_slice(text)


@pytest.mark.parametrize(
    "text",
    [
        *("days:2026-09-01..2026-09-30", "pub:karoo", "sec:", "author:A: B", "hour:0"),
        *("kind:comment", "block:quote", "block:running", "text:12", "text:c12", "text:q3"),
        *("-pub:karoo", "-author:A: B", "-days:2026-09-01..2026-09-30", "-text:c12"),
    ],
)
def test_a_slice_is_written_as_it_is_read(text):
    assert str(parse_slice(text)) == text


@given(st.lists(st.integers(0, 40_000), min_size=1))
def test_weekdays_are_those_of_the_calendar(days):
    wanted = [(UNIX_EPOCH + dt.timedelta(days=day)).isoweekday() for day in days]

    assert weekdays(np.array(days)).tolist() == wanted


@pytest.mark.parametrize(
    "zone", [JOHANNESBURG, ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kathmandu")]
)
@given(seconds=st.lists(st.integers(0, 2_000_000_000), min_size=1))
def test_hours_are_those_of_the_clock(zone, seconds):
    wanted = [dt.datetime.fromtimestamp(second, zone).hour for second in seconds]

    assert hours(np.array(seconds), zone).tolist() == wanted


@given(st.lists(st.integers(0, 30), min_size=1))
def test_the_tokens_of_the_quarters_are_those_of_the_texts(lengths):
    found = quarter_tokens(np.array(lengths))

    quarters = [
        quarter
        for length in lengths
        for quarter in quarter_of(np.arange(length), np.full(length, length)).tolist()
    ]
    assert found.tolist() == [quarters.count(number) for number in (1, 2, 3, 4)]


documents = st.lists(
    st.builds(
        lambda key, words, **columns: (key, " ".join(words), columns),
        st.integers(1, 6),
        st.lists(st.sampled_from(["rain", "sun", "wind"]), min_size=1, max_size=9),
        publication=st.sampled_from(["karoo", "cape"]),
        section=st.sampled_from(["", "Sport"]),
        kind=st.sampled_from(list(DocumentKind)),
        published_seconds=st.integers(0, 40 * 86_400),
        duplicate_cluster=st.sampled_from([0, 0, 1, 2]),
    ),
    min_size=1,
    max_size=10,
)
slices = st.lists(
    st.sampled_from(
        [
            "pub:karoo", "pub:nobody", "sec:", "sec:Sport", "kind:comment", "weekday:4", "hour:3",
            "days:1970-01-05..1970-01-20", "quarter:1", "quarter:4", "stroke:1", "stroke:601",
            "block:quote", "block:running", "block:paragraph", "text:2", "text:c1",
            "-pub:karoo", "-sec:", "-weekday:4", "-days:1970-01-05..1970-01-20", "-text:2",
        ]
    ),
    max_size=3,
    unique=True,
)  # fmt: skip


def with_blocks(item, key):
    """Let some documents have quotes and captions."""
    kinds = [TextBlock.PARAGRAPH, TextBlock.QUOTE, TextBlock.QUOTE, TextBlock.CAPTION]
    blocks = [kinds[(key + place) % 4] for place in range(len(item.tokens))]
    return replace(item, blocks=blocks if key % 2 else ())


LETTERS = {DocumentKind.ARTICLE: "", DocumentKind.COMMENT: "c", DocumentKind.POST: "m"}


def is_in(text, info):
    if text.startswith("-"):
        return not is_in(text[1:], info)
    column, _, value = text.partition(":")
    if column == "days":
        return dt.date(1970, 1, 5) <= info.day <= dt.date(1970, 1, 20)
    values = {
        "pub": info.publication,
        "sec": info.section,
        "kind": info.kind.label,
        "text": f"{LETTERS[info.kind]}{info.key}",
        "weekday": str(info.day.isoweekday()),
        "hour": str(dt.datetime.fromtimestamp(info.published_seconds, JOHANNESBURG).hour),
    }
    return column in OF_TOKENS or values[column] == value


def slow_counts(snapshot, selection, texts):
    """Hits of “rain”, tokens and texts of the slices, token by token in order of time."""
    chosen = []
    for view, mask in zip(snapshot.segments, selection.masks, strict=True):
        for row in range(view.segment.n_documents):
            info = snapshot.document_info(view, row)
            if (mask is None or mask[row]) and all(is_in(text, info) for text in texts):
                bounds = view.segment.bounds[row : row + 2]
                stored = snapshot.tokens(view.segment.stream[slice(*bounds)])
                blocks = view.segment.blocks_at(np.arange(*bounds)).tolist()
                chosen.append((info, list(zip(stored, blocks, strict=True))))
    chosen.sort(key=lambda pair: (pair[0].published_seconds, pair[0].kind, pair[0].key))
    n_tokens = sum(len(stored) for _, stored in chosen)
    found, begin = [], 0
    for info, stored in chosen:
        for place, (token, block) in enumerate(stored):
            parts = {
                f"block:{TextBlock(block).label}",
                "block:running" if block != TextBlock.CAPTION else "",
                f"quarter:{4 * place // len(stored) + 1}",
                f"stroke:{STROKES * (begin + place) // n_tokens + 1}",
            }
            if all(text in parts for text in texts if text.partition(":")[0] in OF_TOKENS):
                found.append((token.word, info.kind, info.key))
        begin += len(stored)
    hits = sum(word == "rain" for word, _, _ in found)
    return hits, len(found), len({(kind, key) for _, kind, key in found})


@settings(max_examples=60, deadline=None)
@given(
    batches=st.lists(documents, min_size=1, max_size=3),
    texts=slices,
    query=st.sampled_from(['"rain"', '"rain" []?']),
    once=st.booleans(),
    back=st.integers(0, 2),
)
def test_slices_hold_the_hits_and_tokens_of_their_documents(
    tmp_path_factory, batches, texts, query, once, back
):
    batches = [
        [with_blocks(document(key, text, **columns), key) for key, text, columns in batch]
        for batch in batches
    ]
    snapshot = snapshot_of(tmp_path_factory.mktemp("index"), *batches, tail_tokens=20)
    copies = Copies.ONCE if once else Copies.ALL
    wanted = DocumentFilter(copies=copies, generation=max(1, snapshot.generation - back))
    selection = select(snapshot, wanted)
    chosen = [parse_slice(text) for text in texts]

    narrowed = narrow_selection(selection, chosen, JOHANNESBURG)
    found = run(snapshot, parse(query, Language.CQL), wanted)
    hits = narrow_hits(found, selection, chosen, JOHANNESBURG)

    n_hits, n_tokens, n_texts = slow_counts(snapshot, selection, texts)
    assert (narrowed.base.n_tokens, narrowed.base.n_documents) == (n_tokens, n_texts)
    assert hits.base == narrowed.base
    if "[]" not in query:
        assert hits.total == n_hits
        assert int(sum(part.document_counts.sum() for part in hits.parts)) == n_hits
