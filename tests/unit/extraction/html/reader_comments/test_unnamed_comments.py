"""Comments of systems that nobody named, and names that mislead: what the structure says."""

from newspaper_pages import PARAGRAPHS

from extraction.html.markup.parse import parse_html
from extraction.html.reader_comments.page_comments import read_page_comments

ARTICLE = "<article><h1>Fire in the harbour</h1>" + "".join(
    f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS
)


def read(html):
    return read_page_comments(parse_html(f"<body>{ARTICLE}</article>{html}</body>")).comments


def said(html):
    return [(one.author, one.text, str(one.posted_at)[:16], one.parent) for one in read(html)]


def row(number, pixels, author, day, text):
    return f"""<table><tr><td style="padding: 0 0 0 {pixels}px;"><table class="head"><tr><td>
      <b id="name_{number}">{author}</b> {day} January 2012 14:05:28
      <a href="#comment_{number}" name="comment_{number}"> </a></td></tr></table>
      <div class="say">{text}</div></td></tr></table><div id="below_{number}"></div>"""


def test_tables_with_numbered_places_and_indents_are_a_thread():
    html = f"""<div class="comment_help">Rules: be kind to each other.</div><div class="c">
      {row(7, 0, "Piter", 6, "The doctor was right.")}{row(9, 55, "Fan", 7, "He was not.")}
      {row(8, 0, "Marina", 8, "Who would have thought so?")}</div>"""
    assert said(html) == [
        ("Piter", "The doctor was right.", "2012-01-06 14:05", ""),
        ("Fan", "He was not.", "2012-01-07 14:05", "7"),
        ("Marina", "Who would have thought so?", "2012-01-08 14:05", ""),
    ]


def test_numbered_places_of_other_stories_are_no_zone():
    html = "".join(
        f'<aside class="sidebar-comments"><p><a name="comment_{n}" href="/s/{n}">Story {n} of many'
        f"</a> 0{n}.01.2012 14:05</p></aside>"
        for n in range(1, 5)
    )
    assert not read(html)


def test_a_subject_as_first_headline_does_not_make_a_comment_the_article():
    html = "".join(
        f"""<div id="komentarz-{n}" class="koment"><div class="line"><header><h1>Enough {n}</h1>
        </header><p class="who"><b>lbn</b> (guest), 0{n}.01.12,&nbsp;23:09:06</p>
        <p class="tresc">Leave them in peace {n}.</p></div></div>"""
        for n in (1, 2)
    )
    assert [one[1] for one in said(f"<section>{html}</section>")] == [
        "Leave them in peace 1.",
        "Leave them in peace 2.",
    ]
    assert {one.author for one in read(f"<section>{html}</section>")} == {"lbn"}


def test_the_name_beside_the_time_is_the_author_and_the_bold_line_above_a_subject():
    html = """<div id="komentarz-1" class="koment"><b>Fools</b>
      <p class="data">ss (gość) 07.01.12, 19:16:26</p><div class="tresc">Do as you like.</div></div>
      <div id="komentarz-2" class="koment"><b>Anna</b>
      <p class="data">am 07.01.12, 19:18:26</p><div class="tresc">Or do not.</div></div>"""
    assert [one[0] for one in said(html)] == ["ss", "Anna"]


def test_a_name_of_signs_stays_whole():
    html = """<ol class="commentlist"><li class="comment" id="comment-1">
      <cite class="fn">@ + @</cite>
      <small class="comment-meta">2011-12-20 at 15:25</small><p>I am afraid so.</p></li></ol>"""
    assert [one.author for one in read(html)] == ["@ + @"]


def test_a_line_of_dots_is_text():
    html = """<ol class="commentlist"><li class="comment" id="comment-1">
      <cite class="fn">Anna</cite>
      <small class="comment-meta">2011-12-20 at 15:25</small><p>I read:<br>..<br>No more.</p></li>
      </ol>"""
    assert [one.text for one in read(html)] == ["I read:\n..\nNo more."]
