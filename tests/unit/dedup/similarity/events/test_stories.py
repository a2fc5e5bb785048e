"""Grouping of reports: what is one event and what is not, order, passes, editors' words."""

import random
from dataclasses import replace
from itertools import permutations

import event_texts as texts
import pytest

from dedup.similarity.events import stories
from dedup.similarity.events.likeness import SECONDS_PER_DAY, LikenessTable, Telling
from dedup.similarity.events.of_file import events
from dedup.similarity.events.stories import SAME_EVENT_FROM, Decided, Story, find_stories
from dedup.similarity.events.tfidf import terms

ALL = {
    "fire": texts.FIRE,
    "fire elsewhere": texts.FIRE_ELSEWHERE,
    "other fire": texts.OTHER_FIRE,
    "court": texts.COURT,
    "cricket": texts.CRICKET,
    "cricket later": texts.CRICKET_LATER,
}


def reports_of(*names, hours=(0,)):
    return [
        Telling(key, terms("", ALL[name]), seconds=3600.0 * hours[(key - 1) % len(hours)])
        for key, name in enumerate(names, start=1)
    ]


def prose(seed):
    """Eighty invented words that no other text has."""
    made = random.Random(seed)
    return " ".join("".join(made.choices("abcdefghij", k=8)) for _ in range(80))


def others(n=50):
    """Reports on nothing else's event, placed already: a window has more than two texts."""
    return [
        Telling(1000 + number, terms("", prose(f"other {number}")), story=-number - 1)
        for number in range(n)
    ]


def keys(stories):
    return [story.keys for story in stories if story.keys[0] < 1000]


def test_two_reports_of_one_fire_are_a_story_and_another_fire_is_none():
    found = find_stories(reports_of(*ALL))

    assert found == [Story(None, (1, 2))]


def test_order_of_arrival_does_not_matter_when_all_is_new():
    reports = reports_of(*ALL)

    found = {
        frozenset(frozenset(story.keys) for story in find_stories(order))
        for order in permutations(reports, len(reports))
        if order[0].key in {1, 6}
    }

    assert found == {frozenset([frozenset([1, 2])])}


@pytest.mark.parametrize(("days", "expected"), [(0, [(1, 2)]), (2, [(1, 2)]), (7, [])])
def test_the_further_apart_the_more_alike_reports_must_be(days, expected):
    reports = reports_of("fire", "fire elsewhere", hours=(0, 24 * days))

    assert keys(find_stories([*reports, *others()])) == expected


@pytest.mark.parametrize(("n_others", "expected"), [(50, [(1, 2)]), (0, [])])
def test_a_window_of_few_texts_needs_more(n_others, expected):
    reports = reports_of("fire", "fire elsewhere", hours=(0, 24))

    assert keys(find_stories([*reports, *others(n_others)])) == expected


def test_a_report_joins_the_story_that_is_there_and_keeps_its_name():
    first, second, other = reports_of("fire", "fire elsewhere", "court")
    placed = [replace(first, story=77), replace(other, story=-3)]

    assert find_stories([*placed, second]) == [Story(77, (1, 2)), Story(-3, (3,))]


def test_a_report_like_both_brings_two_stories_together_under_the_older_name():
    halves = texts.FIRE.split(". ")
    upper, lower = ". ".join(halves[:3]), ". ".join(halves[3:])
    reports = [
        Telling(1, terms("", upper), story=9),
        Telling(2, terms("", lower), story=4),
        Telling(3, terms("", texts.FIRE)),
    ]

    found = find_stories([*reports, *others()])

    assert found[0] == Story(4, (1, 2, 3), also=(9,))
    assert len(found) == 51


def test_a_report_like_both_does_not_bring_two_large_stories_together():
    halves = texts.FIRE.split(". ")
    upper, lower = ". ".join(halves[:3]), ". ".join(halves[3:])
    stories = [Telling(n, terms("", upper), story=9) for n in range(1, 5)]
    stories += [Telling(n, terms("", lower), story=4) for n in range(5, 9)]

    found = find_stories([*stories, Telling(9, terms("", texts.FIRE)), *others()])

    assert found[:2] == [Story(9, (1, 2, 3, 4, 9)), Story(4, (5, 6, 7, 8))]


@pytest.mark.parametrize(("n_shared", "found"), [(22, [(1, 2)]), (12, [])])
def test_texts_on_one_topic_need_a_closest_pair_besides_the_mean(n_shared, found):
    topic = prose("topic").split()[:n_shared]
    reports = [
        Telling(key, terms("", " ".join([*topic, *prose(f"report {key}").split()[n_shared:]])))
        for key in (1, 2)
    ]
    window = [*reports, *others(1000)]

    [likeness] = LikenessTable(window).row(0)[1].tolist()

    assert likeness > SAME_EVENT_FROM * 1.01
    assert keys(find_stories(window)) == found


def test_placed_reports_are_not_looked_at_again():
    reports = [replace(report, story=-report.key) for report in reports_of(*ALL)]

    assert keys(find_stories(reports)) == [(1,), (2,), (3,), (4,), (5,), (6,)]


def test_apart_holds_and_together_joins():
    reports = reports_of("fire", "fire elsewhere", "court")

    found = find_stories(reports, Decided(together=((1, 3),), apart=((2, 1),)))

    assert keys(found) == [(1, 3)]


def test_apart_holds_through_third_reports():
    reports = [
        *reports_of("fire", "fire elsewhere"),
        Telling(3, terms("", texts.FIRE), seconds=0.0),
    ]

    found = find_stories(reports, Decided(apart=((1, 2),)))

    assert keys(found) == [(1, 3)]


def test_decisions_on_articles_outside_the_window_are_passed_over():
    found = find_stories(reports_of("court"), Decided(together=((1, 99),), apart=((98, 99),)))

    assert found == []


def bulletins(title, site=""):
    return [
        Telling(
            day, terms(title.format(day), texts.BULLETIN.format(day, day)), title.format(day), site,
            seconds=float(day * SECONDS_PER_DAY),
        )
        for day in range(3)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "reports",
    [
        bulletins("Weather for {} June"),
        bulletins("Cape weather", site="karoo"),
        bulletins("", site="karoo"),
    ],
    ids=["dated titles", "same title of a site", "same words of a site"],
)
def test_bulletins_are_no_story(reports):
    assert find_stories(reports) == []


@pytest.mark.parametrize(("site", "day", "expected"), [("a", 1, []), ("b", 0, [(1, 2)])])
def test_same_words_are_an_issue_of_one_site_but_a_report_of_another(site, day, expected):
    first, second = reports_of("fire", "fire")
    second = replace(second, site=site, seconds=float(day * SECONDS_PER_DAY))

    assert keys(find_stories([replace(first, site="a"), second])) == expected


def test_two_reports_that_many_are_close_to_need_less(monkeypatch):
    monkeypatch.setattr(stories, "BEGINS_FROM", 9.0)
    topic = prose("topic").split()[:20]
    reports = [
        Telling(key, terms("", " ".join([*topic, *prose(f"report {key}").split()[20:]])))
        for key in range(1, 5)
    ]

    assert keys(find_stories([*reports[:3], *others(1000)])) == []
    assert keys(find_stories([*reports, *others(1000)])) == [(1, 2, 3, 4)]


def test_a_sentence_of_a_text_before_says_nothing_of_an_event():
    opening, first, second = texts.COLUMN_OPENING, texts.COLUMN_FIRST, texts.COLUMN_SECOND
    file = [("", opening), ("", first), ("", second)]

    assert events(file, [0, 1, 2]) == [0, 1, 2]


def test_copies_are_of_the_event_of_their_first_text():
    file = [("", texts.COURT), ("", texts.FIRE), ("", texts.COURT), ("", texts.FIRE_ELSEWHERE)]

    assert events(file, [0, 1, 0, 3]) == [0, 1, 0, 1]


def test_windows_of_a_file_overlap():
    file = [("", texts.COURT), ("", texts.FIRE), ("", texts.FIRE_ELSEWHERE), ("", texts.CRICKET)]

    assert events(file, [0, 1, 2, 3], window=4) == [0, 1, 1, 3]
    assert events(file, [0, 1, 2, 3], window=2) == [0, 1, 1, 3]


def test_no_texts_no_events():
    assert events([], []) == []
    assert find_stories([]) == []
