"""Extractors side by side on small labelled pages."""

from extraction.evaluation.labelled_pages import LabelledPage
from extraction.evaluation.set_comparison import compare_on_set
from extraction.html.algorithms.registry import ExtractorChoice

MENU = "<ul><li><a href='/a'>Home of the paper</a></li><li><a href='/b'>Sport pages</a></li></ul>"


def page(number):
    words = f"Shop {number} waited for more of the milk all day long in vain. " * 6
    return LabelledPage(
        set_name="small",
        page_id=str(number),
        url=f"http://paper.example/{number}",
        site="paper.example",
        html=f"<body>{MENU}<div id='a{number}'><p>{words}</p></div></body>".encode(),
        body=words.strip(),
    )


def choices(*names):
    return {name: ExtractorChoice.parse(name) for name in names}


def test_every_extractor_has_a_row_a_page():
    seen = []
    extractors = choices("auto", "text_density", "site_level", "qread:gap_lines=2")

    rows = compare_on_set([page(n) for n in range(4)], extractors, lambda: seen.append(1))

    assert {name: len(found) for name, found in rows.items()} == dict.fromkeys(extractors, 4)
    assert len(seen) == 4
    assert [row.text.shingles.recall for row in rows["text_density"]] == [1.0] * 4


def test_site_level_learns_from_the_pages_of_the_site():
    rows = compare_on_set([page(n) for n in range(4)], choices("site_level"))

    assert [row.text.is_exact for row in rows["site_level"]] == [True] * 4
    assert [row.lines.precision for row in rows["site_level"]] == [1.0] * 4


def test_pages_with_segments_only_are_scored_by_them():
    html = b"<body><p>Sour milk sold out by noon, said the shop.</p></body>"
    segments = LabelledPage("small", "a", "", "x", html, wanted=("Sour milk",), unwanted=("Menu",))

    [row] = compare_on_set([segments], choices("text_density"))["text_density"]

    assert row.text is None
    assert (row.segments.wanted_found, row.segments.unwanted_missed) == (1, 1)
