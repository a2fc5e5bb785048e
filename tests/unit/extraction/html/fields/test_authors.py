import pytest

from extraction.html.fields.authors import (
    byline_of_lines,
    choose_authors,
    is_contradicted,
    signature_of_lines,
    visible_authors,
)
from extraction.html.fields.headline import headline_position
from extraction.html.fields.names import clean_names
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html


def line_byline(page):
    outline = outline_page(parse_html(page))
    return byline_of_lines(outline, headline_position(outline, "Fire"))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["By Thandi Nkosi"], ("Thandi Nkosi",)),
        (["Deur Piet Louw en Sannie Botha"], ("Piet Louw", "Sannie Botha")),
        (["Von: Anna Schmidt, Politik-Redakteurin"], ("Anna Schmidt",)),
        (["Thandi Nkosi, Political Editor"], ("Thandi Nkosi",)),
        (["Thandi Nkosi | Piet Louw; Anna Schmidt"], ("Thandi Nkosi", "Piet Louw", "Anna Schmidt")),
        (["Thandi Nkosi (AP)"], ("Thandi Nkosi",)),
        (["By Thandi Nkosi 5 June 2024"], ("Thandi Nkosi",)),
        (["THANDI NKOSI", "Thandi Nkosi"], ("THANDI NKOSI",)),
        (["Kommentar von Christoph von Eichhorn"], ("Christoph von Eichhorn",)),
        (["Erstellt von Anna Schmidt"], ("Anna Schmidt",)),
        (["Ngu Thandi Nkosi no Piet Louw"], ("Thandi Nkosi", "Piet Louw")),
        (["Skrywer: Sannie Botha"], ("Sannie Botha",)),
        (["Dr. Thandi Nkosi"], ("Thandi Nkosi",)),
        (["Prof Dr Thandi Nkosi, PhD"], ("Thandi Nkosi",)),
        (["ByThandi Nkosi"], ("Thandi Nkosi",)),
        (["Eine Kolumne von Anna Schmidt"], ("Anna Schmidt",)),
        (["Text & Fotos: Anna Schmidt"], ("Anna Schmidt",)),
        (["Von Anna Schmidt Fr, 18. Oktober 2019"], ("Anna Schmidt",)),
        (["Thandi Nkosi Last updated on 5 June 2024"], ("Thandi Nkosi",)),
        (["Ana Pérez y José Díaz Hace 13 horas"], ("Ana Pérez", "José Díaz")),
        (["Per Hansen og Kari Berg"], ("Per Hansen", "Kari Berg")),
        (["Иван Петров и Анна Ким"], ("Иван Петров", "Анна Ким")),
        (["责编：牛镛、岳弘彬"], ("牛镛", "岳弘彬")),
        (["https://example.org/author/x"], ()),
        (["admin"], ()),
        (["By"], ()),
        (["3 min read"], ()),
        (["x" * 90], ()),
        ([], ()),
    ],
)
def test_names_are_cleaned_and_split(values, expected):
    assert clean_names(values) == expected


def test_person_is_preferred_to_the_site():
    candidates = [("json_ld", ["The Herald"]), ("page", ["Thandi Nkosi"])]

    assert choose_authors(candidates, ["The Herald"]).names == ("Thandi Nkosi",)


def test_site_stands_where_nobody_else_is_named():
    assert choose_authors([("json_ld", ["The Herald"])], ["The Herald"]).names == ("The Herald",)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p class='byline'>By Thandi Nkosi</p>", ["By Thandi Nkosi"]),
        ("<div class='byline'>By <a rel='author'>Thandi Nkosi</a>, today</div>", ["Thandi Nkosi"]),
        (
            (
                "<div class='author-box'><span class='author-name'>Thandi Nkosi</span> writes "
                "for us.</div>"
            ),
            ["Thandi Nkosi"],
        ),
        ("<ol class='comment-list'><li><span class='author'>Reader</span></li></ol>", []),
        ("<aside><span class='author'>Somebody Else</span></aside>", []),
        ("<p>Nothing here.</p>", []),
    ],
)
def test_byline_is_found_on_the_page(html, expected):
    assert visible_authors(outline_page(parse_html(html))) == expected


def test_person_is_preferred_to_an_account():
    candidates = [("meta", ["tnkosi"]), ("page", ["Thandi Nkosi"])]

    assert choose_authors(candidates, []).names == ("Thandi Nkosi",)
    assert choose_authors(candidates[:1], []).names == ("tnkosi",)


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


def test_roles_beside_a_person_on_the_page_are_left_out():
    shown = ["Thandi Nkosi", "Full-Stack Developer", "3 Min"]

    assert choose_authors([("page", shown)], []).names == ("Thandi Nkosi",)


def test_agency_that_is_declared_beside_a_person_is_kept():
    declared = [("json_ld", ["Thandi Nkosi", "dpa"])]

    assert choose_authors(declared, []).names == ("Thandi Nkosi", "dpa")


def test_longer_byline_of_the_same_people_is_preferred():
    candidates = [("meta", ["Thandi Nkosi"]), ("page", ["By Thandi Nkosi and Piet Louw"])]

    assert choose_authors(candidates, []).names == ("Thandi Nkosi", "Piet Louw")


def test_list_of_other_authors_is_no_longer_byline():
    candidates = [("meta", ["Thandi Nkosi"]), ("page", ["Thandi Nkosi", "Piet Louw"])]

    assert choose_authors(candidates, []).names == ("Thandi Nkosi",)


def test_desk_stands_only_where_nobody_is_named():
    assert choose_authors([("meta", ["Redaktion"])], []).names == ("Redaktion",)
    assert choose_authors([("meta", ["Redaktion"]), ("page", ["Von Anna Schmidt"])], []).names == (
        "Anna Schmidt",
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Posted on December 18, 2025 Posted by Thandi Nkosi 59 Comments", ["Thandi Nkosi"]),
        ("Dec 08, 2019 by Thandi Nkosi in Growth", ["Thandi Nkosi"]),
        ("ByThandi Nkosi", ["Thandi Nkosi"]),
        ("Deur Sannie Botha", ["Sannie Botha"]),
        ("Ngu Thandi Nkosi", ["Thandi Nkosi"]),
        ("05.02.2020 - Redaktion: Anna Schmidt (Pressesprecherin)", ["Anna Schmidt"]),
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
        ("By Thandi Nkosi", []),
    ],
)
def test_article_signed_at_its_end(line, expected):
    outline = outline_page(parse_html("<h1>Fire</h1>" + "<p>Text.</p>" * 40 + f"<p>{line}</p>"))

    assert signature_of_lines(outline, 0) == expected


def test_byline_contradicts_an_account_that_the_page_shows_nowhere():
    outline = outline_page(parse_html("<h1>Fire</h1><p>By Thandi Nkosi</p>"))
    shown = ["Thandi Nkosi"]

    assert is_contradicted(["Piet Louw"], shown, outline)
    assert not is_contradicted(["Thandi Nkosi"], shown, outline)
    assert not is_contradicted([], shown, outline)
    assert not is_contradicted(["Piet Louw"], [], outline)
    beside = outline_page(parse_html("<h1>Fire</h1><p>By Thandi Nkosi</p><p>Photo: Piet Louw</p>"))
    assert not is_contradicted(["Piet Louw"], shown, beside)


def test_wrapper_named_like_a_list_says_nothing_of_the_byline_in_it():
    page = "<div class='related-story comments-open'><h1>Fire</h1><p class=author>Ann Lee</p></div>"

    assert visible_authors(outline_page(parse_html(page)), 0) == ["Ann Lee"]
