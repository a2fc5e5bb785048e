from datetime import UTC, datetime, timedelta, timezone

import pytest

from extraction.html.fields.dates import DateChoice, choose_date, last_resort, parse_date, url_date
from extraction.html.fields.headline import headline_position
from extraction.html.fields.publication_dates import marked_times, visible_dates
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html


def shown_dates(page):
    outline = outline_page(parse_html(page))
    return visible_dates(outline, headline_position(outline, "Fire"))


SAST = timezone(timedelta(hours=2))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-06-05T10:30:00+02:00", "2024-06-05T10:30:00+02:00"),
        ("2024-06-05T08:30:00Z", "2024-06-05T08:30:00+00:00"),
        ("2024-06-05 10:30", "2024-06-05T10:30:00+02:00"),
        ("20240605", "2024-06-05T00:00:00+02:00"),
        ("Wed, 05 Jun 2024 10:30:00 +0200", "2024-06-05T10:30:00+02:00"),
        ("Wed, 05 Jun 2024 10:30:00 -0500", "2024-06-05T10:30:00-05:00"),
        ("Wed Jun 05 2024 10:30:15 GMT+0100", "2024-06-05T10:30:00+01:00"),
        ("05.06.2024 10:30:59 +03:00", "2024-06-05T10:30:00+03:00"),
        ("05/06/2024 3:15 PM GMT", "2024-06-05T15:15:00+00:00"),
        ("5 June 2024", "2024-06-05T00:00:00+02:00"),
        ("June 5th, 2024 at 3:15 pm", "2024-06-05T15:15:00+02:00"),
        ("5 Junie 2024", "2024-06-05T00:00:00+02:00"),
        ("5 uJuni 2024", "2024-06-05T00:00:00+02:00"),
        ("5. Juni 2024, 10:30 Uhr", "2024-06-05T10:30:00+02:00"),
        ("5 de junio de 2024", "2024-06-05T00:00:00+02:00"),
        ("5 июня 2024", "2024-06-05T00:00:00+02:00"),
        ("2024年6月5日 10:30", "2024-06-05T10:30:00+02:00"),
        ("05.06.2024", "2024-06-05T00:00:00+02:00"),
        ("05/06/2024", "2024-06-05T00:00:00+02:00"),
        ("05 | 06 | 2024", "2024-06-05T00:00:00+02:00"),
        ("04-ago-2021 5:11:10", "2021-08-04T05:11:00+02:00"),
        ("Published 5 June 2024 10:30 GMT", "2024-06-05T10:30:00+00:00"),
        ("Updated on 05.06.2024 by the desk", "2024-06-05T00:00:00+02:00"),
    ],
)
def test_date_is_read_in_any_format(text, expected):
    assert parse_date(text, zone=SAST).isoformat() == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "June 2024",
        "10:30",
        "2024",
        "32 June 2024",
        "99999999",
        "5 Foo 2024 x",
        "1" * 200,
    ],
)
def test_what_is_no_day_is_refused(text):
    assert parse_date(text) is None


def test_first_plausible_source_wins():
    candidates = [("json_ld", "3024-01-01"), ("meta", "1970-01-01"), ("url", "2024-06-05")]

    choice = choose_date(candidates, NOW)

    assert (choice.source, choice.moment.date().isoformat()) == ("url", "2024-06-05")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.example/2024/06/05/fire", "2024-06-05"),
        ("https://x.example/news/2024-06-05-fire", "2024-06-05"),
        ("https://x.example/20240605/fire", "2024-06-05"),
        ("https://x.example/fire-2000123", ""),
    ],
)
def test_day_in_the_address(url, expected):
    assert url_date(url) == expected


def test_visible_date_nearest_to_the_headline_comes_first():
    page = (
        "<p>1 January 2020</p><h1>Fire</h1><p>By A, 5 June 2024</p><p>Text.</p><div "
        "class='related'><p>7 July 2023</p></div>"
    )

    found = shown_dates(page)

    assert (found.near, found.others) == (("5 June 2024", "1 January 2020"), ("7 July 2023",))


def test_date_of_an_update_comes_after_that_of_publication():
    page = "<h1>Fire</h1><p>Updated 6 June 2024</p><p>Published: 2024-06-05 10:30</p>"

    found = shown_dates(page)

    assert found.near == ("2024-06-05 10:30", "6 June 2024")


def test_marked_times_come_before_others():
    page = (
        "<time datetime='2020-01-01'>x</time><time itemprop='datePublished' "
        "datetime='2024-06-05'>y</time>"
    )

    assert marked_times(outline_page(parse_html(page))) == (("2024-06-05",), ("2020-01-01",))


def test_many_marked_days_are_those_of_a_list():
    days = ["2024-06-01", "2024-06-02", "2024-06-03"]
    page = "".join(f"<time itemprop='datePublished' datetime='{day}'>x</time>" for day in days)

    assert marked_times(outline_page(parse_html(page))) == ((), tuple(days))


def test_time_glued_to_its_date_is_read():
    page = "<h1>Fire</h1><div><span>3 May 2022</span><span>21:25</span></div>"

    assert shown_dates(page).near == ("3 May 2022 21:25",)


def test_last_resort_reads_marks_that_nothing_else_knows():
    page = (
        "<html><head><meta name='DC.Date.X' content='x'></head><body><p "
        "class='entry-date'>2024-06-05</p>"
    )

    choice = last_resort(page + "</body></html>", "https://x.example/fire", NOW)

    assert (choice.source, choice.moment.date().isoformat()) == ("htmldate", "2024-06-05")


@pytest.mark.parametrize(
    "page", ["", "<p>No date.</p>", "x" * 2_000_001, "<p class='date'>3024-01-01</p>"]
)
def test_last_resort_invents_nothing(page):
    assert last_resort(page, "", NOW) == DateChoice()


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("26 | 01 | 2022", "26 | 01 | 2022"),
        ("By the desk on 04-ago-2021 5:11:10", "04-ago-2021 5:11:10"),
        ("8.Dezember 2010 um 09:43", "8.Dezember 2010 um 09:43"),
    ],
)
def test_date_in_a_line_in_further_forms(line, first):
    assert shown_dates(f"<h1>Fire</h1><p>{line}</p>").near == (first,)


def test_date_in_a_box_that_holds_the_headline_too_is_near():
    page = "<div class='related-news'><h1>Fire</h1><p>5 June 2024</p></div>"

    assert shown_dates(page).near == ("5 June 2024",)


def test_date_of_a_dateline_comes_before_that_in_a_sentence():
    sentence = (
        "The rules of 15 January 2022 for all that is to be insulated are in force by now, say they"
    )
    page = f"<h1>Fire</h1><p>{sentence}.</p><p>26 January 2022</p>"

    assert shown_dates(page).near[0] == "26 January 2022"


def test_an_account_beside_a_date_is_no_part_of_it():
    found = parse_date("adi_77 | 04/03/2020 10:20")

    assert found is not None
    assert found.isoformat()[:16] == "2020-03-04T10:20"
