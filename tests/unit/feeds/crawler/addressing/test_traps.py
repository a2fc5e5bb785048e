"""Traps are noticed, whatever is endless in them; archives are not, however long they are."""

import itertools
import random
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feeds.crawler.addressing.traps import (
    BARREN_PAGES,
    BARREN_STORIES,
    MAX_FAMILIES,
    Traps,
    family_of,
    seen_page,
)

HOME = "https://karoo.example"
MONTHS = "January February March April May June July August September October November December"
TRAPS = {
    "calendar": lambda n: f"/events/{1900 + n // 12}/{1 + n % 12}/",
    "session": lambda n: f"/news/?PHPSESSID={n:032x}",
    "session in the path": lambda n: f"/news;jsessionid={n:032X}",
    "parameters": lambda n: f"/news/?page={n}&ref={n - 1}&sort={'ud'[n % 2]}",
    "path": lambda n: "/" + "again/" * (n % 40) + "news/" * (n // 40) + "again/news/",
}
LIKELY = {
    "calendar": "They are days of a calendar, it seems.",
    "session": "Each address carries another session, it seems.",
    "session in the path": "The same page comes at ever new paths, it seems.",
    "parameters": "Their parameters have no end, it seems.",
    "path": "The same page comes at ever new paths, it seems.",
}


def _page(url, words, stories=(), *, is_story=False):
    text = f"<html><script>var t{len(url)} = 'zq{hash(url)}x';</script><body>{words}</body>"
    return seen_page(url, text.encode(), stories, is_story=is_story)


def _first_stop(pages, n_most=3_000):
    traps = Traps()
    for n, page in enumerate(itertools.islice(pages, n_most), start=1):
        if sentence := traps.see(page):
            return n, sentence
    return None


@pytest.mark.parametrize("name", TRAPS)
def test_trap_is_stopped_with_a_sentence(name):
    pages = (
        _page(
            HOME + TRAPS[name](n),
            f"Events of {MONTHS.split()[n % 12]} {1900 + n // 12}, read next",
            [f"{HOME}/rain-in-the-karoo?PHPSESSID={n:032x}"],
        )
        for n in itertools.count()
    )

    n, sentence = _first_stop(pages)

    assert n <= 12 + BARREN_PAGES
    assert sentence.endswith(f"showed nothing new. {LIKELY[name]}")


def test_not_found_that_is_answered_as_if_all_were_well_is_stopped():
    pages = (
        _page(
            f"{HOME}/news/story-{n}-that-is-gone",
            "Sorry, this page is not here. Read the newest instead.",
            [f"{HOME}/story-{n}-of-today"],
            is_story=True,
        )
        for n in itertools.count()
    )

    n, sentence = _first_stop(pages)

    assert n == BARREN_STORIES + 1
    assert sentence.endswith("The site answers so for pages that are not there, it seems.")


STORY_ADDRESSES = {
    "names": lambda n: f"{HOME}/news/story-{n}-of-the-karoo",
    "numbers": lambda n: f"{HOME}/story.php?id={n}",
    "uuids in paths": lambda n: f"{HOME}/story/{UUID(int=n)}",
    "days": lambda n: f"{HOME}/{1990 + n // 300}/{1 + n % 12}/story-{n}/",
}
LIST_ADDRESSES = {
    "pages": lambda n: f"{HOME}/news/page/{n}/",
    "parameter": lambda n: f"{HOME}/news/?page={n}",
    "days": lambda n: f"{HOME}/archive/{1900 + n // 366}/{1 + n // 31 % 12}/{1 + n % 31}/",
}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(STORY_ADDRESSES)),
    st.sampled_from(sorted(LIST_ADDRESSES)),
    st.integers(1, 20),
    st.integers(0, 30),
    st.integers(0, BARREN_PAGES - 2),
)
def test_archive_is_not_stopped_however_like_its_pages_are(story, lists, n_stories, n_margin, gap):
    """Each page that is no gap names one new story at least; the words of all are the same."""
    margin = [f"{HOME}/margin-{n}-of-the-karoo" for n in range(n_margin)]

    def page(n):
        own = range(n * n_stories, (n + 1) * n_stories) if n % (gap + 1) == 0 else ()
        named = [STORY_ADDRESSES[story](number) for number in own]
        return _page(HOME + LIST_ADDRESSES[lists](n).removeprefix(HOME), "A story", margin + named)

    assert _first_stop(map(page, itertools.count()), 400) is None


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 30))
def test_stories_of_a_small_vocabulary_are_not_stopped(seed):
    source = random.Random(seed)
    vocabulary = [
        f"w{a}{b}{c}{d}" for a in "aeiou" for b in "bdfgklmn" for c in "aeiou" for d in "lrst"
    ]

    def page(n):
        words = " ".join(source.choices(vocabulary, k=150))
        return _page(f"{HOME}/news/story-{n}-x", words, is_story=True)

    assert _first_stop(map(page, itertools.count()), 600) is None


@given(st.lists(st.integers(0, 200), max_size=300))
def test_what_is_kept_is_bounded_and_comes_back_as_it_was(numbers):
    traps = Traps()
    for n in numbers:
        traps.see(_page(f"{HOME}/{chr(97 + n % 26)}x{'y' * (n // 26)}/", f"word{n}"))

    assert len(traps.families) <= MAX_FAMILIES
    assert Traps.of_stored(traps.stored()) == traps


def test_family_that_is_stopped_holds_its_addresses_and_no_others():
    traps = Traps(stopped={family_of(f"{HOME}/events/2026/11/"): "sentence"})

    assert [traps.holds(f"{HOME}/{path}") for path in ("events/1999/1/", "events/", "news/")] == [
        True,
        False,
        False,
    ]
