"""The scatter: points on logarithmic axes, zeros in a lane of their own, outer ones named."""

import re

from presentation.charts.scatter import ScatterChart, ScatterItem
from presentation.charts.svg import Mark


def item(across, up, label, href=""):
    return ScatterItem(across, up, label, Mark(up, f"{label}: {up}", href))


def draw(*items):
    return ScatterChart("rates", items, "there", "here").draw()


def place(svg, label):
    found = re.search(rf'<circle class="pt" cx="([\d.]+)" cy="([\d.]+)" r="3"><title>{label}:', svg)
    return float(found[1]), float(found[2])


def test_items_of_equal_rates_lie_on_the_line():
    svg = draw(item(1, 1, "a"), item(10, 10, "b"), item(100, 100, "c"))

    (x0, y0), (x1, y1), (x2, y2) = (place(svg, label) for label in "abc")
    assert (x1 - x0, y0 - y1) == (x2 - x1, y1 - y2)
    assert 'class="guide"' in svg


def test_what_one_corpus_lacks_lies_before_the_axis():
    svg = draw(item(0, 10, "new"), item(1, 10, "old"), item(10, 0, "gone"))

    assert place(svg, "new")[0] < place(svg, "old")[0]
    assert place(svg, "gone")[1] > place(svg, "old")[1]


def test_the_farthest_items_are_named_and_names_do_not_collide():
    items = [item(10, 10 + number / 100, f"w{number}") for number in range(60)]
    svg = draw(item(1, 1000, "far"), *items)

    names = re.findall(r'<text[^>]*class="val">([^<]*)</text>', svg)
    assert names[0] == "far"
    assert len(names) <= 20


def test_points_link_to_their_hits_and_labels_are_escaped():
    svg = draw(item(1, 2, "<b>", "/search/?q=b"))

    assert '<a href="/search/?q=b">' in svg
    assert "&lt;b&gt;" in svg


def test_without_items_the_picture_says_so():
    assert "No values" in draw()
    assert "No values" in draw(item(0, 0, "never"))
