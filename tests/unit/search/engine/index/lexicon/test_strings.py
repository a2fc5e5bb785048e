"""Numbered strings: by number, by string, by prefix, in any number of blobs."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.engine.index.lexicon.strings import StringTable, encode_strings

STRINGS = st.lists(
    st.text(st.characters(exclude_characters="\n", codec="utf-8"), max_size=8), unique=True
)


@given(STRINGS, st.lists(st.integers(0, 30), max_size=4), st.booleans())
def test_string_table_finds_what_came_in(strings, cuts, is_sorted):
    table = StringTable()
    edges = sorted({0, len(strings), *(cut for cut in cuts if cut < len(strings))})

    for begin, end in pairwise(edges):
        part = strings[begin:end]
        order = None
        if is_sorted and begin == 0:
            numbers = sorted(range(len(part)), key=lambda i: part[i].encode())
            order = np.array(numbers, dtype=np.uint32)
        table.extend(encode_strings(part), order)

    assert len(table) == len(strings)
    assert [table.get(i) for i in range(len(strings))] == strings
    assert [table.find(string) for string in strings] == list(range(len(strings)))
    assert [table.find(string) for string in strings] == list(range(len(strings)))  # remembered
    assert table.find("never\ncame") is None
    assert table.all() == strings


@given(STRINGS, STRINGS, st.lists(st.integers(0, 9)))
def test_many_strings_at_once_are_those_asked_for_one_by_one(strings, more, numbers):
    table = StringTable()
    table.extend(encode_strings(strings))
    wanted = np.array([number for number in numbers if number < len(strings)], dtype=np.uint32)
    expected = [strings[number] for number in wanted]

    assert table.get_all(wanted) == expected
    assert table.get_all(wanted) == expected  # as they were kept
    table.extend(encode_strings(more))
    assert table.get_all(wanted) == expected
    assert table.get_all(np.arange(len(table))) == [*strings, *more]


@given(STRINGS, st.integers(0, 20))
def test_chunks_from_a_number_on_hold_the_rest(strings, start):
    table = StringTable()
    for string in strings:
        table.extend(encode_strings([string]))

    rest = [chunk.get(i) for chunk in table.chunks(start) for i in range(chunk.first, chunk.stop)]

    assert rest == strings[start:]


def test_prefix_range_gives_sorted_numbers():
    strings = ["rain", "ran", "rainy", "snow", "ra", "räin"]
    order = np.array(sorted(range(6), key=lambda i: strings[i].encode()), dtype=np.uint32)
    table = StringTable()
    table.extend(encode_strings(strings), order)

    found = [strings[i] for i in table.prefix_range("rai")]

    assert found == ["rain", "rainy"]
