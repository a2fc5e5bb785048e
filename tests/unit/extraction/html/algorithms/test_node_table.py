"""Rows of a page's elements: places in the tree, counts by hand, what the classifier says."""

from read_pages import read

from extraction.html.algorithms.node_table import node_table
from extraction.html.algorithms.templateness import TemplatenessParameters, element_scores
from extraction.html.algorithms.templateness_model import shipped_model

PAGE = (
    "<body><div class='menu top'>Go <a href='/home'>home now</a> or"
    " <a href='https://else.example/x'>elsewhere</a></div><p>Milk was gone by noon.</p></body>"
)


def test_rows_say_where_elements_stand_and_what_is_in_them():
    rows = {row.tag: row for row in node_table(read(PAGE, url="http://paper.example/a"))}

    menu, link = rows["div"], rows["a"]  # the second link
    assert (rows["html"].parent, rows["html"].level) == (-1, 0)
    assert (menu.parent, menu.level, menu.classes) == (rows["body"].number, 2, "menu top")
    assert (link.parent, link.level, link.own_text) == (menu.number, 3, "elsewhere")
    assert (menu.name, link.name) == ("div.menu", "a")
    assert (menu.own_text, menu.n_own_words, menu.n_words) == ("Go or", 2, 5)
    assert (menu.n_linked_words, menu.n_links, menu.n_inner_links) == (3, 2, 1)
    assert (rows["body"].n_words, rows["p"].n_words, rows["p"].n_links) == (10, 5, 0)


def test_probabilities_are_those_of_the_classifier_and_go_down_to_what_is_small():
    page = read(f"{PAGE}<div><b>Short</b></div>")
    scores = element_scores(page, TemplatenessParameters(), shipped_model())

    rows = node_table(page)

    assert {row.number: row.template for row in rows if row.is_judged} == scores
    small = [row for row in rows if not row.is_judged]
    assert small
    assert [row.template for row in small] == [rows[row.parent].template for row in small]


def test_an_empty_page_has_no_probabilities():
    assert {row.template for row in node_table(read(""))} <= {None}
