"""Collocates as a network: a picture of the best, and a table of those that go together."""

import numpy as np

from presentation.charts.network import NetworkChart, NetworkItem, NetworkLink
from presentation.charts.svg import Mark
from presentation.wording.figures import counted
from search.engine.index.recent import Remembered
from search.engine.statistics.collocation.collocate_pairs import CollocatePair, collocate_pairs
from search.engine.statistics.collocation.collocates import Collocate, CollocateList
from search.engine.statistics.counting.attribute_values import numbers_of, type_values
from search.engine.statistics.counting.windows import Window
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_links import window_slice
from search.views.statistics.statistic_page import StatisticPage

MOST_WORDS = 30  # more names than that do not fit around a node
LINKS_A_WORD = 2  # in the picture: with more it is a ball of wool; the table has all
TOP_LOG_DICE = 14.0  # two that are always together
_NODE_CHARS = 24
_BOTH_HELP = "Hits that have both in their window."
_EXPECTED_HELP = "Hits that would have both if the two had nothing to do with one another."
_DICE_HELP = "14 + log2 of Dice (Rychlý 2008), of the hits with the one and with the other."
_LL_HELP = "Log-likelihood (Dunning 1993) of these hits; pairs over 10.83 are listed (p < 0.001)."

# By attribute, window, fewest hits and numbers of the values.
_PAIRS: Remembered[tuple[str, Window, int, tuple[int, ...]], list[CollocatePair]] = Remembered(4)


class Network:
    """The best collocates of a page, and the pairs among them that go together."""

    def __init__(self, page: StatisticPage, found: CollocateList, measure: str) -> None:
        self._page = page
        self._rows = found.rows[:MOST_WORDS]
        self._measure = measure
        lexicon, by = page.hits.snapshot.lexicon, page.values["by"]
        chosen = [numbers_of(lexicon, by, row.value)[0] for row in self._rows]
        window, least = page.values["win"], page.values["min"]
        self._pairs = _PAIRS.of(page.hits).get_or(
            (by, window, least, tuple(chosen)),
            lambda: collocate_pairs(
                page.hits,
                type_values(lexicon, by),
                np.array(chosen, dtype=np.int64),
                window,
                least,
            ),
        )

    @property
    def picture(self) -> NetworkChart:
        """The picture; its words and lines open their hits."""
        scores = np.array([row.scores[self._measure] for row in self._rows])
        scores = np.nan_to_num(scores, posinf=np.nan, neginf=np.nan)
        low, high = (float(np.nanmin(scores)), float(np.nanmax(scores))) if len(scores) else (0, 0)
        items = tuple(
            NetworkItem(
                row.value,
                Mark(row.n_hits, self._words(row), self._address(row), is_tab_stop=False),
                (score - low) / (high - low) if high > low else 1.0,
                is_before=row.mean_position < 0,
            )
            for row, score in zip(self._rows, np.nan_to_num(scores).tolist(), strict=True)
        )
        query = self._page.form.address.get("q")
        node = query if len(query) <= _NODE_CHARS else f"{query[: _NODE_CHARS - 1]}…"
        shown = self._pairs[: LINKS_A_WORD * len(items)]
        sentence = (
            f"Network of {counted(len(items), 'collocate')} of {query}, with "
            f"{counted(len(shown), 'line')} between those that stand near the same hits"
        )
        return NetworkChart(sentence, node, items, tuple(self._link(pair) for pair in shown))

    @property
    def table(self) -> ResultTable:
        """One row a pair, strongest first."""
        columns = (
            Column("first", "Collocate"),
            Column("second", "and"),
            Column("both", "Hits with both", ColumnKind.COUNT, _BOTH_HELP),
            Column("expected", "Expected", ColumnKind.MEASURE, _EXPECTED_HELP),
            Column("logdice", "logDice", ColumnKind.MEASURE, _DICE_HELP, order="descending"),
            Column("ll", "log-likelihood", ColumnKind.MEASURE, _LL_HELP),
        )
        rows = tuple(
            (
                Cell(self._rows[pair.first].value),
                Cell(self._rows[pair.second].value),
                Cell(pair.n_hits, self._both(pair)),
                Cell(pair.expected),
                Cell(pair.log_dice),
                Cell(pair.log_likelihood),
            )
            for pair in self._pairs
        )
        caption = (
            f"Pairs among the first {len(self._rows)} collocates that stand near the same hits "
            "more often than by chance."
        )
        return ResultTable("pairs", caption, columns, rows)

    def _link(self, pair: CollocatePair) -> NetworkLink:
        first, second = self._rows[pair.first].value, self._rows[pair.second].value
        words = f"{first} and {second}: {counted(pair.n_hits, 'hit')} with both"
        share = max(0.0, pair.log_dice / TOP_LOG_DICE)
        mark = Mark(share, words, self._both(pair), is_tab_stop=False)
        return NetworkLink(pair.first, pair.second, mark)

    def _words(self, row: Collocate) -> str:
        return f"{row.value}: {counted(row.n_hits, 'hit')} with it"

    def _slice(self, row: Collocate) -> str:
        return window_slice(self._page.values["win"], self._page.values["by"], row.value)

    def _address(self, row: Collocate) -> str:
        return self._page.hits_in(self._slice(row))

    def _both(self, pair: CollocatePair) -> str:
        return self._page.hits_in(
            self._slice(self._rows[pair.first]), self._slice(self._rows[pair.second])
        )
