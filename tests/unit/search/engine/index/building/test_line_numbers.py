"""Lines get the numbers a dictionary would give them, whatever their length and however many."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.index.building import line_numbers, line_table
from search.engine.index.building.line_numbers import LineNumbers, n_lines_in
from search.engine.index.building.line_table import N_WORDS, LineTable
from search.engine.index.errors import TokenLineError
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.lexicon.lexicon import Lexicon

LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "a", "b", "é" * 16, "x" * 31, "x" * 32, "x" * 33, "x" * 34]),
        st.text(st.characters(exclude_characters="\n\0", codec="utf-8"), max_size=40),
    ),
    max_size=60,
)


def numbering():
    return LineNumbers(LexiconBuilder(Lexicon()), lambda line: (line, "", ""))


def numbers_by_dictionary(lines):
    known = {}
    return [known.setdefault(line, len(known)) for line in lines]


@settings(deadline=None)
@given(st.lists(LINES, max_size=4), st.sampled_from([3, 1 << 14]))
def test_lines_are_numbered_as_by_a_dictionary(texts, at_once):
    numbers = numbering()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_numbers, "LINES_AT_ONCE", at_once)
        found = [
            numbers.of("".join(f"{line}\n" for line in text).encode()).tolist() for text in texts
        ]

    every = numbers_by_dictionary([line for text in texts for line in text])
    assert [number for text in found for number in text] == every
    assert [len(text) for text in found] == [len(text) for text in texts]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 50), unique=True, max_size=30), max_size=5), st.booleans())
def test_rows_are_found_where_homes_collide(batches, share_a_home):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_table, "FIRST_BITS", 1)
        if share_a_home:
            patch.setattr(line_table, "MULTIPLIERS", np.zeros(N_WORDS, dtype=np.uint64))
        table = LineTable()
        known = {}
        for batch in batches:
            new = [value for value in batch if value not in known]
            known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
            table.add(rows_of(new), np.array([known[value] for value in new], dtype=np.uint32))

        numbers, unknown = table.find(rows_of(range(51)))

    assert unknown.tolist() == [value for value in range(51) if value not in known]
    assert {value: int(numbers[value]) for value in known} == known


def rows_of(values):
    rows = np.zeros((len(values), N_WORDS), dtype=np.uint64)
    rows[:, 0] = list(values)
    return rows


def test_a_line_that_is_not_utf_8_is_named():
    with pytest.raises(TokenLineError) as caught:
        numbering().of(b"a\nb\nr\xe9ns\n")

    assert (caught.value.line, caught.value.reason) == (2, "byte 0xe9 is not UTF-8")


def test_line_feeds_are_counted():
    assert [n_lines_in(data) for data in (b"", b"a", b"a\n", b"\n\n")] == [0, 0, 1, 2]
