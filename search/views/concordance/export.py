"""`/search/export/`: a concordance as a file, in the order, sample and view that the page shows."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from search.answers.exportable import exportable_request, kept_back
from search.answers.search_lines import SearchLine
from search.answers.searching import LineList, all_lines
from search.asking.controls import chips
from search.asking.form import QueryForm, form_of
from search.asking.request import request_of
from search.engine.concordance.kwic import KwicLine, LineField
from search.engine.exchange.ascii_form import ascii_form
from search.engine.query.errors import QueryError
from search.engine.tables.exports import (
    COLUMNS,
    MAX_LINES,
    READER_LINES,
    XLSX_LINES,
    ExportFormat,
    ExportTable,
    write_table,
    write_workbook,
)
from search.views.concordance.concordance_lines import LineAddresses, shown_notes
from search.views.concordance.sorting_controls import order_words

PIECE_BYTES = 1 << 16
ASCII = "ascii"  # the parameter for plain letters
LICENCE = "Texts belong to their publishers; quote them as the law of your country allows."


@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    form = form_of(request)
    try:
        kind = ExportFormat(request.GET.get("format", "csv"))
    except ValueError:
        kinds = ", ".join(ExportFormat)
        return HttpResponse(f"format is one of {kinds}\n", status=400, content_type="text/plain")
    if not form.has_query or not form.can_run:
        return redirect(form.address.at(reverse("search")))
    try:
        return export_file(request, form, kind)
    except QueryError:
        return redirect(form.address.at(reverse("search")))


def export_file(request: HttpRequest, form: QueryForm, kind: ExportFormat) -> HttpResponseBase:
    """Make the file of a form that can run.

    Raises
    ------
    QueryError
    """
    most = most_lines(request, kind)
    wanted = exportable_request(request_of(form, after=""))
    lines = all_lines(wanted, most)
    site = f"{request.scheme}://{request.get_host()}"
    about = _about(form, lines, most, site)
    if sentence := kept_back(wanted):
        about = (*about, ("kept back", sentence))
    rows: Iterator[tuple[str | int, ...]] = _rows(form, lines, site)
    if request.GET.get(ASCII) == "1":
        about, rows = (*about, ("letters", "nearest ASCII form")), map(_row_in_ascii, rows)
    columns = (*COLUMNS, *note_columns(shown_notes(form)))
    table = ExportTable(about, rows, columns)
    return answer_file(table, kind, "concordance", lines.counts.generation)


def most_lines(request: HttpRequest, kind: ExportFormat) -> int:
    """Return how many lines a file may have for this reader."""
    if not request.user.has_perm("search.add_savedquery"):
        return READER_LINES
    return XLSX_LINES if kind is ExportFormat.XLSX else MAX_LINES


def answer_file(
    table: ExportTable, kind: ExportFormat, name: str, generation: int
) -> StreamingHttpResponse:
    """Send lines as a file of this name, made while it is sent."""
    pieces = _workbook(table) if kind is ExportFormat.XLSX else write_table(table, kind)
    response = StreamingHttpResponse(pieces, content_type=kind.media_type)
    # Data alone say nothing of themselves: their name says of what generation they are.
    name = f"{name}-{generation}" if kind.is_data else name
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind.ending}"'
    return response


def _workbook(table: ExportTable) -> Iterator[bytes]:
    """Write a workbook when its first piece is asked for, and read it piece by piece."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "concordance.xlsx"
        write_workbook(table, path)
        with path.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                yield piece


def _about(form: QueryForm, lines: LineList, most: int, site: str) -> tuple[tuple[str, str], ...]:
    counts = lines.counts
    kept = form.address.change(asof=str(counts.generation))
    shown = min(lines.n_lines, most)
    facts = [
        ("query", form.address.get("q")),
        ("language", str(form.value("ql"))),
        ("base", f"{counts.base_tokens} tokens, {form.base_words}"),
        ("hits", f"{counts.total} in {counts.n_texts} texts, {counts.per_million:.2f} per million"),
        ("filters", "; ".join(f"{chip.name}: {chip.value}" for chip in chips(form))),
        ("lines", f"{shown} of {lines.n_lines}, sorted by {form.value('sort')}"),
        ("order", order_words(form)),
        ("sample", _sample(form, lines)),
        ("generation", str(counts.generation)),
        ("left out", ", ".join(lines.damaged) and f"damaged files: {', '.join(lines.damaged)}"),
        ("date", timezone.localtime().isoformat(timespec="seconds")),
        ("address", site + kept.at(reverse("search"))),
        ("licence", LICENCE),
    ]
    return tuple((name, value) for name, value in facts if value)


def _sample(form: QueryForm, lines: LineList) -> str:
    if not form.value("sample"):
        return ""
    return f"{lines.n_lines} of {lines.counts.total}, seed {form.value('seed')}"


def _rows(form: QueryForm, lines: LineList, site: str) -> Iterator[tuple[str | int, ...]]:
    addresses = LineAddresses(form.address.change(asof=str(lines.counts.generation)))
    number = 0
    for batch in lines.batches:
        for line in batch:
            number += 1
            yield (
                *line_cells(line, number, site + addresses.text(line)),
                *note_cells(line.kwic, shown_notes(form)),
            )


def note_columns(attributes: Sequence[str]) -> list[str]:
    """Name the columns of the lemmas and tags that are asked for, field by field of a line."""
    return [f"{side} {name}s" for name in attributes for side in ("left", "node", "right")]


def note_cells(line: KwicLine, attributes: Sequence[str]) -> list[str]:
    """Give them in the order of `note_columns`: one for each token, with spaces between."""
    return [
        " ".join(note for _, _, (note,) in line.tokens(field, (name,)))
        for name in attributes
        for field in LineField
    ]


def line_cells(line: SearchLine, number: int, address: str) -> tuple[str | int, ...]:
    """Return the cells of a line in the order of `COLUMNS`."""
    return (
        number,
        timezone.localtime(line.dated_at).isoformat(timespec="minutes"),
        line.publication,
        line.part or line.kind.label,
        line.title,
        line.author,
        line.left.strip(),
        line.node,
        line.right.strip(),
        address,
        line.url,
        line.rights,
    )


def _row_in_ascii(row: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return tuple(ascii_form(cell) if isinstance(cell, str) else cell for cell in row)
