import pytest

from extraction.html.authors import byline_of_lines, choose_authors, visible_authors
from extraction.html.names import clean_names
from extraction.html.outline import outline_page
from extraction.html.parse import parse_html


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

    found = byline_of_lines(outline_page(parse_html(page)), "Fire")

    assert found == ["Thandi Nkosi", "Piet Louw"]


def test_sentence_that_begins_like_a_byline_is_none():
    page = "<h1>Fire</h1><p>By noon it was out, and by nightfall nobody spoke of it.</p>"

    assert byline_of_lines(outline_page(parse_html(page)), "Fire") == []
