import pytest

from extraction.html.fields.headings import Heading, choose_heading, read_headings
from extraction.html.markup.parse import parse_html

NAMES = {"saldanhaherald"}


def chosen(html, *heads):
    return choose_heading(read_headings(parse_html(html)), heads, NAMES)


@pytest.mark.parametrize(
    ("html", "heads", "expected"),
    [
        ("<h1>Fire</h1>", [], "Fire"),
        ("<h1>Fire breaks out</h1>", ["Something else"], "Fire breaks out"),
        (
            "<h1>Latest news</h1><h1>Fire in the harbour</h1>",
            ["Fire in the harbour"],
            "Fire in the harbour",
        ),
        # The name of the site is a heading on old themes, the headline one of a lower level.
        (
            "<h1>Coast blog</h1><h2>Fire in the harbour</h2>",
            ["Fire in the harbour | Coast blog"],
            "Fire in the harbour",
        ),
        (
            "<h1>Coast blog</h1><h2>Fire breaks out at sea</h2>",
            ["Coast blog » Archive » Fire breaks out at sea"],
            "Fire breaks out at sea",
        ),
        (
            "<h1><a href='/'>Notes from the Coast</a></h1><h2>Fire at sea</h2>",
            ["Notes from the Coast: Fire at sea", "Notes from the Coast | Fire at sea"],
            "Fire at sea",
        ),
        (
            "<h1>Fire at sea</h1><h3>Related: smoke at sea</h3>",
            ["Fire at sea | Coast blog"],
            "Fire at sea",
        ),
        # A kicker inside the heading is not part of the headline.
        (
            "<h1><span>Tunisia</span> <span>Great tasks ahead</span></h1>",
            ["Great tasks ahead"],
            "Great tasks ahead",
        ),
        (
            "<h1><span>Harbours</span> – Fire at sea</h1>",
            ["Harbours – Fire at sea | The Post"],
            "Fire at sea",
        ),
        ("<h1><span>Fire</span> at sea</h1>", ["Fire at sea"], "Fire at sea"),
        ("<h1>About</h1><h1>Contact</h1>", ["Fire in the harbour"], ""),
        ("<h1>Saldanha Herald</h1>", ["Fire in the harbour"], ""),
        ("<p>Nothing</p>", ["Fire in the harbour"], ""),
    ],
)
def test_heading_that_is_the_headline(html, heads, expected):
    assert chosen(html, *heads) == expected


def test_headings_are_read_with_their_marks():
    html = (
        "<h1 class=logo>Herald</h1><h1><a href='https://herald.example/'>Herald</a></h1>"
        "<h2 class=entry-title><a href='/fire'>Fire</a></h2><h4>No</h4><h3> </h3>"
    )

    assert read_headings(parse_html(html)) == (
        Heading("Herald", level=1, is_logo=True),
        Heading("Herald", level=1, is_logo=True),
        Heading("Fire", level=2, is_marked=True),
    )


def test_only_the_first_sixty_headings_are_read():
    assert len(read_headings(parse_html("<h2>Item</h2>" * 1_000))) == 60
