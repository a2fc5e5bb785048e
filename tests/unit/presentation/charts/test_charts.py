"""Each chart is compared as parsed XML: which marks, where, with which classes and links."""

import doctest
import math
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presentation.charts import scales
from presentation.charts.axes import Event, Note
from presentation.charts.barcode import Barcode
from presentation.charts.bars import Bar, BarChart
from presentation.charts.dots import Dot, DotChart
from presentation.charts.lines import NAMED, Curve, LineChart, LinePoint
from presentation.charts.loglog import LogLogChart, RankPoint
from presentation.charts.scales import format_value, log_ticks, nice_ticks, shown_labels
from presentation.charts.sparkline import Sparkline, draw_meter
from presentation.charts.svg import Frame, Mark
from presentation.wording.figures import THIN

FRAME = Frame(width=100, height=100)


def bar(label, value, **more):
    return Bar(label, (Mark(value, f"{value} articles", **more),))


def point(value, **more):
    return LinePoint(Mark(value, f"{value} per million"), **more)


def read(text):
    return ET.fromstring(text)  # noqa: S314 -- our own markup


def texts(svg, css_class=None):
    return [text.text for text in svg.iter("text") if text.get("class") == css_class]


ALL_EMPTY = [
    BarChart("s", ()).draw(),
    LineChart("s", (), ()).draw(),
    DotChart("s", ()).draw(),
    LogLogChart("s", ()).draw(),
    Barcode("s", ()).draw(),
    Sparkline("s", ()).draw(),
    draw_meter("s", 0),
]
ALL_FULL = [
    BarChart("s", (bar("a", 2), bar("b", 0)), (Note(0, "n"),)).draw(),
    LineChart("s", ("a", "b"), (Curve("x", (point(2, low=1, high=3), point(1))),)).draw(),
    DotChart("s", (Dot("a", Mark(1, "t"), 0.5, 2),)).draw(),
    LogLogChart("s", (RankPoint(1, Mark(10, "t")),), n_tokens=100).draw(),
    Barcode("s", (Mark(0.5, "t"),)).draw(),
    Sparkline("s", (1, 2, 3)).draw(),
    draw_meter("s", 0.5),
]


@pytest.mark.parametrize("text", ALL_EMPTY + ALL_FULL)
def test_every_chart_is_a_picture_with_a_sentence_and_without_inline_style(text):
    svg = read(text)

    assert (svg.tag, svg.get("role"), svg.get("aria-label")) == ("svg", "img", "s")
    forbidden = {"style", "fill", "stroke", "onclick"}
    assert [
        e for e in svg.iter() if forbidden & set(e.keys()) or e.tag in {"style", "script"}
    ] == []


def test_a_picture_without_words_of_its_own_is_passed_over():
    svg = read(draw_meter("", 0.5))

    assert svg.get("aria-hidden") == "true"
    assert svg.get("role") is None


@pytest.mark.parametrize("text", ALL_EMPTY[:4])
def test_charts_with_axes_say_that_there_are_no_values(text):
    assert texts(read(text)) == ["No values"]


def test_bars_stand_on_the_base_line_with_title_link_and_value():
    chart = BarChart(
        "Articles per day", (bar("19 Nov", 10, href="/articles/"), bar("20 Nov", 20)), frame=FRAME
    )

    svg = read(chart.draw())

    assert [(r.attrib, r.find("title").text) for r in svg.iter("rect")] == [
        ({"class": "bx", "x": "2.5", "y": "50", "width": "45", "height": "50"}, "10 articles"),
        ({"class": "bx", "x": "52.5", "y": "0", "width": "45", "height": "100"}, "20 articles"),
    ]
    assert [a.get("href") for a in svg.iter("a")] == ["/articles/"]
    assert texts(svg, "val") == ["10", "20"]
    assert texts(svg) == ["10", "20", "19 Nov", "20 Nov"]


def test_bars_stack_their_marks_upwards():
    stack = Bar("20 Nov", (Mark(30, "ok"), Mark(10, "404", series=2), Mark(60, "busy", state="lo")))

    svg = read(BarChart("s", (stack,), frame=FRAME).draw())

    assert [(r.get("class"), r.get("y"), r.get("height")) for r in svg.iter("rect")] == [
        ("bx", "70", "30"),
        ("bx b2", "60", "10"),
        ("bx lo", "0", "60"),
    ]


def test_bars_print_values_only_up_to_twelve():
    twelve = BarChart("s", tuple(bar(str(n), n) for n in range(12))).draw()
    thirteen = BarChart("s", tuple(bar(str(n), n) for n in range(13))).draw()

    assert len(texts(read(twelve), "val")) == 12
    assert texts(read(thirteen), "val") == []


def test_bars_note_stands_over_its_bar():
    chart = BarChart("s", (bar("a", 1), bar("b", 1)), (Note(1, "two hosts blocked us"),), FRAME)

    svg = read(chart.draw())

    [note] = [text for text in svg.iter("text") if text.get("class") == "strong"]
    assert (note.text, note.get("x")) == ("two hosts blocked us", "75")


def test_line_breaks_at_a_gap_and_marks_thin_points():
    line = Curve("braai", (point(4), point(2), None, point(1, is_thin=True)))

    svg = read(LineChart("s", ("a", "b", "c", "d"), (line,), frame=FRAME).draw())

    assert [p.get("points") for p in svg.iter("polyline")] == ["0,0 33.3,50", "100,75"]
    assert [c.get("class") for c in svg.iter("circle")] == ["pt", "pt", "pt thin"]
    assert texts(svg, "val") == ["4", "2", "1"]


def test_values_of_crossing_lines_do_not_stand_on_one_another():
    lines = tuple(
        Curve(name, tuple(point(value) for value in values), series)
        for series, name, values in ((1, "x", (100, 80)), (2, "y", (98, 40)), (3, "z", (96, 0)))
    )

    svg = read(LineChart("s", ("a", "b"), lines, frame=FRAME).draw())

    printed = [text for text in svg.iter("text") if text.get("class") == "val"]
    places = {text.text: (float(text.get("x")), float(text.get("y"))) for text in printed}
    assert set(places) == {"100", "98", "80", "40", "0"}
    first = sorted(y for x, y in places.values() if x == 0)
    assert first[1] - first[0] >= 12
    assert "96" not in places


def test_lines_of_two_series_differ_by_class_and_bear_their_names():
    lines = (Curve("braai", (point(4), point(2))), Curve("maas", (point(1), None), series=2))

    svg = read(LineChart("s", ("a", "b"), lines).draw())

    assert [p.get("class") for p in svg.iter("polyline")] == ["ln", "ln l2"]
    assert [c.get("class") for c in svg.iter("circle")] == ["pt", "pt", "pt p2"]
    assert texts(svg, "strong") == ["braai", "maas"]


def test_line_band_runs_along_the_upper_ends_and_back_along_the_lower():
    line = Curve("braai", (point(2, low=1, high=4), point(2, low=0, high=3)))

    svg = read(LineChart("s", ("a", "b"), (line,), frame=FRAME).draw())

    assert [p.get("points") for p in svg.iter("polygon")] == ["0,0 100,25 100,100 0,75"]


def test_line_with_fewer_points_than_labels_is_refused():
    with pytest.raises(ValueError, match="one point or gap for each label"):
        LineChart("s", ("a", "b"), (Curve("x", (point(1),)),))


def test_dots_are_sorted_by_rate_with_their_intervals():
    dots = (
        Dot("Courier", Mark(2, "2 per million"), 1, 4),
        Dot("Herald", Mark(3, "3 per million", href="?pub=herald")),
    )

    svg = read(DotChart("s", dots).draw())

    assert [text.text for text in svg.iter("text") if text.get("text-anchor") == "end"] == [
        "Herald",
        "Courier",
    ]
    assert [(c.get("cx"), c.get("cy")) for c in svg.iter("circle")] == [
        ("345", "12"),
        ("230", "36"),
    ]
    assert [p.get("d") for p in svg.iter("path") if p.get("class") == "iv"] == ["M115 36H460"]
    assert texts(svg, "val") == ["3", "2"]


def test_loglog_places_powers_of_ten_evenly_and_draws_the_zipf_line():
    points = tuple(RankPoint(10**k, Mark(10 ** (2 - k), f"rank {10**k}")) for k in range(3))

    svg = read(LogLogChart("s", points, n_tokens=1000, frame=FRAME).draw())

    assert [(c.get("cx"), c.get("cy")) for c in svg.iter("circle")] == [
        ("0", "0"),
        ("50", "50"),
        ("100", "100"),
    ]
    [guide] = svg.iter("polyline")
    assert (guide.get("class"), guide.get("points")) == ("guide", "0,0 100,100")


def test_loglog_cuts_the_zipf_line_to_the_area():
    points = (RankPoint(1, Mark(10, "")), RankPoint(100, Mark(1, "")))

    svg = read(LogLogChart("s", points, n_tokens=1000, frame=FRAME).draw())

    assert [g.get("points") for g in svg.iter("polyline")] == ["50,0 100,100"]


def test_barcode_places_hits_by_their_share():
    svg = read(Barcode("s", (Mark(0, "first"), Mark(1, "last", href="?at=9"))).draw())

    strokes = [r for r in svg.iter("rect") if r.get("class") == "bx"]
    assert [(r.get("x"), r.find("title").text) for r in strokes] == [
        ("0", "first"),
        ("1198.5", "last"),
    ]


def test_barcode_outside_its_scope_is_refused():
    with pytest.raises(ValueError, match="shares from 0 to 1"):
        Barcode("s", (Mark(1.5, ""),))


def test_sparkline_spans_84_by_20_from_zero():
    svg = read(Sparkline("s", (0, 5, 10)).draw())

    assert (svg.get("class"), svg.get("viewBox")) == ("spark", "0 0 84 20")
    assert [p.get("points") for p in svg.iter("polyline")] == ["0,19 42,10.5 84,2"]


def test_sparkline_of_zeros_lies_on_the_base():
    svg = read(Sparkline("s", (0, 0)).draw())

    assert [p.get("points") for p in svg.iter("polyline")] == ["0,19 84,19"]


@pytest.mark.parametrize(("share", "width"), [(-1, "0"), (0.5, "48"), (7, "96")])
def test_meter_is_cut_to_its_ground(share, width):
    _, filled = read(draw_meter("s", share)).iter("rect")

    assert filled.get("width") == width


@given(st.text())
def test_labels_cannot_break_out_of_the_markup(text):
    svg = read(BarChart(text, (Bar(text, (Mark(1, text),)),), (Note(0, text),)).draw())

    assert {element.tag for element in svg.iter()} <= {"svg", "path", "text", "rect", "title"}


def test_markup_in_labels_is_escaped():
    [mark] = read(BarChart("s", (Bar("<b>", (Mark(1, "</title><script>"),)),)).draw()).iter("rect")

    assert mark.find("title").text == "</title><script>"


@pytest.mark.parametrize("value", [-1, math.nan, math.inf])
def test_mark_without_a_place_on_an_axis_is_refused(value):
    with pytest.raises(ValueError, match="axes start at 0"):
        Mark(value, "")


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "https://elsewhere.example/", "//elsewhere.example/"]
)
def test_mark_links_to_our_own_pages_only(href):
    with pytest.raises(ValueError, match="page of ours"):
        Mark(1, "", href)


def test_examples_of_the_scales_hold():
    assert doctest.testmod(scales).failed == 0


@given(st.floats(1e-6, 1e12), st.integers(1, 10))
def test_nice_ticks_reach_from_0_over_the_highest_value(highest, n_intervals):
    ticks = nice_ticks(highest, n_intervals)

    assert ticks[0] == 0
    assert ticks[-1] >= highest * (1 - 1e-9)
    assert ticks == sorted(set(ticks))
    assert 2 <= len(ticks) <= n_intervals + 1


@given(st.integers(1, 10**9), st.integers(1, 10))
def test_ticks_of_counts_are_whole(highest, n_intervals):
    ticks = nice_ticks(highest, n_intervals, whole=True)

    assert all(isinstance(tick, int) for tick in ticks)
    assert ticks[-1] >= highest
    assert 2 <= len(ticks) <= n_intervals + 1


@pytest.mark.parametrize(
    ("counts", "rates"),
    [
        (BarChart("s", (bar("a", 5),)), BarChart("s", (bar("a", 4.9),))),
        (
            LineChart("s", ("a",), (Curve("x", (point(10),)),)),
            LineChart("s", ("a",), (Curve("x", (point(9.9),)),)),
        ),
        (DotChart("s", (Dot("a", Mark(10, "t")),)), DotChart("s", (Dot("a", Mark(9.9, "t")),))),
    ],
)
def test_axes_of_counts_have_no_halves(counts, rates):
    assert "2.5" not in texts(read(counts.draw()))
    assert "2.5" in texts(read(rates.draw()))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234567, "1_234_567"),
        (1490.4, "1_490"),
        (0.5, "0.5"),
        (12.345, "12.3"),
        (1e-7, "1.0e-07"),
    ],
)
def test_format_value_writes_for_readers(value, text):
    assert format_value(value).replace(THIN, "_") == text


def test_shown_labels_are_at_most_eight():
    assert shown_labels([""] * 30) == [0, 4, 8, 12, 16, 20, 24, 28]


@pytest.mark.parametrize(
    ("lowest", "highest", "ticks"), [(1, 57, [1, 10, 100]), (1, 1, [1, 10]), (0.5, 5, [0.1, 1, 10])]
)
def test_log_ticks_span_the_values(lowest, highest, ticks):
    assert log_ticks(lowest, highest) == ticks


def test_groups_with_an_order_of_their_own_keep_it():
    dots = (Dot("Monday", Mark(2, "2")), Dot("Tuesday", Mark(3, "3")))

    svg = read(DotChart("s", dots, keeps_order=True).draw())

    names = [text.text for text in svg.iter("text") if text.get("text-anchor") == "end"]
    assert names == ["Monday", "Tuesday"]


def test_names_of_lines_do_not_stand_on_one_another():
    points = (LinePoint(Mark(5, "5")), LinePoint(Mark(5, "5")))
    chart = LineChart("s", ("a", "b"), (Curve("one", points), Curve("two", points, 2)))

    svg = read(chart.draw())

    heights = [float(text.get("y")) for text in svg.iter("text") if text.get("class") == "strong"]
    assert heights[1] - heights[0] == 13


def test_names_of_lines_do_not_leave_the_picture_below():
    points = (LinePoint(Mark(9, "9")), LinePoint(Mark(0, "0")))
    lines = tuple(Curve(f"line {n}", points, n) for n in range(1, 13))

    svg = read(LineChart("s", ("a", "b"), lines, frame=NAMED).draw())

    heights = [float(text.get("y")) for text in svg.iter("text") if text.get("class") == "strong"]
    assert max(heights) == NAMED.height + 3
    assert {b - a for a, b in pairwise(heights)} == {13}


def test_a_line_runs_through_its_averages_beside_its_points():
    line = Curve("x", (point(1), point(3)), averages=(2, 2))

    svg = read(LineChart("s", ("a", "b"), (line,), frame=FRAME).draw())

    (drawn,) = svg.iter("polyline")
    heights = {place.split(",")[1] for place in drawn.get("points").split()}
    circles = {circle.get("cy") for circle in svg.iter("circle")}
    assert len(heights) == 1
    assert len(circles) == 2
    with pytest.raises(ValueError, match="one average for each label"):
        LineChart("s", ("a", "b"), (Curve("x", line.points, averages=(2,)),))


def test_events_are_marked_under_the_axis():
    points = (LinePoint(Mark(5, "5")), LinePoint(Mark(5, "5")))
    events = (Event(1, "1 feed added", "/sources/karoo/"),)
    chart = LineChart("s", ("a", "b"), (Curve("one", points),), events=events)

    svg = read(chart.draw())

    (link,) = svg.iter("a")
    assert link.get("href") == "/sources/karoo/"
    assert link.find("path").get("class") == "ev"
    assert link.find("path/title").text == "1 feed added"


def test_pictures_on_one_scale_reach_the_same_top():
    points = (LinePoint(Mark(5, "5")), LinePoint(Mark(5, "5")))
    chart = LineChart("s", ("a", "b"), (Curve("one", points),), top=40)

    svg = read(chart.draw())

    assert [t.text for t in svg.iter("text") if t.get("text-anchor") == "end"][-1] == "40"
