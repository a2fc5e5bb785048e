"""QRead by hand: segments, densities, the title's vote, the trap of minified pages."""

from collections import Counter
from math import sqrt

import pytest
from read_pages import kept, scored

from extraction.html.algorithms.qread import (
    QReadParameters,
    choose_segments,
    cosine,
    n_words,
    qread,
    segments_of,
)
from extraction.html.algorithms.source_lines import SourceLine

PLAIN = QReadParameters(uses_title=False)


def lines(*texts):
    return [SourceLine(text=text) for text in texts]


def test_segments_are_cut_at_three_empty_lines():
    found = segments_of(lines("a", "", "", "b c", "", "", "", "d"), 3)

    assert [[line.text for line in segment.lines] for segment in found] == [["a", "b c"], ["d"]]


def test_density_counts_words_by_lines_that_are_not_empty():
    [segment] = segments_of(lines("one two three", "", "four"), 3)

    assert segment.density == 2.0


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("two words", 2), ("新聞", 1.0), ("BBC 新聞", 2.0)]
)
def test_words_of_a_line(text, expected):
    assert n_words(text) == expected


def test_cosine_of_counts():
    left, right = Counter("aab"), Counter("abc")

    assert cosine(left, right) == pytest.approx(3 / sqrt(5 * 3))


PAGE = """<html><head><title>Sour milk sells out</title></head><body>
<div class="left nav">a b c d e f g h i j k l m n o</div>



<p>The sour milk was gone by noon and nobody knew why it sold.</p>
<p>Shops waited for more of the milk all day long in vain.</p>



<div>About us</div>
</body></html>"""


def test_densest_segment_is_the_article():
    expected = [
        "The sour milk was gone by noon and nobody knew why it sold.",
        "Shops waited for more of the milk all day long in vain.",
    ]

    assert kept(PAGE, qread, PLAIN) == expected
    assert [block.score for block in scored(PAGE, qread, PLAIN).blocks] == [
        12.5,
        2.0,
    ]  # (13 + 12) / 2 lines, 2 / 1


def test_menu_is_removed_by_whole_class_words_only():
    page = PAGE.replace("left nav", "navy")

    assert kept(page, qread, PLAIN)[0].startswith("a b c")


def test_title_decides_between_close_densities():
    first = "ten words about other things that fill the whole line"
    second = "the sour milk was sold out by noon on that"
    segments = segments_of(lines(first, "", "", "", second), 3)

    assert choose_segments(segments, "Sour milk sold out", QReadParameters()) == {1}
    assert choose_segments(segments, "Nothing in common", QReadParameters()) == {0}


def test_dense_segments_with_the_title_join_the_main_one():
    long = "milk " * 40
    segments = segments_of(lines(long, "", "", "", "milk " * 25, "", "", "", "coins " * 30), 3)

    assert choose_segments(segments, "Milk", QReadParameters()) == {0, 1}


def test_minified_page_is_broken_at_blocks_and_says_so():
    words = "Shops waited for more of the milk all day long in vain. " * 3
    page = f"<body><div><ul><li>Home</li></ul></div><div><div><p>{words}</p></div></div></body>"
    found = scored(page, qread, PLAIN)

    assert kept(page, qread, PLAIN) == [words.strip()]
    assert found.remark == "The source has no gaps; broken at blocks it has 2 segments."


def test_page_without_text_has_no_blocks():
    assert scored("", qread, PLAIN).blocks == ()


def test_page_of_signs_has_no_words_and_no_error():
    assert choose_segments(segments_of(lines("&&&&"), 3), "Milk", QReadParameters()) == {0}
