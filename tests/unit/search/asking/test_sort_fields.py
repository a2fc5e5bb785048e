"""The sort panel's fields and the keys they make."""

import pytest

from search.asking.sort_fields import join_sort, sort_rows, sort_words, with_second_key


@pytest.mark.parametrize(
    ("fields", "sort"),
    [
        ([], ""),
        (["node,r1"], "node,r1"),
        (["r1", ".lemma", ".rev", "-", ".desc", "pub", ".lemma", ".desc"], "r1.lemma.rev,pub.desc"),
        (["-", ".rev", "l1"], "l1"),
        ([".rev", "l1", ".dict"], "l1.dict"),
        (["new", ".rev", "random", ".desc"], "new,random.desc"),
        (["colour", ".rev"], "colour.rev"),
    ],
)
def test_fields_are_joined_to_keys(fields, sort):
    assert join_sort(fields) == sort


@pytest.mark.parametrize("sort", ["r1", "l1.lemma.rev,pub.desc", "node.dict,n2.pos,e1.word.desc"])
def test_the_fields_of_the_panel_make_the_same_keys(sort):
    fields = []
    for row in sort_rows(sort):
        fields += [value for value, _, is_chosen in row.places if is_chosen]
        fields += [value for value, _, is_chosen in row.attributes if is_chosen and value]
        fields += [".rev"] * row.is_retrograde + [".desc"] * row.is_descending
        fields += [".dict"] * row.is_dictionary

    assert join_sort(fields) == sort


def test_an_order_is_said_in_words():
    assert sort_words("r1.lemma.rev,pub.desc") == (
        "1st word right (lemma, from its end), publication (descending)"
    )


@pytest.mark.parametrize(
    ("sort", "key", "expected"),
    [
        ("r1,r2,r3", "l1", "r1,l1"),
        ("l1,node", "r1", "l1,node,r1"),
        ("pub", "r1", "pub,r1"),
        ("r1.lemma.rev,r2", "new", "r1.lemma.rev,new"),
        ("r1", "r1", ""),
        ("new", "l1", ""),
        ("r1,new", "l1", ""),
        ("l1,pub,r1", "node", ""),
    ],
)
def test_a_second_key_is_added_where_there_is_room(sort, key, expected):
    assert with_second_key(sort, key) == expected
