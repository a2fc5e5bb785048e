"""One page of each comment system, written after its public markup: two comments and an answer.

The pages are in `tests/data/comments/systems`. Each holds what is no comment as well: buttons,
avatars, edit links, a form, pingbacks, the place of a deleted comment.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from extraction.html.markup.parse import parse_html
from extraction.html.reader_comments.comment_times import Clock
from extraction.html.reader_comments.page_comments import read_page_comments

ARTICLE = (
    "<article><h1>Fire</h1><p>" + "The harbour burned through the night. " * 12 + "</p></article>"
)
NOW = datetime(2024, 6, 7, 12, 0, tzinfo=UTC)
FIRST, SECOND, THIRD = "It was the wind again.", "No.\nIt was not.", "I like it"
FORM = (
    '<div id="respond"><h3>Leave a Reply</h3>'
    "<form><p>Your name</p><textarea></textarea></form></div>"
)
PAGES = Path(__file__).resolve().parents[4] / "data" / "comments" / "systems"
SYSTEMS = (
    "wordpress-classic", "twenty-twelve", "twenty-seventeen", "comment-blocks", "wpdiscuz",
    "wpdiscuz-old", "drupal-8", "drupal-7", "blogger", "typepad", "discourse",
)  # fmt: skip


def page(name):
    return (PAGES / f"{name}.html").read_text(encoding="utf-8")


def read(html, article=ARTICLE):
    return read_page_comments(parse_html(f"<body>{article}{html}{FORM}</body>"), Clock(now=NOW))


def in_short(comments):
    """Author, text and the author of the comment that is answered."""
    authors = {comment.id: comment.author for comment in comments}
    return [(one.author, one.text, authors.get(one.parent, "")) for one in comments]


@pytest.mark.parametrize("name", [*SYSTEMS, "own"])
def test_comments_of_a_system_and_nothing_else(name):
    assert in_short(read(page(name)).comments) == [
        ("Thandi", FIRST, ""),
        ("Piet", SECOND, "Thandi"),
        ("Anna", THIRD, ""),
    ]


@pytest.mark.parametrize("name", SYSTEMS)
def test_times_of_a_system(name):
    assert [comment.posted_at for comment in read(page(name)).comments] == [
        datetime(2024, 6, 5, 10, 30, tzinfo=UTC),
        datetime(2024, 6, 5, 11, 0, tzinfo=UTC),
        datetime(2024, 6, 6, 9, 0, tzinfo=UTC),
    ]


def test_ages_are_counted_from_the_fetch_and_said_to_be_near():
    assert [(one.posted_at, one.is_near) for one in read(page("own")).comments] == [
        (datetime(2024, 6, 5, 12, 0, tzinfo=UTC), True),
        (datetime(2024, 6, 5, 11, 0, tzinfo=UTC), True),
        (datetime(2024, 6, 6, 9, 0, tzinfo=UTC), True),
    ]


def test_first_post_of_a_forum_is_its_text():
    assert in_short(read(page("forum"), "").comments) == [
        ("Thandi", FIRST, ""),
        ("Piet", SECOND, "Thandi"),
        ("Anna", THIRD, ""),
    ]


@pytest.mark.parametrize(
    ("heading", "count"),
    [
        ("134 Comments", 134),
        ("Kommentare (12)", 12),
        ("2 Comments", 0),  # fewer than stand there
        ("Comments", 0),
    ],
)
def test_number_that_the_page_names(heading, count):
    html = page("twenty-twelve").replace("3 thoughts", heading)

    assert read(html).count == count


@pytest.mark.parametrize(
    "name", ["recent", "sidebar", "teaser", "by-script", "trackback", "author"]
)
def test_what_stands_beside_comments_is_none(name):
    assert read(page(f"none-{name}")).comments == ()
