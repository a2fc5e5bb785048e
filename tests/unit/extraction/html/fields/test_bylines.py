import pytest

from extraction.html.fields.bylines import (
    bare_names,
    byline_of_lines,
    house_of_lines,
    linked_names,
    signature_of_lines,
)
from extraction.html.fields.headline import headline_position
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html


def opened(page):
    outline = outline_page(parse_html(page))
    return outline, headline_position(outline, "Fire")


def line_byline(page):
    return byline_of_lines(*opened(page))


def test_byline_without_markup_is_found_near_the_headline():
    page = (
        "<h1>Fire</h1><p>5 June 2024</p><p>By Thandi Nkosi and Piet Louw</p><p>By noon "
        "it was out.</p>"
    )

    found = line_byline(page)

    assert found == ["Thandi Nkosi", "Piet Louw"]


def test_sentence_that_begins_like_a_byline_is_none():
    page = "<h1>Fire</h1><p>By noon it was out, and by nightfall nobody spoke of it.</p>"

    assert line_byline(page) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Posted on December 18, 2025 Posted by Thandi Nkosi 59 Comments", ["Thandi Nkosi"]),
        ("Dec 08, 2019 by Thandi Nkosi in Growth", ["Thandi Nkosi"]),
        ("ByThandi Nkosi", ["Thandi Nkosi"]),
        ("Deur Sannie Botha", ["Sannie Botha"]),
        ("Ngu Thandi Nkosi", ["Thandi Nkosi"]),
        ("05.02.2020 - Redaktion: Anna Schmidt (Pressesprecherin)", ["Anna Schmidt"]),
        ("Words: Thandi Nkosi", ["Thandi Nkosi"]),
        ("Woorde: Sannie Botha · Foto’s: Piet Louw", ["Sannie Botha"]),
        ("Words and pictures by Thandi Nkosi", ["Thandi Nkosi"]),
        ("Words Thandi Nkosi", []),
        ("Palabras: de nada", []),
        ("Stand by your word", []),
        ("The town was saved by Thandi Nkosi", []),
    ],
)
def test_byline_in_a_line_below_the_headline(line, expected):
    assert line_byline(f"<h1>Fire</h1><p>{line}</p>") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Auteur : Thandi Nkosi", ["Thandi Nkosi"]),
        ("(责编：牛镛、岳弘彬)", ["牛镛", "岳弘彬"]),
        ("Written by Thandi Nkosi", ["Thandi Nkosi"]),
        ("Autorin: Anna Schmidt, Projektleiterin in Tunesien.", ["Anna Schmidt"]),
        ("Words: Thandi Nkosi", ["Thandi Nkosi"]),
        (
            "Words: Thandi Nkosi and Lebo Maseko. Pictures: Piet Louw",
            ["Thandi Nkosi", "Lebo Maseko"],
        ),
        ("Teks en foto's: Sannie Botha", ["Sannie Botha"]),
        ("By Thandi Nkosi", []),
        ("In other words: Thandi Nkosi", []),
    ],
)
def test_article_signed_at_its_end(line, expected):
    outline = outline_page(parse_html("<h1>Fire</h1>" + "<p>Text.</p>" * 40 + f"<p>{line}</p>"))

    assert signature_of_lines(outline, 0) == expected


@pytest.mark.parametrize("tag", ["h1", "h2", "h4"])
def test_a_heading_that_begins_with_words_is_no_byline(tag):
    outline = outline_page(
        parse_html(f"<h1>Fire</h1><{tag}>Story: Thandi Nkosi</{tag}><p>Text.</p>")
    )

    assert byline_of_lines(outline, 0) == []
    assert signature_of_lines(outline, 0) == []


MENU = "<ul class='nav-menu'>" + "<li>Sport</li>" * 30 + "</ul>"


def test_lines_of_a_menu_between_headline_and_byline_do_not_count():
    page = f"<nav><h1>Fire</h1></nav>{MENU}<p>Durban</p><p>Von Anna Schmidt</p>"

    assert line_byline(page) == ["Anna Schmidt"]


def test_label_is_followed_by_the_name_in_the_same_box():
    assert line_byline("<h1>Fire</h1><dl><dt>Autor:</dt><dd>Anna Schmidt</dd></dl>") == [
        "Anna Schmidt"
    ]
    apart = "<h1>Fire</h1><div><div><p>Autor</p></div></div><div><p>Lake District</p></div>"
    assert line_byline(apart) == []


def test_byline_beside_the_headline_counts_in_whatever_box_it_stands():
    page = "<div class='prev-next related'><p>von Anna Schmidt</p></div><h1>Fire</h1>"

    assert line_byline(page) == ["Anna Schmidt"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Por Agencia EFE", ["Agencia EFE"]),
        ("By Staff Writer", ["Staff Writer"]),
        ("von Redaktion, 24. Januar 2022", ["Redaktion"]),
        ("Gespeichert von rasos am 24. Juli 2017 - 18:55", ["rasos"]),
        ("Von Isabella.DiBiase am Samstag, 19. Oktober 2019 um 11:14 Uhr", ["Isabella.DiBiase"]),
        ("Erstellt von Fabian am Dienstag 6. Mai 2014", ["Fabian"]),
        ("By Thandi Nkosi", []),  # a person, whom others read
        ("By noon it was out", []),
        ("Ads by Google", []),
        ("Photo by Reuters", []),
        ("Von Montag bis Freitag", []),
        ("Ley de alquileres", []),
    ],
)
def test_agency_desk_or_account_that_signs(line, expected):
    assert house_of_lines(*opened(f"<h1>Fire</h1><p>{line}</p>")) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<p><a href='/autoren/anna-schmidt'>Anna Schmidt</a></p>", ["Anna Schmidt"]),
        ("<p><a href='/library/?_author=Anna%20Schmidt'>Anna Schmidt</a></p>", ["Anna Schmidt"]),
        ("<p><a href='https://papers.example/@anna'>Anna Schmidt</a></p>", ["Anna Schmidt"]),
        ("<p><a href='/topics/anna-schmidt'>Anna Schmidt</a></p>", []),
        ("<p><a href='/members/register/'>Join Us</a></p>", []),
        ("<p><a href='/member/'>用户中心</a></p>", []),
        ("<p>Photo: <a href='/@fre'>Fré Sonneveld</a></p>", []),
        ("<p>" + "On the pitch " * 9 + "<a href='/people/piet'>Piet Louw</a></p>", []),
        ("<footer><a href='/team/'>Our Team</a></footer>", []),
        ("<div class='related'><p><a href='/author/b'>Piet Louw</a></p></div>", []),
    ],
)
def test_name_that_leads_to_the_page_of_an_author(link, expected):
    assert linked_names(*opened(f"<h1>Fire</h1>{link}")) == expected


def test_headline_of_the_article_is_meant_and_not_its_name_in_a_menu():
    page = "<nav><h2>Fire</h2><p>By Piet Louw</p></nav><main><h1>Fire</h1><p>By Ann Lee</p></main>"
    outline, headline = opened(page)

    assert outline.tags[outline.lines[headline].node] == "h1"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("<li>Bence Kovács</li><li>02-12-2025</li>", ["Bence Kovács"]),
        ("<p>Charlotte Gannon • November 4th, 2025</p>", ["Charlotte Gannon"]),
        ("<p>5 June 2024</p><p><a href='/team/ann'>Ann Lee</a></p>", ["Ann Lee"]),
        ("<p>5 June 2024</p><p><a href='/cycling'>Cape Cycling</a></p>", []),
        ("<p>5 June 2024</p><p>Page Views: 12</p>", []),
        ("<p>5 June 2024</p><p>Local Sport</p>", []),  # the menu holds it too
        ("<p>5 June 2024</p><h2>Ann Lee</h2>", []),
        ("<p>Ann Lee</p><p>won the race</p>", []),  # no date beside it
    ],
)
def test_bare_name_beside_a_date(lines, expected):
    page = f"<nav><p>Local Sport</p></nav><h1>Fire</h1>{lines}"

    assert bare_names(*opened(page)) == expected
