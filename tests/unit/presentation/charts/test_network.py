"""Networks: where words stand, which lines join them, and that names do not collide."""

from itertools import combinations
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from presentation.charts.network import NetworkChart, NetworkItem, NetworkLink
from presentation.charts.svg import Mark

WORDS = st.text("abcdefghij", min_size=1, max_size=12)
ITEMS = st.lists(st.tuples(WORDS, st.floats(0, 1), st.booleans(), st.integers(1, 500)), max_size=30)
LINK = Mark(0.5, "together", "/search/?q=a")


def item(label, strength=1.0, value=5, **more):
    return NetworkItem(label, Mark(value, label, "/search/?q=b"), strength, **more)


def read(chart):
    return ET.fromstring(chart.draw())  # noqa: S314 (our own markup)


def names(svg):
    """Place of each name: (x, y) by text."""
    return {text.text: (float(text.get("x")), float(text.get("y"))) for text in svg.iter("text")}


def test_the_strongest_stand_nearest_and_halves_are_kept():
    items = (item("near"), item("far", 0.0), item("before", 0.5, is_before=True))

    svg = read(NetworkChart("s", "node", items))

    (x, y), places = names(svg)["node"], names(svg)
    near, far = ((places[n][0] - x) ** 2 + (places[n][1] - y) ** 2 for n in ("near", "far"))
    assert near < far
    assert places["before"][0] < x < min(places["near"][0], places["far"][0])


def test_lines_join_their_items_and_open_their_hits():
    items = (item("a"), item("b"), item("c"))

    svg = read(NetworkChart("s", "node", items, (NetworkLink(0, 2, LINK),)))

    (line,) = (line for line in svg.iter("line") if line.get("class") == "link")
    dots = [(dot.get("cx"), dot.get("cy")) for dot in svg.iter("circle")]
    assert (line.get("x1"), line.get("y1")) == dots[0]
    assert (line.get("x2"), line.get("y2")) == dots[2]
    assert line.find("title").text == "together"
    assert [a.get("href") for a in svg.iter("a")] == ["/search/?q=a", *["/search/?q=b"] * 3]


def test_dots_grow_with_the_root_of_the_hits():
    svg = read(NetworkChart("s", "node", (item("a", value=400), item("b", value=100))))

    large, small = (float(dot.get("r")) for dot in svg.iter("circle"))
    assert large == 9
    assert small == 5.8  # 2.5 + 6.5 / 2, in tenths


def test_words_that_go_together_stand_beside_one_another():
    items = tuple(item(name) for name in "abcdef")
    links = (NetworkLink(0, 3, LINK), NetworkLink(3, 5, LINK))

    places = names(read(NetworkChart("s", "node", items, links)))

    downwards = sorted("abcdef", key=lambda name: places[name][1])
    assert "".join(downwards).startswith("adf")


def test_without_words_the_picture_says_so():
    assert "No values" in NetworkChart("s", "node", ()).draw()


@given(ITEMS)
def test_every_word_is_drawn_once_inside_the_frame(drawn):
    items = tuple(
        item(f"{label}{number}", strength, value, is_before=is_before)
        for number, (label, strength, is_before, value) in enumerate(drawn)
    )
    chart = NetworkChart("s", "node", items)

    svg = read(chart)

    assert chart.draw() == chart.draw()
    assert len(list(svg.iter("circle"))) == len(items)
    for x, y in names(svg).values():
        assert 0 <= x <= 1168
        assert 0 <= y <= 460


def test_names_of_a_full_picture_do_not_collide():
    items = tuple(item(f"collocate{n}", 1 - n / 30, is_before=n % 2 == 0) for n in range(30))

    places = names(read(NetworkChart("s", "node", items)))

    for one, other in combinations(places, 2):
        (x, y), (u, v) = places[one], places[other]
        assert abs(y - v) >= 11 or abs(x - u) >= 3.5 * (len(one) + len(other)) - 1, (one, other)
