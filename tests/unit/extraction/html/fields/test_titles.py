import pytest

from extraction.html.fields.titles import TitleCandidate, choose_title, title_pieces
from extraction.html.markup.meta_tags import HeadData

SITE = ["The Saldanha Herald", "saldanhaherald.example", "saldanhaherald"]


def chosen(*pairs):
    return choose_title([TitleCandidate(source, text) for source, text in pairs], SITE).text


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("title", "Fire in the harbour | The Saldanha Herald")], "Fire in the harbour"),
        ([("title", "Fire in the harbour - Saldanha Herald")], "Fire in the harbour"),
        ([("title", "The Saldanha Herald: Fire in the harbour")], "Fire in the harbour"),
        (
            [
                ("title", "News » Fire in the harbour » saldanhaherald.example"),
                ("page", "Fire in the harbour"),
            ],
            "Fire in the harbour",
        ),
        (
            [("open_graph", "Fire – no one hurt"), ("page", "Fire – no one hurt")],
            "Fire – no one hurt",
        ),
        (
            [("page", "The Saldanha Herald"), ("title", "Fire in the harbour")],
            "Fire in the harbour",
        ),
        (
            [("title", "Blog archive » Fire in the harbour"), ("page", "Fire in the harbour")],
            "Fire in the harbour",
        ),
        (
            [
                ("open_graph", "Fire!"),
                ("json_ld", "Fire in the harbour"),
                ("page", "Fire in the harbour"),
            ],
            "Fire in the harbour",
        ),
        ([("title", "Fire in the harbour_News_saldanhaherald")], "Fire in the harbour_News"),
        ([("title", "The Saldanha Herald")], "The Saldanha Herald"),
        ([], ""),
        ([("title", "x" * 600)], ""),
    ],
)
def test_headline_without_the_site(pairs, expected):
    assert chosen(*pairs) == expected


def test_part_of_a_title_that_stands_alone_in_a_line_is_the_headline():
    title = TitleCandidate("title", "Fire in the harbour | Port | Notes from the coast")

    found = choose_title([title], SITE, lambda: frozenset(["fire in the harbour"]))

    assert found.text == "Fire in the harbour"


def test_title_that_stands_whole_in_a_line_is_not_cut():
    title = TitleCandidate("title", "Fire in the harbour | Port in flames")

    found = choose_title(
        [title],
        SITE,
        lambda: frozenset(["fire in the harbour port in flames", "fire in the harbour"]),
    )

    assert found.text == "Fire in the harbour | Port in flames"


def pieces(title, og=""):
    return title_pieces(HeadData(values={"og:title": [og]} if og else {}, title=title))


def test_pieces_at_the_ends_of_a_title():
    assert pieces("Fire | Port | News | The Post") == ("fire", "thepost", "news")
    assert pieces("Fire", "Fire - The Post") == ("fire", "thepost")
    assert pieces("火灾_新闻_人民网") == ("火灾", "人民网", "新闻")
    assert pieces("火灾--时政--人民网") == ("火灾", "人民网", "时政")
    assert pieces("Fire in the harbour-side pub") == ()
    assert pieces("") == ()


def test_a_learnt_name_is_cut_from_titles():
    titles = ["Fire_Coast_Seven Seas", "Smoke_Coast_Seven Seas", "Ashes_Coast_Seven Seas"]
    names = set.intersection(*(set(pieces(title)) for title in titles))

    assert names == {"coast", "sevenseas"}
    assert choose_title([TitleCandidate("title", "Rain_Coast_Seven Seas")], names).text == "Rain"
