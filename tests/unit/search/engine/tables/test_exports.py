"""Files of a concordance: what they say first, and cells that must not run."""

import csv
import io
import json

import pytest

from search.engine.tables.exports import COLUMNS, ExportFormat, ExportTable, harmless, write_table

ABOUT = (("query", '=cmd|"x"'), ("generation", "7"))
ROW = (
    1,
    "2026-11-20T10:30",
    "Karoo",
    "article",
    "T",
    "A",
    "AFP",
    "-1 left",
    "braai",
    "@r\nx",
    "u",
    "o",
    "reserved",
    "article-7",
    3,
    1,
    "",
)


def written(form):
    return "".join(write_table(ExportTable(ABOUT, [ROW]), form))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+27 11", "'+27 11"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\t=1", "' =1"),
        ("\r\n=1", "' =1"),
        ("\u00a0=1", "'\u00a0=1"),
        ("a=1", "a=1"),
        ("", ""),
        (-5, "-5"),
    ],
)
def test_harmless_cell(cell, expected):
    assert harmless(cell) == expected


def test_csv_says_first_what_it_is():
    rows = list(csv.reader(io.StringIO(written(ExportFormat.CSV))))

    assert rows[0] == ["query", '\'=cmd|"x"']
    assert rows[1] == ["generation", "7"]
    assert rows[2] == []
    assert rows[3] == list(COLUMNS)
    assert rows[4][7:10] == ["'-1 left", "braai", "'@r x"]
    assert len(rows) == 5


@pytest.mark.parametrize(
    ("form", "separator"), [(ExportFormat.DATA_CSV, ","), (ExportFormat.DATA_TSV, "\t")]
)
def test_data_alone_are_a_table_from_the_first_row_on(form, separator):
    head, row = csv.reader(io.StringIO(written(form)), delimiter=separator)

    assert head[:4] == ["number", "published", "publication", "text_type"]
    assert (len(head), len(row)) == (len(COLUMNS), len(COLUMNS))
    assert row[7:10] == ["'-1 left", "braai", "'@r x"]


def test_tsv_has_one_line_a_row():
    lines = written(ExportFormat.TSV).splitlines()

    assert lines[4].split("\t")[7:10] == ["'-1 left", "braai", "'@r x"]
    assert len(lines) == 5


def test_json_lines_keep_the_text_as_it_is():
    head, row = [json.loads(line) for line in written(ExportFormat.JSONL).splitlines()]

    assert head == dict(ABOUT)
    assert row == dict(zip(COLUMNS, ROW, strict=True))
