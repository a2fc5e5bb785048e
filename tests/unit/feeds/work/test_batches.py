"""What came of a batch, and how an item that breaks is kept from the others."""

from collections import Counter

import pytest

from feeds.work.batches import Report, each, whole_or_each


def test_reports_add_up_and_name_each_id_once():
    first = Report(2, Counter(articles=2), 1, {"articles": (3, 1)})
    second = Report(1, Counter(articles=1, comments=4), 0, {"articles": (1, 2), "comments": (7,)})

    assert sum([first, second], Report(10)) == Report(
        13, Counter(articles=3, comments=4), 1, {"articles": (3, 1, 2), "comments": (7,)}
    )


def test_batch_that_is_sound_is_written_at_once():
    assert whole_or_each([1, 2, 3], sum, pytest.fail) == [6]


def test_item_that_breaks_a_batch_is_put_aside_alone():
    aside = []

    def write(items):
        return [10 // item for item in items]

    found = whole_or_each([1, 0, 5], write, lambda item, error: aside.append((item, type(error))))

    assert found == [[10], [2]]
    assert aside == [(0, ZeroDivisionError)]


@pytest.mark.parametrize("take", [whole_or_each, each])
def test_what_the_machine_spoils_is_no_fault_of_an_item(take):
    def write(_):
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="gone"):
        take([1], write, pytest.fail)
