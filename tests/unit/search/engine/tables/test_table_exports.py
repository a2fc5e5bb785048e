"""Tables as files: equal to what is shown, harmless in a spreadsheet, numbers as numbers."""

import csv
import datetime as dt
import io
import json
import re
import zipfile
from html import unescape

import pytest

from search.engine.allowance import AllowanceUsedError, allowing
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.engine.tables.table_exports import TableFile, TableFormat, write_tables

ABOUT = (("query", '=HYPERLINK("x")'), ("base", "26 tokens"))
TABLE = ResultTable(
    "words",
    "Words.",
    (
        Column("word", "Word"),
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("rate", "Per million", ColumnKind.RATE),
        Column("share", "Share", ColumnKind.SHARE),
        Column("first", "First", ColumnKind.DATE),
    ),
    (
        (Cell("=1+1"), Cell(3), Cell(1 / 3), Cell(0.25), Cell(dt.date(2026, 11, 20))),
        (Cell("@braai"), Cell(-2), Cell(None), Cell(0.0), Cell(None)),
        (Cell("hyphen-ated\nword"), Cell(0), Cell(1e9), Cell(1.0), Cell(dt.date(1970, 1, 1))),
    ),
)


def csv_rows(*tables):
    content = write_tables(TableFile(ABOUT, tables), TableFormat.CSV)
    return list(csv.reader(io.StringIO(content.decode())))


@pytest.mark.parametrize(
    ("form", "separator"), [(TableFormat.DATA_CSV, ","), (TableFormat.DATA_TSV, "\t")]
)
def test_data_alone_are_one_table_from_the_first_row_on(form, separator):
    other = ResultTable("rest", "Rest.", (Column("rest", "Rest"),), ((Cell(1),),))

    content = write_tables(TableFile(ABOUT, (TABLE, other)), form).decode()

    rows = list(csv.reader(io.StringIO(content), delimiter=separator))
    assert rows[0] == ["word", "hits", "per_million", "share", "first"]
    assert rows[2] == ["'@braai", "-2", "", "0.0", ""]
    assert len(rows) == 1 + len(TABLE.rows)


def test_columns_of_data_have_names_of_their_own():
    columns = (Column("rank", "#"), Column("low", "95 %: from"), Column("a", "To"))
    table = ResultTable("x", "X.", (*columns, Column("b", "to")), ((Cell(1),) * 4,))

    content = write_tables(TableFile((), (table,)), TableFormat.DATA_CSV).decode()

    assert content.splitlines()[0] == "rank,low,a,b"


def workbook(*tables):
    content = write_tables(TableFile(ABOUT, tables), TableFormat.XLSX)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def cells(sheet):
    """Type and content of each cell, by its place."""
    found = {}
    for place, attributes, inner in re.findall(r'<c r="([A-Z]+\d+)"([^>]*)>(.*?)</c>', sheet):
        text = re.search(r"<(?:v|t)[^>]*>(.*?)</(?:v|t)>", inner, re.DOTALL)
        is_text = 't="inlineStr"' in attributes
        found[place] = unescape(text[1]) if is_text else float(text[1])
    return found


def test_csv_begins_with_what_it_is_about():
    assert csv_rows(TABLE)[:4] == [
        ["query", '\'=HYPERLINK("x")'],
        ["base", "26 tokens"],
        [],
        ["Word", "Hits", "Per million", "Share", "First"],
    ]


def test_csv_holds_full_numbers_and_harmless_texts():
    assert csv_rows(TABLE)[4:] == [
        ["'=1+1", "3", str(1 / 3), "0.25", "2026-11-20"],
        ["'@braai", "-2", "", "0.0", ""],
        ["hyphen-ated word", "0", "1000000000.0", "1.0", "1970-01-01"],
    ]


def test_several_tables_stand_one_under_the_other_with_their_captions():
    rows = csv_rows(TABLE, TABLE)

    assert rows.count(["Words."]) == 2
    assert rows.count(["Word", "Hits", "Per million", "Share", "First"]) == 2


def test_json_has_the_columns_and_rows_by_key():
    record = json.loads(write_tables(TableFile(ABOUT, (TABLE,)), TableFormat.JSON))

    assert record["about"] == dict(ABOUT)
    assert record["tables"][0]["columns"][2] == {
        "key": "rate", "label": "Per million", "kind": "rate",
    }  # fmt: skip
    assert record["tables"][0]["rows"][:2] == [
        {"word": "=1+1", "hits": 3, "rate": 1 / 3, "share": 0.25, "first": "2026-11-20"},
        {"word": "@braai", "hits": -2, "rate": None, "share": 0, "first": None},
    ]


def test_a_workbook_holds_texts_as_texts_and_numbers_as_numbers():
    files = workbook(TABLE)

    sheet = cells(files["xl/worksheets/sheet2.xml"])
    assert sheet["A2"] == "=1+1"
    assert sheet["B2"] == 3
    assert sheet["C2"] == pytest.approx(1 / 3)
    assert sheet["E2"] == 46346  # 20 November 2026, in days of spreadsheets
    assert "C3" not in sheet
    assert not any("<f>" in text for name, text in files.items() if "worksheets" in name)


def test_a_workbook_says_first_what_it_is_about():
    files = workbook(TABLE, TABLE)

    about = cells(files["xl/worksheets/sheet1.xml"])
    assert [about[place] for place in ("A1", "B1", "A2", "B2")] == [
        "query", '=HYPERLINK("x")', "base", "26 tokens",
    ]  # fmt: skip
    assert re.findall(r'<sheet name="([^"]*)"', files["xl/workbook.xml"]) == [
        "About", "1 words", "2 words",
    ]  # fmt: skip


def named(*keys):
    """One empty table of each key, as the relations of a word sketch are."""
    return [ResultTable(key, key, (Column("a", "A"),), ()) for key in keys]


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        (["modifier", "and/or"], ["About", "1 modifier", "2 and or"]),
        (["a[b]:c*d?e\\f'"], ["About", "a b c d e f"]),
        (["about"], ["About", "1 about"]),
        (["History"], ["About", "1 History"]),
        (["'/"], ["About", "1"]),
        (["x" * 30 + "'" + "y"], ["About", "x" * 30]),
    ],
)
def test_sheets_have_names_that_a_workbook_takes(keys, names):
    book = workbook(*named(*keys))["xl/workbook.xml"]
    assert re.findall(r'<sheet name="([^"]*)"', book) == names


def test_days_that_a_workbook_cannot_count_stand_in_it_as_text():
    """Its days begin with 1900, and it takes that year for a leap year."""
    days = [dt.date(1850, 1, 2), dt.date(1900, 2, 28), dt.date(1900, 3, 1)]
    column = Column("day", "Day", ColumnKind.DATE)
    table = ResultTable("days", "Days", (column,), tuple((Cell(day),) for day in days))
    found = cells(workbook(table)["xl/worksheets/sheet2.xml"])
    assert found == {"A1": "Day", "A2": "1850-01-02", "A3": "1900-02-28", "A4": 61.0}


def test_an_empty_table_is_its_head():
    empty = ResultTable("words", "Words.", TABLE.columns, ())

    assert csv_rows(empty)[-1] == ["Word", "Hits", "Per million", "Share", "First"]
    assert len(cells(workbook(empty)["xl/worksheets/sheet2.xml"])) == 5


def test_rows_must_fit_the_columns():
    with pytest.raises(ValueError, match="one cell for each column"):
        ResultTable("words", "Words.", TABLE.columns, ((Cell("a"),),))


@pytest.mark.parametrize("bar", [-0.1, 1.1])
def test_a_bar_is_a_share(bar):
    with pytest.raises(ValueError, match="share from 0 to 1"):
        Cell(1, bar=bar)


def of_texts(*texts):
    return ResultTable("w", "W.", (Column("word", "Word"),), tuple((Cell(one),) for one in texts))


@pytest.mark.parametrize("texts", [("a" * 32_768,), ("a" * 25_001,) * 200])
def test_workbook_is_refused_for_texts_that_it_cannot_hold_or_pack_in_time(texts):
    with pytest.raises(AllowanceUsedError) as refused:
        workbook(of_texts(*texts))

    assert refused.value.to_do.startswith("Take it as CSV")
    assert csv_rows(of_texts(*texts))[-1] == [texts[-1]]


@pytest.mark.parametrize("form", [TableFormat.CSV, TableFormat.XLSX])
def test_file_is_written_no_longer_than_its_question_may_work(form):
    with pytest.raises(AllowanceUsedError), allowing(0.0):
        write_tables(TableFile(ABOUT, (TABLE,)), form)
