"""Agencies that sign articles: a filter, a slice and counts beside the lines, and no authors."""

import csv
from collections import Counter
from io import StringIO
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from factories import make_publication
from small_corpora import document, write

from search.engine.index.documents import DocumentKind

pytestmark = pytest.mark.django_db

# Text, and who signs it; the last one is a reader's comment.
TEXTS = {
    1: ("rain", ("Thandi Nkosi", "AFP")),
    2: ("rain rain", ("AFP", "Nampa")),
    3: ("rain rain rain rain", ("Piet Louw",)),
    4: ("rain in the rain and more of the rain today rain rain", ("Netwerk24-verslaggewer",)),
    5: ("rain on", ()),
    6: ("rain rain rain", ("AFP",)),
}
COMMENT = 6
AGENCIES = ("AFP", "Nampa", "Netwerk24-verslaggewer")
STATISTICS = ["frequency", "collocates", "ngrams", "trend", "distribution", "keyness"]
FILTERS = {
    "agency=AFP": lambda names: "AFP" in names,
    "agency=AFP&agency=Nampa": lambda names: {"AFP", "Nampa"} & {*names},
    "agency=AFP&author=Thandi+Nkosi": lambda names: {"AFP", "Thandi Nkosi"} <= {*names},
    "agency=-AFP": lambda names: "AFP" not in names,
    "agency=Reuters": lambda _: False,
    "only=agency:AFP": lambda names: "AFP" in names,
    "only=-agency:AFP": lambda names: "AFP" not in names,
}


@pytest.fixture
def corpus():
    make_publication("karoo")
    write(
        Path(settings.INDEX_DIR),
        [
            document(
                key, text, publication="karoo", author="; ".join(names),
                kind=DocumentKind.COMMENT if key == COMMENT else DocumentKind.ARTICLE,
            )
            for key, (text, names) in TEXTS.items()
        ],
    )  # fmt: skip


def kept(keeps):
    """Words of the articles whose names a filter keeps."""
    return [text.split() for key, (text, names) in TEXTS.items() if key != COMMENT and keeps(names)]


@pytest.mark.parametrize("parameters", FILTERS)
def test_filters_find_what_a_slow_count_finds(reader, corpus, parameters):
    page = reader.get(f"/search/?q=rain&{parameters}").context["page"]

    words = kept(FILTERS[parameters])
    assert (page.total, page.base_tokens) == (
        sum(each.count("rain") for each in words),
        sum(map(len, words)),
    )


@pytest.mark.parametrize("name", [*AGENCIES, "Thandi Nkosi", "Piet Louw"])
@pytest.mark.parametrize(("sign", "operator"), [("", "="), ("-", "!=")])
def test_cql_finds_what_the_filters_find(reader, corpus, name, sign, operator):
    column = "agency" if name in AGENCIES else "author"
    cql = quote(f'[word="rain" & text_{column}{operator}"{name}"]')

    asked = reader.get(f"/search/?ql=cql&q={cql}").context["page"].total

    filtered = reader.get(f"/search/?q=rain&{column}={quote(sign + name)}").context["page"].total
    assert asked == filtered


@pytest.mark.parametrize("view", STATISTICS)
def test_statistics_have_the_same_base(reader, corpus, view):
    reference = "&ref=agency%3D-AFP" if view == "keyness" else ""

    answer = reader.get(f"/api/search/{view}/?q=rain&agency=AFP{reference}").json()

    assert answer["base"]["tokens"] == sum(map(len, kept(FILTERS["agency=AFP"])))


def test_hits_are_counted_by_agency_and_each_count_leads_to_its_hits(reader, corpus):
    counted = Counter()
    for key, (text, names) in TEXTS.items():
        for name in names:
            counted[name] += text.split().count("rain") if key != COMMENT else 0

    facets = {facet.title: facet for facet in reader.get("/search/?q=rain").context["facets"]}

    assert {value.label: value.n for value in facets["Agency"].values} == {
        name: counted[name] for name in AGENCIES
    }
    for value in facets["Agency"].values:
        narrowed = reader.get(value.address).context
        assert narrowed["page"].total == value.n
        assert [chip.value for chip in narrowed["chips"]] == [f"agency “{value.label}”"]


def test_files_and_lines_of_the_api_have_them_in_a_column_of_their_own(reader, corpus):
    address = "q=rain&in=both&copies=all"
    file = reader.get(f"/search/export/?{address}&format=data.csv").getvalue().decode()
    lines = reader.get(f"/api/search/?{address}").json()["lines"]

    expected = set()
    for key, (_, names) in TEXTS.items():
        agencies = [name for name in names if name in AGENCIES and key != COMMENT]
        authors = [name for name in names if name not in agencies]
        expected.add(("; ".join(authors), "; ".join(agencies)))
    rows = csv.DictReader(StringIO(file))
    assert {(row["author"], row["agency"]) for row in rows} == expected
    assert {(line["author"], line["agency"]) for line in lines} == expected


def test_comments_are_of_no_agency(reader, corpus):
    assert reader.get("/search/?q=rain&in=both&agency=AFP").context["page"].total == 3
    assert reader.get("/search/?q=rain&in=both&only=agency:AFP").context["page"].total == 3


def test_chip_and_base_name_it(reader, corpus):
    shown = reader.get("/search/?q=rain&agency=AFP&agency=-Nampa").context

    assert [(chip.name, chip.value) for chip in shown["chips"]] == [
        ("Agency", "not Nampa"),
        ("Agency", "AFP"),
    ]
    assert "signed by “AFP” not signed by “Nampa”" in shown["base_words"]


def test_a_corpus_without_agencies_has_no_counts_of_them(reader):
    write(Path(settings.INDEX_DIR), [document(1, "rain", author="Thandi Nkosi")])

    titles = [facet.title for facet in reader.get("/search/?q=rain").context["facets"]]

    assert "Agency" not in titles


def signed_by(name):
    """Hits and tokens of the texts that an agency signs, "" for those that none does."""
    texts = [
        text.split()
        for key, (text, names) in TEXTS.items()
        if (name in names and key != COMMENT)
        or (not name and (key == COMMENT or not {*AGENCIES} & {*names}))
    ]
    return sum(words.count("rain") for words in texts), sum(map(len, texts))


@pytest.mark.parametrize(("view", "value"), [("frequency", "value0"), ("distribution", "value")])
def test_hits_are_counted_by_agency_with_the_tokens_of_its_texts(reader, corpus, view, value):
    address = f"/api/search/{view}/?by=agency&q=rain&in=both&copies=all"
    answer = reader.get(address).json()

    rows = {row[value]: row for row in answer["tables"][0]["rows"]}
    assert len(rows) == len(AGENCIES) + 1
    for label, row in rows.items():
        n_hits, n_tokens = signed_by(label if label in AGENCIES else "")
        assert row["hits"] == n_hits
        assert row["rate"] == pytest.approx(1_000_000 * n_hits / n_tokens, rel=1e-4)


def test_a_trend_has_a_line_for_each_agency(reader, corpus):
    address = "q=rain&split=agency&by=year&in=both&copies=all"
    tables = reader.get(f"/api/search/trend/?{address}").json()["tables"]
    page = reader.get(f"/search/trend/?{address}").context

    lines = {row["line"]: (row["hits"], row["tokens"]) for row in tables[0]["rows"][1:]}
    assert lines == {name or "not given": signed_by(name) for name in ("", *AGENCIES)}
    for multiple in page["multiples"]:
        assert reader.get(multiple.address).context["page"].total == multiple.n_hits
    for table in page["tables"]:
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                if column.key == "hits" and cell.address:
                    assert reader.get(cell.address).context["page"].total == cell.value


@pytest.mark.parametrize("view", ["frequency", "distribution"])
def test_each_row_by_agency_opens_its_hits(reader, corpus, view):
    page = reader.get(f"/search/{view}/?q=rain&by=agency&in=both&copies=all")

    table = page.context["tables"][0]
    place = [column.key for column in table.columns].index("hits")
    cells = [row[place] for row in table.rows]
    assert len(cells) == len(AGENCIES) + 1
    for cell in cells:
        assert reader.get(cell.address).context["page"].total == cell.value
