"""The concordance's panels: orders of several keys, samples, filters on hits; damaged files."""

import csv
import io
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from factories import NOW, index_all, make_article, make_publication, make_user
from pages import fields, has, markup, texts
from workbooks import rows_of_workbook

from search.asking.sort_fields import sort_rows

pytestmark = pytest.mark.django_db


def see(client, query):
    return client.get(f"/search/?{query}")


def hits_of(response):
    return [row.hit for row in response.context["lines"]]


@pytest.fixture
def corpus():
    cape = make_publication("cape-meridian", name="Cape Meridian")
    texts = (
        "Heavy rain falls. Rain stops.",
        "Cold rain and wind came. The élan of rain was zero.",
        "No rain today. Wind blew, Zebras ran.",
    )
    return [
        make_article(text, cape if number else None, dated_at=NOW - timedelta(days=number))
        for number, text in enumerate(texts)
    ] + [index_all()]


# Orders


def test_fields_of_the_sort_panel_become_one_address(reader, corpus):
    fields = "sort=r1&sort=.lemma&sort=.rev&sort=-&sort=.desc&sort=pub&sort=.lemma&sort=.desc"

    response = see(reader, f"q=rain&{fields}")

    assert response.status_code == 302
    assert response.url == "/search/?q=rain&sort=r1.lemma.rev,pub.desc"


def test_the_panel_shows_the_keys_in_force(reader, corpus):
    response = see(reader, "q=rain&sort=l1.rev,pub.desc")

    rows = response.context["sort_panel"][1]
    assert [next(v for v, _, chosen in row.places if chosen) for row in rows] == ["l1", "pub", "-"]
    assert (rows[0].is_retrograde, rows[1].is_descending) == (True, True)
    assert rows == sort_rows("l1.rev,pub.desc")
    assert 'value="l1.rev,pub.desc" selected>1st word left (from its end)' in markup(response)


@pytest.mark.parametrize(
    ("sort", "firsts"),
    [
        ("r1", [".", "and", "falls", "stops", "today", "was"]),
        ("r1.desc", ["was", "today", "stops", "falls", "and", "."]),
        ("l1.rev", [".", "cold", "of", "no", "heavy"]),
    ],
)
def test_lines_come_in_the_order_asked_for(reader, corpus, sort, firsts):
    rows = see(reader, f"q=rain&sort={sort}").context["lines"]

    near = [(row.right_near or row.left_near).strip().lower() for row in rows]
    assert near == [word for word in firsts if word in near]
    assert len(near) == 5


def test_heads_add_a_second_key(reader, corpus):
    heads = {head.label: head for head in see(reader, "q=rain&sort=r1,r2,r3").context["heads"]}
    both = {head.label: head for head in see(reader, "q=rain&sort=r1,l1").context["heads"]}
    newest = see(reader, "q=rain").context["heads"]

    assert heads["Left context"].then == "/search/?q=rain&sort=r1,l1"
    assert heads["Right context"].then == ""
    assert (both["Right context"].arrow, both["Left context"].arrow) == ("↓¹", "↓²")
    assert (both["Right context"].aria, both["Left context"].aria) == ("ascending", "")
    assert both["Node"].then == "/search/?q=rain&sort=r1,l1,node"
    assert [head.then for head in newest] == [""] * 4


# Samples


def test_a_sample_says_its_size_and_seed(reader, corpus):
    page = markup(see(reader, "q=rain&sample=2&seed=7"))

    assert "Sample: <b>2</b> of 5, seed 7." in page
    assert '<a href="/search/?q=rain&amp;sample=2&amp;seed=8">Another sample</a>' in page
    assert "<strong>5</strong> hits" in page
    assert "1–2 of 2" in page


def test_a_sample_is_the_same_each_time_and_on_all_its_pages(reader, corpus):
    whole = hits_of(see(reader, "q=rain&sample=4&seed=3&sort=r1"))
    first = see(reader, "q=rain&sample=4&seed=3&sort=r1&n=2")
    second = reader.get(first.context["next"])

    assert hits_of(first) + hits_of(second) == whole
    assert hits_of(see(reader, "q=rain&sample=4&seed=3&sort=r1")) == whole
    assert set(hits_of(see(reader, "q=rain&sample=2&seed=3"))) < set(whole)


def test_a_share_of_all_hits_is_kept(reader):
    make_article("rain " * 400)
    index_all()

    response = see(reader, "q=rain&sample=10%25&n=25")

    assert 20 <= response.context["page"].n_lines <= 65
    assert "(10 % of all), seed 1." in markup(response)


@pytest.mark.parametrize("value", ["0", "-3", "100001", "ten", "0%", "100%", "1e3"])
def test_a_wrong_sample_is_named_and_all_hits_are_shown(reader, corpus, value):
    response = see(reader, f"q=rain&sample={quote(value)}")

    assert response.status_code == 400
    assert f"“{value}” is no sample" in markup(response)
    assert len(response.context["lines"]) == 5


# Filters on hits


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("near=falls", 1),
        ("near=wind", 1),
        ("near=wind|falls", 2),
        ("near=" + quote('[lemma="come"]'), 1),
        ("near=wind&reach=0,1", 0),
        ("near=wind&reach=0,2", 1),
        ("notnear=wind", 4),
        ("near=cold&notnear=wind", 0),
        ("one=text", 3),
        ("one=random&seed=4", 3),
    ],
)
def test_hits_are_kept_by_their_context(reader, corpus, query, lines):
    assert see(reader, f"q=rain&{query}").context["page"].total == lines


def test_a_filter_on_hits_is_a_chip_that_takes_itself_away(reader, corpus):
    response = see(reader, "q=rain&near=wind&reach=0,2&one=text&overlap=join")

    assert [(c.name, c.value, c.without) for c in response.context["chips"]] == [
        ("Near", "wind (0 left, 2 right)", "/search/?q=rain&overlap=join&one=text"),
        (
            "Overlapping hits",
            "in one line",
            "/search/?q=rain&near=wind&reach=0,2&one=text",
        ),
        (
            "Of each text",
            "the first hit",
            "/search/?q=rain&near=wind&reach=0,2&overlap=join",
        ),
    ]


def test_a_filter_that_took_all_hits_is_offered_as_a_way_out(reader, corpus):
    ways = see(reader, "q=rain&near=snow").context["ways_out"]

    assert [(way.n, way.address) for way in ways] == [(5, "/search/?q=rain")]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("near=two+words", "“two words” cannot be looked for. Write a single word"),
        ("near=" + quote("[pos="), "cannot be looked for."),
        ("notnear=" + quote("[]"), "Write a single word, or one token in CQL."),
        ("near=rain&reach=5", "“5” is no reach"),
        ("near=rain&reach=0,0", "“0,0” is no reach"),
        ("near=rain&reach=51,1", "“51,1” is no reach"),
        ("overlap=some", "“some” is nothing to do"),
        ("one=two", "“two” is no choice"),
        ("stories=twice", "“twice” is no way to count stories"),
    ],
)
def test_a_wrong_filter_on_hits_stops_the_search(reader, corpus, query, message):
    response = see(reader, f"q=rain&{query}")

    assert response.status_code == 400
    assert message in markup(response)


def test_overlapping_hits_are_one_line_with_their_readings(reader, corpus):
    query = "ql=cql&q=" + quote('[word="cold|rain|and"%c] [word="rain|and|wind"%c]')

    apart, joined = see(reader, query), see(reader, f"{query}&overlap=join")

    assert apart.context["page"].total == 3
    assert [(row.node, row.readings) for row in joined.context["lines"]] == [
        ("Cold rain", 2),
        ("and wind", 1),
    ]
    assert "2 readings" in markup(joined)


def test_sections_and_authors_are_filters(reader):
    make_article("rain", section="Sport", authors=["B. Nel"])
    make_article("rain rain")
    index_all()

    assert see(reader, "q=rain&sec=Sport").context["page"].total == 1
    assert see(reader, "q=rain&sec=-Sport").context["page"].total == 2
    assert see(reader, "q=rain&author=B.+Nel").context["page"].total == 1
    page = see(reader, "q=rain&sec=-Sport")
    assert "articles not in section “Sport”, copies" in markup(page)
    assert [(c.name, c.value) for c in page.context["chips"]] == [("Section", "not Sport")]


def test_wide_view_shows_the_sentences_around(reader, corpus):
    page = markup(see(reader, "q=blew&view=wide"))

    assert 'No rain today. Wind <b class="hit">blew</b>, Zebras ran.' in page


# Files


def exported(client, query):
    return b"".join(client.get(f"/search/export/?{query}").streaming_content)


def csv_lines(data):
    rows = list(csv.reader(io.StringIO(data.decode())))
    return dict(row for row in rows if len(row) == 2), [
        row for row in rows if row and row[0].isdigit()
    ]


def test_a_file_holds_the_order_sample_and_filters_of_the_page(reader, corpus):
    query = "q=rain&notnear=falls&sort=r1,l1&sample=3&seed=5"
    shown = see(reader, query).context["lines"]

    about, rows = csv_lines(exported(reader, f"{query}&format=csv"))

    assert [row[8] for row in rows] == [line.node for line in shown]
    assert [row[9] for row in rows] == [(line.right_near + line.right).strip() for line in shown]
    assert about["sample"] == "3 of 4, seed 5"
    assert about["filters"] == "Not near: falls (5 left, 5 right)"
    assert about["order"] == "1st word right, 1st word left"


def test_an_excel_file_holds_the_same_rows(reader, corpus):
    _, rows = csv_lines(exported(reader, "q=rain&sort=r1&format=csv"))

    sheet = rows_of_workbook(exported(reader, "q=rain&sort=r1&format=xlsx"))

    assert sheet[0][:2] == ["query", "rain"]
    assert [row[8] for row in sheet[-5:]] == [row[8] for row in rows]
    assert [row[0] for row in sheet[-5:]] == ["1", "2", "3", "4", "5"]


def test_linguists_get_all_lines_and_readers_a_thousand(client, settings, reader):
    make_article("rain " * 1300)
    index_all()

    by_reader = exported(reader, "q=rain&format=jsonl").splitlines()
    client.force_login(make_user("linguist"), backend="corpus_site.accounts.backends.RoleBackend")
    by_linguist = exported(client, "q=rain&sort=r1&format=jsonl").splitlines()

    assert len(by_reader) == 1 + 1000
    assert len(by_linguist) == 1 + 1300


# Damage


def test_a_damaged_file_is_named_on_the_page(reader, corpus, settings):
    make_article("More rain.")
    index_all()
    name = max(Path(settings.INDEX_DIR).glob("*.segment")).name
    (Path(settings.INDEX_DIR) / name).write_bytes(b"no segment")
    forget_opened_index()

    page = markup(see(reader, "q=rain"))

    assert f"A file of the index cannot be read: <code>{name}</code>." in page
    assert "All numbers leave out the texts in it." in page
    assert "Ask an admin of this installation to rebuild the index." in page


def forget_opened_index():
    from search import opened_index  # noqa: PLC0415

    opened_index._reader.cache_clear()


# Targets


@pytest.mark.parametrize("filters", ["", "&near=falls", "&overlap=join"])
def test_the_target_of_a_query_is_marked_in_the_node(reader, corpus, filters):
    query = "ql=cql&q=" + quote('"Heavy" @"rain"') + filters

    page = see(reader, query)

    assert texts(page, "a[data-open]") == ["Heavy rain"]
    assert texts(page, "a[data-open] mark") == ["rain"]
    assert not has(see(reader, "ql=cql&q=" + quote('"Heavy" "rain"')), "mark")


def test_many_publications_are_typed_and_say_how_many_texts_they_have(reader):
    papers = [make_publication(f"paper-{i}", name=f"Paper {i}") for i in range(14)]
    make_article("We braai.", papers[3])
    make_article("We braai here.", papers[3])
    make_article("They braai.", papers[9])
    index_all()

    page = reader.get("/search/?q=braai&pub=Paper+9&pub=paper-3")

    assert page.context["page"].total == 3
    source = markup(page)
    assert '<option value="paper-3">Paper 3 (2 texts)</option>' in source
    assert '<option value="paper-4">Paper 4 (0 texts)</option>' in source
    assert ("pub", "paper-3") in fields(page)
    assert ("pub", "paper-9") in fields(page)
    assert "Paper 9" in page.context["form"].base_words
    assert reader.get("/search/?q=braai&pub=-Paper+9").context["page"].total == 2
    assert reader.get("/search/?q=braai&pub=Paper+99").status_code == 400


def test_every_control_of_an_older_generation_keeps_it(reader, corpus):
    older = fields(see(reader, "q=rain&asof=1"))
    newest = fields(see(reader, "q=rain"))
    wrong = fields(see(reader, "q=rain&asof=99"))

    # The query's own form with all that belongs to it, the panel of orders, that of samples.
    assert older.count(("asof", "1")) == 3
    assert "asof" not in dict(newest)
    assert "asof" not in dict(wrong)
    statistic = fields(reader.get("/search/collocates/?q=rain&asof=1"))
    assert ("asof", "1") in statistic


def test_a_wrong_sample_is_told_in_its_own_panel(reader, corpus):
    page = markup(see(reader, "q=rain&sample=abc"))

    panel = page[page.index("Sample…") :]
    assert '<details class="menu panel" open><summary class="btn plain">Sample…' in page
    assert '<p class="error">' in panel[: panel.index("</details>")]
    assert '<details class="more-filters" open>' not in page
