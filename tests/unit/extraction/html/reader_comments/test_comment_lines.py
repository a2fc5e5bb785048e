"""Lines above and below a comment: who signed it, when, and what only looks like words of it."""

import pytest
from newspaper_pages import PARAGRAPHS

from extraction.html.markup.parse import parse_html
from extraction.html.reader_comments.page_comments import read_page_comments

ARTICLE = "<h1>Fire in the harbour</h1>" + "".join(f"<p>{one}</p>" for one in PARAGRAPHS)


def said(html):
    page = f"<body><article>{ARTICLE}</article>{html}</body>"
    shown = read_page_comments(parse_html(page)).comments
    return [(one.author, str(one.posted_at)[:16], one.text) for one in shown]


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("Le mercredi 25 septembre 2024, 06:40 par Le Meunier", "Le Meunier"),
        ("25 September 2024, 06:40 by Anna", "Anna"),
        ("25.09.2024, 06:40 Uhr von Anna", "Anna"),
        ("25/09/2024 06:40 por Anna", "Anna"),
    ],
)
def test_who_is_named_behind_the_time_signed_it(line, author):
    html = f"""<div id="comments"><h3>Comments</h3><dl>
      <dt id="c1">{line}</dt><dd><p>I was born in this mill.</p></dd>
      <dt id="c2">Le jeudi 26 septembre 2024, 09:08 par <a href="http://y.example"
      rel="ugc nofollow">Yvette</a></dt><dd><p>So was I.</p></dd></dl></div>"""
    assert said(html) == [
        (author, "2024-09-25 06:40", "I was born in this mill."),
        ("Yvette", "2024-09-26 09:08", "So was I."),
    ]


def test_cells_of_a_table_are_lines_of_their_own():
    def row(name, minute, words):
        return (
            f"<tr><td><span class='lblNaam'>{name}</span><br><span class='lblDatum'>2024/02/27"
            f" 07:{minute}</span></td><td><span>{words}</span></td></tr>"
        )

    html = f"""<div><h3>Lesers se kommentaar</h3><table>
      {row("Tannie Bets", 15, "Ek het vyftien emmers gedra.")}
      {row("Kallie", 16, "Hulle kan nie eens betaal nie.")}</table></div>"""
    assert said(html) == [
        ("Tannie Bets", "2024-02-27 07:15", "Ek het vyftien emmers gedra."),
        ("Kallie", "2024-02-27 07:16", "Hulle kan nie eens betaal nie."),
    ]


def test_the_one_comment_of_a_list_that_is_named_and_counted_is_read():
    html = """<div class="comment-panel"><h3>1 comment</h3><div class="dp-entry">
      <div class="dp-head"><a href="/u/1">Helga</a>
      <time datetime="2024-06-05T08:19:00Z">05 Jun, 08:19</time></div>
      <div class="dp-words"><p>The first one that gives actual numbers.</p></div></div></div>"""
    assert said(html) == [("Helga", "2024-06-05 08:19", "The first one that gives actual numbers.")]


def test_a_button_that_opens_what_its_author_wrote_names_the_author():
    def item(name, n_days, words):
        return f"""<li><article data-message-id="m{n_days}"><div class="details">
          <div><button type="button"><span class="Username-index__username">{name}</span></button>
          </div><time class="stamp">{n_days} days ago</time></div>
          <div class="RichText"><p>{words}</p></div></article></li>"""

    html = f"""<section class="conversation"><h3>All Comments 2</h3><ul>
      {item("BookishBarb", 3, "Agnes taught me to read.")}
      {item("Rory", 2, "Who guards the guard?")}</ul></section>"""
    assert [(author, text) for author, _, text in said(html)] == [
        ("BookishBarb", "Agnes taught me to read."),
        ("Rory", "Who guards the guard?"),
    ]


def test_seconds_of_a_clock_that_an_attribute_holds_are_the_time():
    def item(name, seconds, words):
        return f"""<div class="post"><span class="UFICommentActorName">{name}</span>
          <div><span>{words}</span></div>
          <abbr class="livetimestamp" data-utime="{seconds}">5 días</abbr></div>"""

    html = f"""<div class="fb-comments"><span>2 comentarios</span>
      {item("Remedios", 1708422060, "Mil está muy bien.")}
      {item("Lucho", 1708434480, "Por fin una sombra.")}</div>"""
    assert said(html) == [
        ("Remedios", "2024-02-20 09:41", "Mil está muy bien."),
        ("Lucho", "2024-02-20 13:08", "Por fin una sombra."),
    ]


def test_a_heading_that_counts_answers_in_brackets_opens_a_list():
    def item(day, name, words):
        return f"""<div class="kd-item"><div><span title="{day}/06/2024 11:32">Enviado
          {day}/06/2024 11:32</span> <span class="kd-username">por <a href="/u/{day}"
          rel="nofollow">{name}</a></span></div><div class="kd-body">{words}</div></div>"""

    html = f"""<div class="kd"><h4>Discuta este artigo no fórum (2 respostas)</h4>
      {item(13, "zecarlos", "Quatro prefeitos, zero asfalto.")}
      {item(14, "Aroldo", "A faixa sou eu que pinto.")}</div>"""
    assert said(html) == [
        ("zecarlos", "2024-06-13 11:32", "Quatro prefeitos, zero asfalto."),
        ("Aroldo", "2024-06-14 11:32", "A faixa sou eu que pinto."),
    ]


def test_months_and_captions_are_read_in_arabic():
    def item(name, day, words):
        return f"""<li><div><strong>{name}</strong><span class="Card_date__p0">{day} أبريل 2024 -
          08:20</span></div><div class="Card_body__T"><p>{words}</p></div></li>"""

    html = f"""<section><h2>تعليقات القراء (2)</h2><ul>
      {item("أبو كريم", 16, "لعبت في هذه الحديقة وأنا طفل.")}
      {item("ليلى", 17, "جميلة، لكن أين المقاعد؟")}</ul></section>"""
    assert said(html) == [
        ("أبو كريم", "2024-04-16 08:20", "لعبت في هذه الحديقة وأنا طفل."),
        ("ليلى", "2024-04-17 08:20", "جميلة، لكن أين المقاعد؟"),
    ]


def test_an_arrow_is_no_name():
    html = """<ol class="commentlist"><li class="comment" id="comment-1">
      <b class="reply-to author">↪</b><span class="author">Rory</span>
      <time>2024-03-17 18:00</time><p>Who guards the guard?</p></li></ol>"""
    assert said(html) == [("Rory", "2024-03-17 18:00", "Who guards the guard?")]
