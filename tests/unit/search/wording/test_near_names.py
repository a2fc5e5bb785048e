"""Names like one that no text has."""

from search.wording.near_names import LONGEST_NAME, near_names


def test_only_names_of_a_name_s_length_are_compared_letter_by_letter():
    name = "a" * LONGEST_NAME

    assert near_names(name, [name[1:]]) == [name[1:]]
    assert near_names(f"{name}a", [name]) == []
