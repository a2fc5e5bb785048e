import pytest

from extraction.html.fields.authors import choose_authors, is_contradicted, visible_authors
from extraction.html.fields.names import clean_names
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html


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
        (["NguSipho Dube"], ("Sipho Dube",)),
        (["Ngubane Dube"], ("Ngubane Dube",)),
        (["Words: Thandi Nkosi"], ("Thandi Nkosi",)),
        (["WORDS: THANDI NKOSI AND PIET LOUW"], ("THANDI NKOSI", "PIET LOUW")),
        (["Words & photos: Thandi Nkosi"], ("Thandi Nkosi",)),
        (["Words and pictures by Thandi Nkosi"], ("Thandi Nkosi",)),
        (["Woorde: Piet Louw"], ("Piet Louw",)),
        (["Teks en foto's: Piet Louw"], ("Piet Louw",)),
        (["Storie deur Piet Louw"], ("Piet Louw",)),
        (["Amazwi: Sipho Dube"], ("Sipho Dube",)),
        (["Texte : Anne Dupont"], ("Anne Dupont",)),
        (["Texto: Ana Pérez"], ("Ana Pérez",)),
        (["Tekst: Kari Berg"], ("Kari Berg",)),
        (["Words Without Borders"], ("Words Without Borders",)),
        (["Eine Kolumne von Anna Schmidt"], ("Anna Schmidt",)),
        (["Text & Fotos: Anna Schmidt"], ("Anna Schmidt",)),
        (["Von Anna Schmidt Fr, 18. Oktober 2019"], ("Anna Schmidt",)),
        (["Thandi Nkosi Last updated on 5 June 2024"], ("Thandi Nkosi",)),
        (["Ana Pérez y José Díaz Hace 13 horas"], ("Ana Pérez", "José Díaz")),
        (["Per Hansen og Kari Berg"], ("Per Hansen", "Kari Berg")),
        (["Иван Петров и Анна Ким"], ("Иван Петров", "Анна Ким")),
        (["责编：牛镛、岳弘彬"], ("牛镛", "岳弘彬")),
        (["About Thandi"], ("Thandi",)),
        (["View all posts by Thandi Nkosi"], ("Thandi Nkosi",)),
        (["Alle Beiträge von Anna Schmidt"], ("Anna Schmidt",)),
        (["Ver todas las entradas de Ana Pérez"], ("Ana Pérez",)),
        (["Contributor: Voxy News Engine"], ("Voxy News Engine",)),
        (["Von POST-Online-Experte Robin Louw"], ("Robin Louw",)),
        (["Christoph Hein Chefredakteur"], ("Christoph Hein",)),
        (["Jule Radeck Vom"], ("Jule Radeck",)),
        (["Korin MillerPublished May 5"], ("Korin Miller",)),
        (["Herald staff reporter"], ("Herald staff reporter",)),
        (["happyface313"], ("happyface313",)),
        (["Daily Mail Reporter"], ("Daily Mail Reporter",)),
        (["Letters To The Editor"], ("Letters To The Editor",)),
        (["View More Posts"], ()),
        (["so Artikel empfehlen"], ()),
        (["031 555 1234"], ()),
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
