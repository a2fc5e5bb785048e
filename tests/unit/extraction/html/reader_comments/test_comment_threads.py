"""Whom a comment answers, and answers that stand where nothing names them."""

from newspaper_pages import PARAGRAPHS

from extraction.html.markup.parse import parse_html
from extraction.html.reader_comments.page_comments import read_page_comments

ARTICLE = "<article><h1>Fire in the harbour</h1>" + "".join(
    f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS
)


def said(html):
    """Author, text and the author of the parent of each comment."""
    page = f"<body>{ARTICLE}</article>{html}</body>"
    comments = read_page_comments(parse_html(page)).comments
    authors = {one.id: one.author for one in comments}
    return [(one.author, one.text, authors.get(one.parent, "")) for one in comments]


SMOKE = "The harbour was in smoke."
HILL = "I saw it from the hill."
NOON = "So did I, at noon."
PAYS = "Who pays for this?"
THREAD = [("thandi", SMOKE, ""), ("piet", HILL, "thandi"), ("anna", NOON, "piet")]
FOUR = [*THREAD, ("kees", PAYS, "")]


def wrapped(number, author, text, around="", links=""):
    return f"""<div class="comment-thread" {around}><div id="cmt{number}" class="box">
      <div class="comment"><div class="poster"><a href="/u/{author}"><b>{author}</b></a></div>
      <span class="datetime">2024-05-01 10:0{number % 10}</span>
      <div class="comment-content">{text}</div><ul><li><a href="#">Link</a></li>{links}</ul>
      </div></div></div>"""


def test_a_depth_may_stand_on_what_wraps_a_comment():
    html = "".join(
        wrapped(number, author, text, f'style="margin-left: {pixels}px"')
        for number, author, text, pixels in [
            (1101, "thandi", SMOKE, 0),
            (1202, "piet", HILL, 25),
            (1303, "anna", NOON, 50),
            (1404, "kees", PAYS, 0),
        ]
    )
    assert said(f'<div id="comments">{html}</div>') == FOUR


def test_a_link_to_the_parent_leads_to_the_comment_that_is_answered():
    html = "".join(
        wrapped(
            number,
            author,
            text,
            links=f'<li><a href="/1.html?thread={parent}#cmt{parent}">Parent</a></li>'
            if parent
            else "",
        )
        for number, author, text, parent in [
            (1101, "thandi", SMOKE, 0),
            (1202, "piet", HILL, 1101),
            (1303, "anna", NOON, 1202),
            (1404, "kees", PAYS, 0),
        ]
    )
    assert said(f'<div id="comments">{html}</div>') == FOUR


def subtree(number, author, text, answers=""):
    return f"""<li class="subtree"><div class="comment"><div class="byline">
      <a href="/u/{author}">{author}</a> <span title="2024-05-01 10:0{number}:12">6 days ago</span>
      </div><div class="comment_text"><p>{text}</p></div></div>
      <ol class="comments">{answers}</ol></li>"""


def test_a_list_right_behind_a_comment_holds_its_answers():
    html = subtree(1, "thandi", SMOKE, subtree(2, "piet", HILL, subtree(3, "anna", NOON)))
    assert said(f'<ol class="comments">{html}{subtree(4, "kees", PAYS)}</ol>') == FOUR


def boxed(kind, day, author, text, answers=""):
    return f"""<div class="{kind}"><div class="{kind}-top"><b>{author}</b>
      <span class="tarih">0{day}.05.2024 12:00</span></div><div class="{kind}-in">{text}</div>
      {answers}</div>"""


def test_an_answer_in_the_box_of_a_comment_is_one_of_its_own():
    answer = boxed("cevap", 2, "piet", HILL)
    html = boxed("yorum", 1, "thandi", SMOKE, answer) + boxed("yorum", 4, "kees", PAYS)

    assert said(f'<div id="yorumlar"><h3>Yorumlar (3)</h3>{html}</div>') == [
        ("thandi", SMOKE, ""),
        ("piet", HILL, "thandi"),
        ("kees", PAYS, ""),
    ]


def test_an_answer_in_a_boxed_answer_answers_that():
    answer = boxed("cevap", 2, "piet", HILL, boxed("cevap2", 3, "anna", NOON))
    html = boxed("yorum", 1, "thandi", SMOKE, answer) + boxed("yorum", 4, "kees", PAYS)

    assert said(f'<div id="yorumlar"><h3>Yorumlar (4)</h3>{html}</div>') == FOUR


def test_a_quoted_comment_with_its_time_is_no_answer():
    quote = f"<blockquote>{boxed('quoted', 1, 'thandi', SMOKE)}</blockquote>"
    html = boxed("yorum", 1, "thandi", SMOKE) + boxed("yorum", 4, "kees", PAYS, quote)

    assert [one[0] for one in said(f'<div id="yorumlar">{html}</div>')] == ["thandi", "kees"]


def test_the_time_of_an_edit_is_no_answer():
    edit = '<div class="edit">Edited <span class="tarih">05.05.2024 12:00</span></div>'
    html = boxed("yorum", 1, "thandi", SMOKE, edit) + boxed("yorum", 4, "kees", PAYS)

    assert [one[0] for one in said(f'<div id="yorumlar">{html}</div>')] == ["thandi", "kees"]


def test_a_comment_that_lists_its_answers_stays():
    def named(kind, minute, author, text, answers=""):
        return f"""<div class="{kind}"><b class="author">{author}</b>
          <span class="date">2024-05-01 12:0{minute}</span><div class="comment-text">{text}</div>
          {answers}</div>"""

    answers = named("inside", 2, "piet", HILL) + named("inside", 3, "anna", NOON)
    html = named("comment", 1, "thandi", SMOKE, answers) + named("comment", 4, "kees", PAYS)

    assert said(html) == [
        ("thandi", SMOKE, ""),
        ("piet", HILL, "thandi"),
        ("anna", NOON, "thandi"),
        ("kees", PAYS, ""),
    ]


def numbered(number, author, text, answers=""):
    return f"""<li id="comment{number}"><div class="general"><div class="txt_reply">
      <span class="name">{author}</span><span class="date">2024.05.01 11:2{number}</span>
      <a class="address">댓글주소</a> <a class="reply">댓글쓰기</a></div><p>{text}</p></div>
      {answers}</li>"""


def test_the_head_of_a_comment_that_is_called_a_reply_is_no_answer():
    answer = f"<ul>{numbered(2, 'piet', HILL)}</ul>"
    html = numbered(1, "thandi", SMOKE, answer) + numbered(4, "kees", PAYS)

    assert said(f'<div class="list"><ol>{html}</ol></div>') == [
        ("thandi", SMOKE, ""),
        ("piet", HILL, "thandi"),
        ("kees", PAYS, ""),
    ]


def test_a_sign_that_leads_to_the_comment_is_no_name():
    html = "".join(
        f"""<div id="c{n}" class="media"><h6>{n} maggio 2024, 10:00 - {author}
        <span><a class="permalink" href="#c{n}">¶</a> <a href="/flag/{n}">Segnala</a></span></h6>
        <p>{text}</p></div>"""
        for n, author, text in [(1, "Luca", SMOKE), (2, "Gianna", HILL)]
    )
    assert said(f'<div id="comments"><h3>2 commenti</h3>{html}</div>') == [
        ("Luca", SMOKE, ""),
        ("Gianna", HILL, ""),
    ]


TEXTS = [("Thandi", SMOKE, HILL), ("Piet", NOON, PAYS), ("Anna", "Nobody asked us.", "Rubbish.")]


def test_texts_above_their_signatures_are_read():
    html = "".join(
        f"""<p>{one}</p><p>{other}</p>
        <p class="sig">Posted by {author} on May {n}, 2024 at 12:00</p>"""
        for n, (author, one, other) in enumerate(TEXTS, start=1)
    )
    for around in (f'<div id="responses"><h3>Responses</h3>{html}</div>', f"<div>{html}</div>"):
        wanted = [(author, f"{one}\n{other}", "") for author, one, other in TEXTS]
        assert said(around) == (wanted if "responses" in around else [])


def test_a_signature_may_be_a_list_with_the_name_in_one_place_of_each():
    html = "".join(
        f"""<h4 id="comment{n}">{other}</h4><p>{one}</p>
        <ul><li>2024/05/0{n}(火) 12:00</li><li>URL</li><li>{author} #-</li>
        <li><a href="#">編集</a></li></ul>"""
        for n, (author, one, other) in enumerate(TEXTS, start=1)
    )
    assert said(f'<div id="comment"><h3>コメント</h3>{html}<form></form></div>') == [
        (author, f"{other}\n{one}", "") for author, one, other in TEXTS
    ]


def test_the_number_of_a_comment_before_a_text_is_text_and_leads_to_its_parent():
    html = "".join(
        f"""<div class="comment" id="c-{n}"><div class="comment-text">{text}</div>
        <div class="by"><a class="username" href="/user/{author}">{author}</a>
        <span class="ts" data-ts="171455{n}000" title="x"></span></div></div>"""
        for n, author, text in [
            (1, "thandi", SMOKE),
            (2, "piet", f'<a href="/story#c-1">#1</a> {HILL}'),
        ]
    )
    assert said(f'<div id="comments">{html}</div>') == [
        ("thandi", SMOKE, ""),
        ("piet", f"#1 {HILL}", "thandi"),
    ]


def test_the_line_of_name_and_place_is_no_text_and_the_subject_is():
    html = "".join(
        f"""<div class="talkback" id="tkb_{n}"><div class="talkback_title">{subject}</div>
        <div><span class="tb_name">{author}, Haifa</span> <span>(21.07.11 1{n}:45)</span></div>
        <div class="tb_words">{text}</div></div>"""
        for n, author, subject, text in [
            (1, "Dani", "At last somebody says what is true", SMOKE),
            (2, "Yossi", "Too slow", HILL),
        ]
    )
    assert said(f'<div id="talkbacks">{html}</div>') == [
        ("Dani", f"At last somebody says what is true\n{SMOKE}", ""),
        ("Yossi", f"Too slow\n{HILL}", ""),
    ]
