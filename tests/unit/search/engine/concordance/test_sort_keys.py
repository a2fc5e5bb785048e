"""How sort keys are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.concordance.sort_keys import (
    NUMBERED,
    OF_TOKENS,
    SortAttribute,
    SortKey,
    SortKeyError,
    SortPlace,
    parse_keys,
    write_keys,
)

KEYS = st.builds(
    lambda place, number, attribute, flags: SortKey(
        place,
        number if place in NUMBERED else 0,
        attribute if place in OF_TOKENS else SortAttribute.LOWER,
        is_retrograde=flags[0] and place in OF_TOKENS,
        is_descending=flags[1],
        is_dictionary=flags[2] and place in OF_TOKENS,
    ),
    st.sampled_from(SortPlace),
    st.integers(1, 5),
    st.sampled_from(SortAttribute),
    st.tuples(*[st.booleans()] * 3),
)


@given(st.lists(KEYS))
def test_keys_are_read_as_they_are_written(keys):
    assert parse_keys(write_keys(keys)) == tuple(keys)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("r1,r2,r3", "r1,r2,r3"),
        ("l1.rev.lemma", "l1.lemma.rev"),
        ("node.dict.desc", "node.desc.dict"),
        ("r1.lower", "r1"),
        ("pub.desc,e1.pos", "pub.desc,e1.pos"),
        ("", ""),
    ],
)
def test_keys_have_one_way_of_writing(text, canonical):
    assert write_keys(parse_keys(text)) == canonical


@pytest.mark.parametrize(
    "text",
    ["colour", "l", "l0", "l6", "node1", "pub.rev", "pub.lemma", "r1.lemma.word", "r1.rev.rev",
     "r1.", ".r1", "r1.loud", "R1", "r11", "new.dict", "r1;r2", "r1 r2"],
)  # fmt: skip
def test_what_is_no_key_is_refused(text):
    with pytest.raises(SortKeyError, match="nothing to sort by"):
        parse_keys(text)
