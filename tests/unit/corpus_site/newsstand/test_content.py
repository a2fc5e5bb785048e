"""What the demo newspapers hold: enough, in three languages, with words worth a search."""

import re
from datetime import timedelta
from itertools import chain

import pytest

from corpus_site.newsstand.papers import PAPER_KEYS, read_paper
from corpus_site.newsstand.pieces import Flag, read_pieces
from corpus_site.newsstand.revisions import Fate
from dedup.similarity.events.likeness import Telling
from dedup.similarity.events.stories import find_stories
from dedup.similarity.events.tfidf import terms

STORIES = {key: read_pieces(key) for key in PAPER_KEYS}
ALL = tuple(chain.from_iterable(STORIES.values()))
COPIES = {"damvlakke-mzansi", "dam-levels-english"}
PAGES = [story for story in ALL if not story.flags & {Flag.GALLERY, Flag.MOVED}]


def last_paragraphs(story):
    paragraphs = story.paragraphs
    for revision in story.revisions:
        paragraphs = revision.paragraphs(paragraphs)
    return paragraphs


def n_words(story):
    """Words of the text that a story comes to in the end."""
    return sum(len(paragraph.split()) for paragraph in last_paragraphs(story))


@pytest.mark.parametrize(
    ("paper", "least"), [("karoo-courier", 20), ("die-vlaktenuus", 12), ("isibani", 8)]
)
def test_paper_has_enough_articles(paper, least):
    assert sum(story.paper == paper for story in PAGES) >= least


def test_articles_have_120_to_350_words():
    assert [(s.slug, n_words(s)) for s in PAGES if not 120 <= n_words(s) <= 350] == []


def test_every_story_has_title_standfirst_author_and_a_known_section():
    for story in ALL:
        assert story.title
        assert story.standfirst
        assert story.authors
        assert story.section in read_paper(story.paper).sections


def test_comments_are_many_and_answer_each_other():
    posts = [post for story in ALL if story.thread for post in story.thread.posts]

    assert len(posts) >= 60
    assert sum(post.parent is not None for post in posts) >= 20


def test_answers_come_after_what_they_answer():
    for story in ALL:
        by_number = {post.number: post for post in story.thread.posts} if story.thread else {}
        for post in by_number.values():
            if post.parent is not None:
                assert by_number[post.parent].delay < post.delay, story.slug


def test_of_the_threads_in_pages_one_is_over_and_one_gains_comments():
    over, growing = sorted(
        (story for story in ALL if Flag.IN_PAGE in story.flags),
        key=lambda story: story.thread.closes_after is None,
    )

    assert over.age > over.thread.closes_after
    assert growing.age < max(post.delay for post in growing.thread.posts)


def test_reserve_is_a_row_without_gaps():
    assert sorted(s.reserve for s in ALL if s.reserve is not None) == list(range(1, 15))


@pytest.mark.parametrize(
    "word",
    ["braai", "maas", "bakkie", "load-shedding", "robots", "spaza", "stokvel", "snoek"],
)  # fmt: skip
def test_south_african_words_occur(word):
    text = " ".join(chain.from_iterable(story.paragraphs for story in STORIES["karoo-courier"]))

    assert re.search(rf"\b{word}\b", text, re.IGNORECASE)


@pytest.mark.parametrize("flag", list(Flag))
def test_every_oddity_is_there(flag):
    assert sum(flag in story.flags for story in ALL) == 1 + (flag is Flag.IN_PAGE)


@pytest.mark.parametrize("fate", list(Fate))
def test_every_fate_befalls_a_story_within_two_days(fate):
    within = [
        story.slug
        for story in ALL
        for revision in story.revisions
        if revision.fate is fate
        and revision.delay - (story.age or timedelta()) < timedelta(hours=48)
    ]

    assert within


def test_revisions_stand_in_order_and_change_something():
    for story in ALL:
        delays = [revision.delay for revision in story.revisions]
        assert delays == sorted(set(delays)), story.slug
        for revision in story.revisions:
            assert revision.changes or revision.fate is not Fate.SHOWN, story.slug


def test_breaking_story_is_short_at_first():
    story = next(story for story in ALL if story.slug == "fire-at-the-mill")

    assert len(" ".join(story.paragraphs)) < 500
    assert n_words(story) > 150


def test_wire_story_is_printed_in_two_papers_and_edited_in_the_third():
    by_slug = {story.slug: story for story in ALL}
    wire = by_slug["dam-levels-wire"].paragraphs
    edited = by_slug["dam-levels-english"].paragraphs

    assert by_slug["damvlakke-mzansi"].paragraphs == wire
    assert edited[:-1] == wire[:-1]
    assert edited[-1].startswith(wire[-1])
    assert edited[-1] != wire[-1]


def test_one_event_is_reported_by_two_papers_in_words_of_their_own():
    found = find_stories(
        [
            Telling(
                number,
                terms(story.title, "\n".join(story.paragraphs)),
                story.title,
                story.paper,
                -story.age.total_seconds() if story.age else 0.0,
            )
            for number, story in enumerate(PAGES)
            if story.slug not in COPIES
        ]
    )

    assert [{PAGES[number].slug for number in story.keys} for story in found] == [
        {"ostrich-on-the-n12", "volstruis-n12-mzansi"}
    ]
