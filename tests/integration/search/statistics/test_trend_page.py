"""The trend page: points equal to the concordances they open, several lines, states, export."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from factories import NOW, index_all, make_article, make_comment, make_feed, make_publication
from pages import markup

pytestmark = pytest.mark.django_db


def see(client, query=""):
    return client.get(f"/search/trend/?{query}")


def record_of(client, query):
    return json.loads(see(client, f"{query}&export=json").content)


def rows_of(client, query, table="trend"):
    tables = record_of(client, query)["tables"]
    return next(each["rows"] for each in tables if each["name"] == table)


def total_at(client, address):
    response = client.get(address)
    assert response.status_code == 200
    found = re.search(r"<strong>([\d\u202f]+)</strong> hit", markup(response))
    return int(found[1].replace("\u202f", "")) if found else 0


def links_with_counts(page):
    """Addresses of concordances and the number each bears."""
    found = re.findall(r'<td class="num"[^>]*><a href="(/search/\?[^"]*)">([\d\u202f]+)</a>', page)
    return [(unescape(address), int(n.replace("\u202f", ""))) for address, n in found]


@pytest.fixture
def corpus():
    """Two papers, copies in both, comments, three months."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    first = make_article(
        "We braai on Saturday. The braai was cold. Nobody came to the braai.",
        dated_at=NOW - timedelta(days=70),
    )
    make_article("They braai snoek.", cape, dated_at=NOW - timedelta(days=35))
    make_article("Rain fell on the dam.", cape, dated_at=NOW - timedelta(days=34))
    make_article("A braai and a fire, the braai and the coals.", dated_at=NOW)
    make_comment(first, "A gas braai is a stove.", posted_at=NOW - timedelta(days=3))
    make_comment(first, "Never.", posted_at=NOW - timedelta(days=69))
    index_all()
    return cape


@pytest.mark.parametrize(
    "query",
    [
        "q=braai",
        "q=braai&by=day",
        "q=braai&by=week",
        "q=braai&by=month&in=both",
        "q=braai&by=year&in=both&split=one",
        "q=braai&by=month&in=both&split=pub",
        "q=braai&by=month&q2=the&q3=fire",
        "q=braai&by=week&pub=cape-meridian",
        "q=braai&by=month&only=pub:karoo-courier",
        "q=[word=%22braai%22]+[]&ql=cql&by=month&copies=all",
    ],
)
def test_every_number_opens_exactly_its_hits(reader, corpus, query):
    response = see(reader, query)

    links = links_with_counts(markup(response))
    assert response.status_code == 200
    assert len(links) >= 2
    for address, n in links:
        assert total_at(reader, address) == n, address


def test_every_point_of_the_picture_opens_its_hits(reader, corpus):
    page = markup(see(reader, "q=braai&by=month"))

    point = r'<a href="([^"]*)" tabindex="-1"><circle class="pt[^>]*><title>[^<]*: ([\d]+) hits?'
    points = re.findall(point, page)
    assert len(points) == 3
    for address, n in points:
        assert total_at(reader, unescape(address)) == int(n)


def test_copies_are_counted_in_the_month_of_the_copy_that_counts(reader, corpus):
    original = make_article("The braai is the braai.", dated_at=NOW - timedelta(days=60))
    copy = make_article("The braai is the braai.", corpus, dated_at=NOW - timedelta(days=1))
    make_duplicate(copy, original)
    index_all()

    for copies, total in (("once", 8), ("all", 10)):
        rows = rows_of(reader, f"q=braai&by=day&copies={copies}")
        page = markup(see(reader, f"q=braai&by=day&copies={copies}"))
        assert sum(row["hits"] for row in rows) == total
        assert all(total_at(reader, address) == n for address, n in links_with_counts(page))


def make_duplicate(copy, original):
    from dedup.models import Detection  # noqa: PLC0415 (used here only)

    Detection.objects.update_or_create(article=copy, defaults={"original": original})


def test_months_without_hits_are_rows_with_their_base(reader, corpus):
    rows = rows_of(reader, "q=snoek&by=month")

    assert [row["hits"] for row in rows] == [0, 1, 0]
    assert all(row["tokens"] > 0 for row in rows)
    assert rows[0]["rate"] == 0
    assert rows[1]["low"] < rows[1]["rate"] < rows[1]["high"]


def test_articles_and_comments_are_two_lines(reader, corpus):
    page = markup(see(reader, "q=braai&in=both&by=month"))
    lines = rows_of(reader, "q=braai&in=both&by=month", "summary")

    assert [(row["line"], row["hits"]) for row in lines] == [("articles", 6), ("comments", 1)]
    assert '<polyline class="ln"' in page
    assert '<polyline class="ln l2"' in page


def test_several_queries_by_publication_say_why_there_is_one_line_each(reader, corpus):
    words = "Several queries have one line each"

    assert words in markup(see(reader, "q=braai&q2=the&split=pub"))
    assert words not in markup(see(reader, "q=braai&q2=the"))


def test_the_summary_holds_slope_test_peak_and_ends(reader, corpus):
    (row,) = rows_of(reader, "q=braai&by=month", "summary")

    # Three points, 214, 111, 200 per thousand: of their six orders four fall or rise as much.
    assert row["p"] == pytest.approx(2 / 3)
    assert row["slope"] < 0
    assert row["first"] == (NOW - timedelta(days=70)).date().isoformat()
    assert row["last"] == NOW.date().isoformat()


def test_the_export_says_what_it_rests_on(reader, corpus):
    about = record_of(reader, "q=braai&by=month")["about"]

    assert about["unit of time"] == "month"
    assert about["base"].startswith("38 tokens in 4 texts")
    assert "Wilson" in about["interval"]
    assert "Mann–Kendall" in about["p"]


def test_an_automatic_unit_is_named(reader, corpus):
    assert "by week of publication" in markup(see(reader, "q=braai"))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("q=braai&by=decade", "By: “decade” is not among: auto, day, week, month, year."),
        ("q=braai&norm=percent", "Show: “percent” is not among"),
        ("q=braai&from=2026-13", "There is no month 2026-13"),
        ("q=[braai&q2=[pos&ql=cql", "Character "),
        ("q=%22braai%22&q2=[pos&ql=cql", "Compare with: “[pos”, character"),
        ("q=braai&only=quarter:1", "Parts of texts are no base for this view."),
        ("q=braai&export=pdf", "“pdf” is no kind of file"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(reader, corpus, query, message):
    response = see(reader, query)

    assert response.status_code == 400
    assert message in unescape(markup(response))
    assert 'name="q2"' in markup(response)


def test_too_many_days_are_refused(reader, corpus):
    make_article("An old braai.", dated_at=NOW - timedelta(days=3000))
    index_all()

    response = see(reader, "q=braai&by=day")

    assert response.status_code == 400
    assert "By: The texts span 3 001 days" in markup(response)


def test_no_query_no_hits_and_no_texts(reader):
    assert "Type a word" in markup(see(reader))
    assert "The corpus has no texts yet." in markup(see(reader, "q=braai"))
    make_article("Rain.")
    index_all()
    page = markup(see(reader, "q=braai"))
    assert "No hits" in page
    assert '<svg class="chart' not in page
    assert "No text is left" in markup(see(reader, "q=rain&to=1999"))


def test_one_day_is_one_point(reader):
    make_article("Rain and rain.")
    index_all()

    page = markup(see(reader, "q=rain"))
    (row,) = rows_of(reader, "q=rain", "summary")

    assert page.count('<circle class="pt') == 1
    assert row["slope"] is None
    assert row["p"] is None


def test_events_of_the_crawl_stand_under_the_axis(reader, corpus):
    make_feed(publication=corpus, created_at=NOW - timedelta(days=20))

    page = markup(see(reader, "q=braai&by=month"))

    assert '<path class="ev"' in page
    assert "1 feed of Cape Meridian added" in page


def test_columns_of_several_queries_name_theirs_and_share_no_band(reader, corpus):
    table = record_of(reader, "q=braai&q2=the&by=month")["tables"][1]
    page = markup(see(reader, "q=braai&q2=the&by=month"))

    labels = [column["label"] for column in table["columns"]]
    assert labels[1:4] == ["braai: hits", "braai: per million", "braai: of tokens"]
    assert len(set(labels)) == len(labels)
    assert 'class="band"' in markup(see(reader, "q=braai&by=month"))
    assert 'class="band"' not in page
    assert "the band is" not in page


def test_a_smoothed_line_runs_through_the_averages_of_its_periods(reader, corpus):
    query = "q=braai&by=month&avg=3"
    rows, (line,) = rows_of(reader, query), rows_of(reader, query, "summary")
    page = markup(see(reader, query))

    assert [row["hits"] for row in rows] == [3, 1, 2]
    for at, near in enumerate((rows[:2], rows, rows[1:])):
        average = 1e6 * sum(row["hits"] for row in near) / sum(row["tokens"] for row in near)
        assert rows[at]["average"] == pytest.approx(average)
    assert line["p"] == pytest.approx(2 / 3)  # of the months themselves
    assert page.count('<circle class="pt thin raw"') == 3
    assert 'class="band"' not in page
    assert "averages over 3 months" in " ".join(page.split())
    assert "average" not in rows_of(reader, "q=braai&by=month")[0]


def test_twelve_queries_are_compared_and_another_box_waits(reader, corpus):
    words = ["we", "on", "saturday", "the", "was", "cold", "nobody", "came", "to", "rain", "fire"]
    query = "q=braai&" + "&".join(f"q{n}={word}" for n, word in enumerate(words, 2))

    page = markup(see(reader, f"{query}&by=month&avg=3"))
    lines = rows_of(reader, f"{query}&by=month", "summary")

    assert [line["line"] for line in lines] == ["braai", *words]
    assert '<polyline class="ln l12"' in page
    for n_filled, n_boxes in ((0, 4), (3, 4), (4, 5), (11, 11)):
        given = "&".join(f"q{n}=rain{n}" for n in range(2, 2 + n_filled))
        boxes = re.findall(r'name="q\d+"', markup(see(reader, f"q=braai&{given}")))
        assert len(set(boxes)) == n_boxes


def test_a_permanent_address_keeps_its_numbers(reader, corpus):
    before = rows_of(reader, "q=braai&by=month&asof=1")
    make_article("Braai braai.", dated_at=NOW)
    index_all()

    assert rows_of(reader, "q=braai&by=month&asof=1") == before
    assert rows_of(reader, "q=braai&by=month") != before


# The small trend of the concordance


def test_the_concordance_shows_a_small_trend_that_leads_to_the_page(reader, corpus):
    page = markup(reader.get("/search/?q=braai&sort=old"))

    assert '<svg class="spark"' in page
    assert "hits per million tokens by week, 2026-W37 to 2026-W47" in page
    assert '<a class="small" href="/search/trend/?q=braai">Trend</a>' in page


@pytest.mark.parametrize(
    "query", ["q=nothing", "q=braai&only=quarter:1", "q=snoek&from=2026-10-16&to=2026-10-16"]
)
def test_where_there_is_no_trend_none_is_shown(reader, corpus, query):
    response = reader.get(f"/search/?{query}")

    assert response.status_code == 200
    assert '<svg class="spark"' not in markup(response)
