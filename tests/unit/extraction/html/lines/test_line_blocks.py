"""Kinds of blocks, and captions: kept as blocks, never part of the running text."""

import pytest

from extraction.html.lines.line_blocks import line_blocks
from extraction.html.markup.block_kinds import kind_of_line
from extraction.html.markup.blocks import Block, BlockKind, join_blocks, join_captions, make_block
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

LONG = "Nothing is as sour as maas that was left in the sun of the Karoo for a whole afternoon."


def outline_of(markup):
    return outline_page(parse_html(f"<body>{markup}"))


def blocks_of(markup, wanted):
    """Blocks of the lines that hold one of the wanted words."""
    outline = outline_of(markup)
    lines = [
        position
        for position, line in enumerate(outline.lines)
        if any(word in line.text for word in wanted)
    ]
    return [(block.kind, block.text) for block in line_blocks(outline, lines)]


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<p>x</p>", BlockKind.PARAGRAPH),
        ("<div>x</div>", BlockKind.PARAGRAPH),
        ("<h1>x</h1>", BlockKind.HEADING),
        ("<h5><span>x</span></h5>", BlockKind.HEADING),
        ("<blockquote><p>x</p></blockquote>", BlockKind.QUOTE),
        ("<aside class='pull-quote'><p>x</p></aside>", BlockKind.QUOTE),
        ("<div class='c-Quote quote'>x</div>", BlockKind.QUOTE),
        ("<div class='quoted-price'>x</div>", BlockKind.PARAGRAPH),
        ("<blockquote class='twitter-tweet'><p>x</p></blockquote>", BlockKind.EMBED),
        ("<ul><li>x</ul>", BlockKind.LIST_ITEM),
        ("<dl><dd>x</dl>", BlockKind.LIST_ITEM),
        ("<pre>x</pre>", BlockKind.PREFORMATTED),
        ("<figure><figcaption><p>x</p></figcaption></figure>", BlockKind.CAPTION),
        ("<table><caption>x</caption></table>", BlockKind.CAPTION),
        ("<p class='wp-caption-text'>x</p>", BlockKind.CAPTION),
        ("<div class='photo-news'><p>x</p></div>", BlockKind.PARAGRAPH),
    ],
)
def test_kind_of_a_line(markup, kind):
    assert kind_of_line(outline_of(markup), 0) is kind


def test_captions_inside_the_article_are_blocks_in_their_place():
    markup = (
        f"<article><p>one {LONG}</p><figure><img><figcaption>A pot</figcaption></figure>"
        f"<p>two {LONG}</p></article><figure><figcaption>Another pot</figcaption></figure>"
    )

    assert blocks_of(markup, ["one", "two"]) == [
        (BlockKind.PARAGRAPH, f"one {LONG}"),
        (BlockKind.CAPTION, "A pot"),
        (BlockKind.PARAGRAPH, f"two {LONG}"),
    ]


@pytest.mark.parametrize(("n_between", "has_caption"), [(2, True), (20, False)])
def test_the_picture_above_the_text_is_the_articles_if_it_stands_near(n_between, has_caption):
    picture = "<figure><figcaption>A pot</figcaption></figure>" + "<p>Share</p>" * n_between
    markup = f"<article>{picture}<p>one {LONG}</p><p>two {LONG}</p></article>"

    captions = [kind for kind, _ in blocks_of(markup, ["one", "two"])].count(BlockKind.CAPTION)

    assert captions == has_caption


@pytest.mark.parametrize(
    "picture",
    [
        "<figure><figcaption><a>Read this too</a></figcaption></figure>",
        "<div class='related'><figure><figcaption>A goat</figcaption></figure></div>",
        "<figure>A goat</figure>",
    ],
)
def test_captions_of_other_articles_are_left_out(picture):
    markup = f"<article><p>one {LONG}</p>{picture}<p>two {LONG}</p></article>"

    assert [kind for kind, _ in blocks_of(markup, ["one", "two"])] == [BlockKind.PARAGRAPH] * 2


def test_a_chosen_caption_is_a_caption_unless_captions_are_the_article():
    picture = "<figure><figcaption>A pot of maas</figcaption></figure>"

    text = blocks_of(f"<p>one {LONG}</p>{picture}<p>one {LONG}</p>", ["one", "maas"])
    gallery = blocks_of(f"<p>one</p>{picture * 3}", ["one", "maas"])

    assert text[1] == (BlockKind.CAPTION, "A pot of maas")
    assert gallery == [
        (BlockKind.PARAGRAPH, "one"),
        *[(BlockKind.PARAGRAPH, "A pot of maas")] * 3,
    ]


def test_cells_of_a_row_are_one_block_and_long_cells_are_paragraphs():
    table = f"<table><tr><td>Maas</td><td>12 l</td></tr><tr><td>{LONG * 2}</td></tr></table>"

    assert blocks_of(table, ["Maas", "12", "Nothing"]) == [
        (BlockKind.TABLE_ROW, "Maas 12 l"),
        (BlockKind.PARAGRAPH, LONG * 2),
    ]


def test_lines_of_one_cell_are_not_joined():
    layout = "<table><tr><td><div>Dams are full</div><div>Rain at last.</div></td></tr></table>"

    assert blocks_of(layout, ["Dams", "Rain"]) == [
        (BlockKind.PARAGRAPH, "Dams are full"),
        (BlockKind.PARAGRAPH, "Rain at last."),
    ]


def test_running_text_and_captions_are_joined_apart():
    blocks = [
        Block(BlockKind.PARAGRAPH, "one"),
        Block(BlockKind.CAPTION, "pot"),
        Block(BlockKind.PARAGRAPH, ""),
        Block(BlockKind.QUOTE, "two"),
        Block(BlockKind.CAPTION, "pan"),
    ]

    assert join_blocks(blocks) == "one\ntwo"
    assert join_captions(blocks) == "pot\npan"


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("Ge\u00admein\u00addein\u00adte\u00adres\u00adsen", "Gemeindeinteressen"),  # de.Taz
        ("Borgar\u00adlína\u200b", "Borgarlína"),  # isl.Morgunbladid
        ("Bru\u0308cke", "Brücke"),  # it.Tageszeitung
        ("\ufeffR\u00a0340\u202f000", "R 340 000"),
        ("\u202a12\u202c \u2066km\u2069", "12 km"),
        ("میخواهم می\u200cخواهم", "میخواهم می\u200cخواهم"),  # spelling of Persian
        ("a\nb\r\n c", "a b c"),
    ],
)
def test_text_of_a_block_is_nfc_on_one_line_without_invisible_characters(raw, stored):
    assert make_block(BlockKind.PARAGRAPH, raw).text == stored
