"""What makes no version: clocks, counters, advertisements, teasers, the order of lines."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.revisions.noise import telling_part, version_digest

BODY = ("Two men were held in Worcester on Monday.", "The hearing goes on at 09:00 on Friday.")


def digest(*lines, title="Two held"):
    return version_digest(title, "\n".join(lines))


@pytest.mark.parametrize(
    "line",
    [
        "Updated 14:05",
        "Last updated: 20 November 2026 at 14:05",
        "Last updated on Monday, 20 November 2026 at 14:05 SAST.",
        "Published 2026-11-20T14:05:31+02:00",
        "20 Nov 2026, 2:05 PM",
        "14:05",
        "5 minutes ago",
        "an hour ago",
        "Just now",
        "3 min read",
        "1 204 views",
        "1.2k shares",
        "Comments (17)",
        "Gepubliseer op 12 Maart 2026",
        "Advertisement",
        "- ADVERTISEMENT -",
        "Story continues below advertisement",
        "Continue reading below",
        "READ MORE: Rain closes two passes in the Boland",
        "ALSO READ | Rain closes two passes in the Boland",
        "Lees ook: Reën sluit twee passe",
    ],
)
def test_noise_comes_goes_and_changes_without_a_version(line):
    assert telling_part(line) == ""
    assert digest(line, *BODY) == digest(*BODY) == digest(*BODY, line)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("By Thandi Nkosi, 5 minutes ago", "By Thandi Nkosi, 2 hours ago"),
        ("Thandi Nkosi | 14:05 | 12 comments", "Thandi Nkosi | 16:30 | 230 comments"),
    ],
)
def test_times_and_counts_beside_a_byline_are_no_change(first, second):
    assert digest(first, *BODY) == digest(second, *BODY)
    assert digest(first, *BODY) != digest(first.replace("Thandi", "Sipho"), *BODY)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The hearing goes on at 09:00 on Friday.", "The hearing goes on at 11:00 on Friday."),
        ("He had left 5 minutes ago.", "He had left 10 minutes ago."),
        ("Five died.", "Six died."),
        ("Chiefs 2 Pirates 1", "Chiefs 2 Pirates 2"),
        ("45", "46"),
        ("R1.2m", "R1.3m"),
        ("Read the whole letter here", "Read the short letter here"),
        ("“We saw it 2 hours ago”, said one", "“We saw it 3 hours ago”, said two"),
    ],
)
def test_words_and_figures_of_the_text_are_a_change(first, second):
    assert digest(*BODY, first) != digest(*BODY, second)


def test_headline_is_a_change_but_its_case_and_quotes_are_none():
    assert digest(*BODY, title="Two “held”") == digest(*BODY, title='two "HELD"')
    assert digest(*BODY, title="Two held") != digest(*BODY, title="Three held")


def test_line_that_stands_there_twice_is_another_text():
    assert digest(*BODY, BODY[0]) != digest(*BODY)


LINES = st.lists(
    st.sampled_from([*BODY, "Updated 14:05", "Six died.", "45", "Advertisement", "Read more: X"]),
    max_size=8,
)


@given(LINES, st.randoms(use_true_random=False))
def test_order_of_lines_never_counts(lines, chance: random.Random):
    shuffled = list(lines)
    chance.shuffle(shuffled)
    assert digest(*lines) == digest(*shuffled)


@given(LINES)
def test_digest_is_that_of_what_is_no_noise(lines):
    assert digest(*lines) == digest(*[line for line in lines if telling_part(line)])
