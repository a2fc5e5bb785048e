"""Dates, ages, captions and signatures of comments in languages of other scripts."""

from datetime import UTC, datetime

import pytest

from extraction.html.markup.parse import parse_html
from extraction.html.reader_comments.comment_times import Clock
from extraction.html.reader_comments.comment_words import is_caption, is_gone, plain_name
from extraction.html.reader_comments.page_comments import read_page_comments

CLOCK = Clock(now=datetime(2024, 6, 1, 12, 0, tzinfo=UTC))


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("6 Μαρτίου 2008 στις 9:14 μμ", "2008-03-06T21:14"),
        ("6 Μαρτίου 2008 στις 9:14 πμ", "2008-03-06T09:14"),
        ("6. března 2024 14:02", "2024-03-06T14:02"),
        ("6 martie 2024, 14:02", "2024-03-06T14:02"),
        ("6 березня 2024 14:02", "2024-03-06T14:02"),
        ("6. maaliskuuta 2024 14:02", "2024-03-06T14:02"),
        ("6 במרץ 2024 14:02", "2024-03-06T14:02"),
        ("2024년 3월 6일 오후 2:02", "2024-03-06T14:02"),
        ("6 مارس 2024 2:02 م", "2024-03-06T14:02"),
    ],
)
def test_dates_are_read(written, moment):
    assert f"{CLOCK.read(written).at:%Y-%m-%dT%H:%M}" == moment


@pytest.mark.parametrize(
    "written",
    ["3시간 전", "5h trước", "לפני 3 שעות", "قبل 3 ساعات",
     "3 órája", "před 3 hodinami", "3 tuntia sitten",
     "3 jam yang lalu", "acum 3 ore", "for 3 timer siden"],
)  # fmt: skip
def test_ages_are_read(written):
    hours = (CLOCK.now - CLOCK.read(written).at).total_seconds() / 3600
    assert hours == (5 if written.startswith("5") else 3)


@pytest.mark.parametrize(
    "text", ["댓글쓰기", "수정/삭제", "| parent | next [–]", "引用", "הגב", "Trả lời"]
)
def test_what_buttons_say_is_no_text(text):
    assert is_caption(text)


def test_who_wrote_stands_behind_the_word_for_it():
    assert plain_name("Scritto da: Gianni P.") == "Gianni P."
    assert plain_name("Publié par Anne") == "Anne"
    assert plain_name("Ο/Η Νίκος λέει:") == "Ο/Η Νίκος"


def test_what_was_taken_away_is_no_comment():
    assert is_gone("[flagged]")
    assert is_gone("(deleted comment)")
    assert not is_gone("The deleted comment was mine.")


def test_comments_may_stand_in_the_foot_of_their_article():
    text = "港の朝はいつも静かで、漁船の音だけが遠くから聞こえてくる。" * 6
    items = "".join(
        f"""<li class="entry-comment" id="comment-{n}"><p class="comment-user-name">{name}</p>
        <div class="comment-content"><p>{name}です。読みました。</p></div>
        <time datetime="2024-05-0{n}T10:00:00Z">4日前</time></li>"""
        for n, name in ((1, "花子"), (2, "太郎"))
    )
    page = f"""<body><article><h1>港</h1><p>{text}</p>
      <footer class="entry-footer"><ul class="comment">{items}</ul></footer></article></body>"""

    found = read_page_comments(parse_html(page)).comments

    assert [(one.author, one.text) for one in found] == [
        ("花子", "花子です。読みました。"),
        ("太郎", "太郎です。読みました。"),
    ]
