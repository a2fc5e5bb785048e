"""A text of several authors is one of each: in filters, slices, frequency, cross tables."""

from zoneinfo import ZoneInfo

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.counting.hit_values import parse_key
from search.engine.statistics.cross_table import cross_table
from search.engine.statistics.distribution import distribution
from search.engine.statistics.frequency import RowsWanted, frequencies
from search.engine.statistics.slices import parse_slice
from search.engine.statistics.slicing import narrow_hits

RAIN = parse('"rain"', Language.CQL)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    return snapshot_of(
        tmp_path_factory.mktemp("corpus"),
        [
            document(1, "rain rain sun", author="Tim Hanlon"),
            document(2, "rain and snow", author="Lucy Thornton; Tim Hanlon; Ann Abbot"),
        ],
        [
            document(3, "rain snow rain", author="Ann Abbot; Ann Abbot"),
            document(4, "rain", author=""),
            document(5, "rain", author="Hanlon"),
        ],
    )


@pytest.mark.parametrize(
    ("wanted", "n_hits", "n_texts"),
    [
        ({"authors": ("Tim Hanlon",)}, 3, 2),
        ({"authors": ("Ann Abbot",)}, 3, 2),
        ({"authors": ("Ann Abbot", "Hanlon")}, 4, 3),
        ({"authors": ("Lucy Thornton; Tim Hanlon; Ann Abbot",)}, 1, 1),
        ({"without_authors": ("Tim Hanlon",)}, 4, 3),
        ({"authors": ("Ann Abbot",), "without_authors": ("Lucy Thornton",)}, 2, 1),
        ({"authors": ("Nobody",)}, 0, 0),
    ],
)
def test_filter_finds_each_author_of_a_text(snapshot, wanted, n_hits, n_texts):
    wanted = DocumentFilter(**wanted)

    assert run(snapshot, RAIN, wanted).total == n_hits
    assert select(snapshot, wanted).base.n_documents == n_texts


def test_counts_by_author_are_those_of_their_slices(snapshot):
    selection = select(snapshot, DocumentFilter())
    hits = run(snapshot, RAIN)
    expected = {
        "Tim Hanlon": (3, 2, 6),
        "Ann Abbot": (3, 2, 6),
        "Lucy Thornton": (1, 1, 3),
        "": (1, 1, 1),
        "Hanlon": (1, 1, 1),
    }

    by_author = frequencies(hits, [parse_key("author")], RowsWanted(), selection)
    spread = distribution(hits, selection, "author", ZoneInfo("UTC"))

    assert {
        row.values[0]: (row.n_hits, row.spread.n_texts, row.base_tokens) for row in by_author.rows
    } == expected
    assert {group.value: (group.hits, group.texts, group.tokens) for group in spread} == expected
    assert by_author.n_hits == hits.total == 7
    for name, (n_hits, _, _) in expected.items():
        cut = [parse_slice(f"author:{name}")]
        assert narrow_hits(hits, selection, cut, ZoneInfo("UTC")).total == n_hits


def test_margins_of_a_cross_table_count_each_hit_once(snapshot):
    selection = select(snapshot, DocumentFilter())
    hits = run(snapshot, parse('"rain" | "snow"', Language.CQL))

    table = cross_table(hits, (parse_key("lower"), parse_key("author")), (5, 9), selection)

    cells = {
        (word, name): int(table.counts[i, j])
        for i, word in enumerate(table.rows.values)
        for j, name in enumerate(table.columns.values)
    }
    assert dict(zip(table.rows.values, table.rows.totals, strict=True)) == {"rain": 7, "snow": 2}
    assert cells["rain", "Tim Hanlon"] == 3
    assert cells["snow", "Tim Hanlon"] == cells["snow", "Lucy Thornton"] == 1
    assert dict(zip(table.columns.values, table.columns.totals, strict=True))["Ann Abbot"] == 5
    assert table.n_hits == 9
