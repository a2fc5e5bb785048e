"""A packed text comes back as it was, and in little room."""

import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.revisions.packing import FollowingTextError, PackedText, pack, unpack

SENTENCES = Path(__file__).parents[3] / "data/south_african_sentences.txt"
LINE = st.text(st.characters(exclude_characters="\0\n"), min_size=1, max_size=30)
BLOCKS = st.lists(st.tuples(st.sampled_from(["paragraph", "heading", "caption"]), LINE), max_size=8)
MOMENT = st.none() | st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))]))


def packed_text(blocks, *, published_at=None, title="Fire", authors=("A. Botha",)):
    text = "\n".join(line for kind, line in blocks if kind != "caption")
    captions = "\n".join(line for kind, line in blocks if kind == "caption")
    places, at, behind = [], 0, len(text) + 1
    for kind, line in blocks:
        if kind == "caption":
            places.append([kind, behind, behind + len(line)])
            behind += len(line) + 1
        else:
            places.append([kind, at, at + len(line)])
            at += len(line) + 1
    return PackedText(
        title, text, captions, places, "Two died.", list(authors), "News", published_at, None,
        "en",
    )  # fmt: skip


@given(BLOCKS, MOMENT, LINE, st.lists(LINE, max_size=3))
def test_text_comes_back_as_it_was(blocks, published_at, title, authors):
    shown = packed_text(blocks, published_at=published_at, title=title, authors=authors)

    assert unpack(pack(shown)) == shown


def test_blocks_that_are_no_lines_keep_their_places():
    shown = replace(packed_text([("paragraph", "Two died.")]), blocks=[["quote", 4, 8]])

    assert unpack(pack(shown)) == shown


def test_all_that_belongs_to_a_text_takes_little_room():
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()[:80]
    shown = packed_text(
        [("paragraph", line) for line in lines], published_at=datetime(2026, 11, 20, 8, tzinfo=UTC)
    )

    assert len(pack(shown)) <= 1.1 * len(zlib.compress(shown.text.encode(), 9))


@given(BLOCKS, BLOCKS)
def test_text_comes_back_with_the_one_that_followed_it(blocks, later):
    shown, following = packed_text(blocks), packed_text(later).text

    assert unpack(pack(shown, following), following) == shown


def test_text_packed_with_another_one_is_refused_not_garbled():
    body = pack(packed_text([("paragraph", "Two died.")]), "Three died.")

    with pytest.raises(FollowingTextError):
        unpack(body, "Four died.")


def test_little_changed_text_takes_a_tenth_of_its_room():
    lines = [line for line in SENTENCES.read_text(encoding="utf-8").splitlines() if line][:80]
    shown = packed_text([("paragraph", line) for line in lines])

    body = pack(shown, shown.text.replace(lines[7], "Nobody was hurt."))

    assert len(body) <= len(zlib.compress(shown.text.encode(), 9)) / 10
