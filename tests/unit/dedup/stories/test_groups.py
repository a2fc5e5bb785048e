"""Which stories lost a text, and which part of one that was grouped anew keeps its number."""

from dedup.similarity.events.stories import Story
from dedup.stories.groups import left_by, named_as_before


def test_texts_that_are_found_elsewhere_or_nowhere_have_left():
    found = [Story(7, (1, 2)), Story(8, (3, 4), also=(9,)), Story(None, (5, 6))]

    assert left_by(found, {1: 7, 2: 8, 4: 9, 5: 10, 6: None, 20: 11}) == {8, 10, 11}


def test_largest_part_keeps_the_number_and_the_earliest_of_equal_ones():
    former = dict.fromkeys(range(1, 6), 7) | dict.fromkeys(range(11, 15), 8)
    found = [
        Story(None, (1, 2)),
        Story(None, (3, 4, 5)),
        Story(None, (11, 12)),
        Story(None, (13, 14)),
    ]

    named = named_as_before(found, former)

    assert [story.name for story in named] == [None, 7, 8, None]
    assert [story.keys for story in named] == [story.keys for story in found]


def test_one_text_is_no_part_and_a_story_with_a_number_keeps_it():
    found = [Story(None, (1, 30)), Story(5, (2, 3, 4)), Story(None, (40, 41))]

    assert named_as_before(found, dict.fromkeys(range(1, 5), 7)) == found
