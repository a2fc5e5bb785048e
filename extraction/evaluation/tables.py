"""Figures of several extractors as a table of plain text, for commands and benchmarks."""

from collections.abc import Mapping, Sequence

from extraction.evaluation.summaries import Figure, PageRow, summarize

HEADS = {
    "f1": "F1",
    "precision": "P",
    "recall": "R",
    "exact": "exact",
    "accurate": "accurate",
    "extra": "extra",
    "missed": "missed",
    "bag_precision": "bag P",
    "bag_recall": "bag R",
    "bag_f1": "bag F1",
    "content_precision": "content P",
    "content_recall": "content R",
    "content_f1": "content F1",
    "segment_f1": "F1 (segments)",
    "segment_precision": "P",
    "segment_recall": "R",
    "segment_accuracy": "right",
    "milliseconds": "ms",
}
# Figures whose interval is printed beside them; the others' are in the data.
_WITH_INTERVAL = frozenset(["f1", "bag_f1", "content_f1", "segment_f1", "accurate"])


def figure_table(rows: Mapping[str, Sequence[PageRow]]) -> str:
    """Markdown table, one row an extractor, n pages each; intervals are 95 %.

    Extractors without any page are left out; so are figures that none of them has.
    """
    summaries = {name: summarize(own) for name, own in rows.items() if own}
    known = {name for summary in summaries.values() for name in summary.figures}
    columns = [name for name in HEADS if name in known]
    lines = [
        _line(["extractor", "n", *(HEADS[name] for name in columns), "errors"]),
        _line([":--", *["--:"] * (len(columns) + 2)]),
    ]
    for name, summary in summaries.items():
        cells = [_cell(column, summary.figures.get(column)) for column in columns]
        lines.append(_line([name, str(summary.n_pages), *cells, str(summary.n_errors)]))
    return "\n".join(lines)


def _cell(name: str, figure: Figure | None) -> str:
    if figure is None:
        return "–"
    if name == "milliseconds":
        return f"{figure.value:.1f}"
    value = f"{figure.value:.3f}"
    return f"{value} ({figure.low:.3f}–{figure.high:.3f})" if name in _WITH_INTERVAL else value


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
