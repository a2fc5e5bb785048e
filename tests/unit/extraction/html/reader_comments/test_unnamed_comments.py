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


def test_definition_lists_with_a_name_in_italics_are_comments():
    html = """<div id="forum_list"><ul>
      <li><dl><dt>2012/01/16 12:13 <font color="#B6C8DA">219.8*****137</font></dt>
        <dd><em>fjm</em></dd><dd><span>Too good for this page.</span></dd></dl></li>
      <li><dl><dt>2012/01/16 11:27 <font color="#B6C8DA">218.1*****8</font></dt>
        <dd><em>Anna</em></dd><dd><span>What a good doctor.</span></dd></dl></li></ul></div>"""
    assert said(html) == [
        ("fjm", "Too good for this page.", "2012-01-16 12:13", ""),
        ("Anna", "What a good doctor.", "2012-01-16 11:27", ""),
    ]


def test_tables_whose_texts_alone_are_named_are_comments():
    html = "".join(
        f"""<table><tr><td class="content"><table><tr><td align="right"><b>
        Комментарии нашего читателя: {name}</b></td></tr><tr><td class="coment">{text}</td></tr>
        <tr><td><font size="1">11:0{n} 17-January-2012</font></td></tr></table></td></tr></table>"""
        for n, (name, text) in enumerate(
            [("Борис", "Ремонтные работы не сделаны."), ("гость", "Может кардиодиспансер, нет?")]
        )
    )
    assert said(f"<div>{html}</div>") == [
        ("Борис", "Ремонтные работы не сделаны.", "2012-01-17 11:00", ""),
        ("гость", "Может кардиодиспансер, нет?", "2012-01-17 11:01", ""),
    ]


def test_a_clock_in_an_element_of_its_own_belongs_to_the_day_before_it():
    html = """<ol class="comment-list"><li class="comment" id="comment-1">
      <span class="comment-author">Anna</span> <span class="comment-date">11. Februar 2020</span>
      <span class="comment-date"> at 9:41</span>
      <div class="comment-content"><p>Thank you for it.</p></div></li></ol>"""
    assert [str(one.posted_at)[:16] for one in read(html)] == ["2020-02-11 09:41"]


def test_a_text_named_text_of_the_comment_leaves_subject_and_buttons_out():
    html = """<div class="komentarz" id="odpowiedz-3"><p class="komentarzAutor">Henio (gość)
      <span>2012-01-13 08:43</span></p><p class="komentarzTytul">Such doctors</p>
      <p class="trescKomentarza">But where to?</p><p><a href="#">zgłoś naruszenie</a></p></div>"""
    assert [one[:2] for one in said(html)] == [("Henio", "But where to?")]


LETTERS = [
    ("Thandi", "6 June 2024, 08:43", "Who pays for this?", "Nobody asked us."),
    ("Piet B.", "7 June 2024, 10:18", "The same people complained.", "Rubbish."),
    ("r0bert", "8 June 2024, 14:02", "Has anyone seen the tender?", "I have not."),
]
WANTED = [
    ("Thandi", "Who pays for this?\nNobody asked us.", "2024-06-06 08:43", ""),
    ("Piet B.", "The same people complained.\nRubbish.", "2024-06-07 10:18", ""),
    ("r0bert", "Has anyone seen the tender?\nI have not.", "2024-06-08 14:02", ""),
]


def test_terms_of_a_definition_list_begin_comments():
    items = "".join(
        f"<dt><b>{name}</b>, {day}</dt><dd><p>{one}</p><p>{other}</p></dd>"
        for name, day, one, other in LETTERS
    )

    assert said(f"<h3>Readers' comments on this story</h3><dl>{items}</dl>") == WANTED


def test_bare_paragraphs_below_a_heading_are_comments_from_line_to_line():
    items = "<hr>".join(
        f"<p><b>{name}</b> said on {day}:</p><p>{one}</p><p>{other}</p>"
        for name, day, one, other in LETTERS
    )

    assert said(f"<h3>3 comments</h3>{items}") == WANTED


def test_list_without_a_heading_of_comments_holds_none():
    items = "".join(
        f"<dt><b>{name}</b>, {day}</dt><dd><p>{one}</p></dd>" for name, day, one, _ in LETTERS
    )

    assert not read(f"<h3>Meetings of the council</h3><dl>{items}</dl>")


def test_one_line_with_a_time_makes_no_run():
    assert not read("<h3>Comments</h3><p>Closed on 6 June 2024:</p><p>Write to the editor.</p>")


def test_sentences_with_a_year_are_no_lines_of_comments():
    html = "".join(
        f"<p>Rain fell early {year} on 20 towns.</p><p>People wrote letters about it.</p>"
        for year in (2004, 2018)
    )
    assert not read(f'<div><div class="go_comment">Comments</div><p>His life.</p>{html}</div>')


def test_a_name_ends_with_its_element_though_the_date_follows_without_a_space():
    html = "".join(
        f'<div class="row"><header><span class="who">{name}</span><span class="when">{day} de junho'
        f' de 2024 às 08:40</span></header><div class="what"><p>{text}</p></div></div>'
        for name, day, text in (("r0bert", 5, "Concordo plenamente."), ("X", 6, "E agora?"))
    )
    found = said(f'<div class="opinions"><h3>Comentários (2)</h3>{html}</div>')
    assert found == [
        ("r0bert", "Concordo plenamente.", "2024-06-05 08:40", ""),
        ("X", "E agora?", "2024-06-06 08:40", ""),
    ]


def utility(name, day, text, below=""):
    """Lay a comment out by classes that say how it looks: those of its head are anywhere else."""
    return f"""<div class="mb-7 flex w-full flex-row"><div class="mr-2 flex"><span>{name[0]}</span>
      </div><div class="grow"><div class="mb-2 flex w-full"><h4>{name}</h4><span>{day} Jun 2024
      </span></div><div class="mb-2 pr-4"><p>{text}</p></div><div class="mb-4 mt-7">{below}</div>
      </div></div>"""


def test_a_line_with_name_and_date_is_no_comment_though_the_answers_behind_look_like_it():
    answer = utility("Sipho", 6, "Read the report again, page 14.")
    listed = utility("Helga", 5, "You are right about the levy.", answer)
    listed += utility("Old Timer", 7, "The council was told about the leaking pipes.")
    assert said(f'<section id="comments-root"><h2>3 comments</h2>{listed}</section>') == [
        ("Helga", "You are right about the levy.", "2024-06-05 00:00", ""),
        ("Sipho", "Read the report again, page 14.", "2024-06-06 00:00", read_id("Helga", listed)),
        ("Old Timer", "The council was told about the leaking pipes.", "2024-06-07 00:00", ""),
    ]


def read_id(author, listed):
    comments = read(f'<section id="comments-root"><h2>3 comments</h2>{listed}</section>')
    return next(one.id for one in comments if one.author == author)


def test_answers_in_a_comment_may_be_called_otherwise_than_comments():
    def said_by(kind, name, day, text, below=""):
        return f"""<div class="x-{kind}"><a class="x-author">{name}</a>
          <time datetime="2024-06-0{day}T08:35:00Z">Jun 0{day}</time>
          <div class="x-{kind}-content"><p>{text}</p></div>{below}</div>"""

    answers = f'<div class="x-replies">{said_by("reply", "Anna", 6, "Not at all.")}</div>'
    button = '<div class="reply"><a href="#">Reply</a></div>'
    first = said_by("comment", "Old Timer", 5, "Well said.", button + answers)
    found = read(first + said_by("comment", "Piet", 7, "I agree.", button))
    assert [(one.author, one.text) for one in found] == [
        ("Old Timer", "Well said."),
        ("Anna", "Not at all."),
        ("Piet", "I agree."),
    ]
    assert [one.parent for one in found] == ["", found[0].id, ""]


def test_an_empty_cell_in_front_says_how_far_an_answer_is_moved():
    def line(width, name, text):
        return f"""<tr><td><table><tr><td width="{width}"><img src="s.gif" width="{width}"></td>
          <td><b>{name}</b> <font size="1">05.06.2024 08:10</font><br>{text}</td></tr></table>
          </td></tr>"""

    lines = line(0, "Helga", "A bucket in the hand.") + line(20, "Rat", "I agree with all of it.")
    lines += line(40, "Thandi", "The smell has been there.") + line(0, "Piet", "Well said, all.")
    found = read(f"<p><b>4 comments</b></p><table>{lines}</table>")
    assert [one.author for one in found] == ["Helga", "Rat", "Thandi", "Piet"]
    assert [one.parent for one in found] == ["", found[0].id, found[1].id, ""]
