"""`/search/export/`: a concordance as a file, in the order, sample and view that the page shows."""

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

import numpy as np
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.own_fields import names_in
from feeds.sources.collections import collection_slugs
from feeds.sources.naming import publication_names
from search.answers.exportable import exportable_request, kept_back
from search.answers.kept_lists import digest_of
from search.answers.search_lines import SearchLine
from search.answers.searching import LineList, all_lines
from search.asking.controls import chips
from search.asking.form import QueryForm, form_of
from search.asking.indexed_values import own_values
from search.asking.request import SearchRequest, request_of
from search.asking.values import WrongValueError
from search.engine.concordance.kwic import KwicLine, LineField
from search.engine.exchange.ascii_form import ascii_form
from search.engine.index.hits import Hits
from search.engine.query.errors import QueryError
from search.engine.statistics.facets import count_by_column
from search.engine.tables.exports import (
    COLUMNS,
    MAX_LINES,
    READER_LINES,
    WHOLE_LINES,
    XLSX_LINES,
    ExportFormat,
    ExportTable,
    write_columns,
    write_table,
    write_workbook,
)
from search.views.concordance.concordance_lines import LineAddresses, shown_notes
from search.views.concordance.sorting_controls import order_words

PIECE_BYTES = 1 << 16
# Parameters of files beside those of searches: plain letters, and where one goes on.
ASCII, SKIP, LIST = "ascii", "skip", "list"
SITE = "search"  # what the names of their addresses begin with
_SKIP_DIGITS = 12
_NAME_BYTES = 8
LICENCE = "Texts belong to their publishers; quote them as the law of your country allows."


class ListChangedError(Exception):
    """Raised when a file would go on with other lines than it began with."""


@dataclass(frozen=True, slots=True)
class FileRequest:
    """What kind of file is asked for, and where it goes on.

    ``skip`` lines are there already; ``list_name`` is the list that they are of, empty for any.
    """

    kind: ExportFormat
    skip: int = 0
    list_name: str = ""
    is_ascii: bool = False

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """Read the parameters of a file.

        Raises
        ------
        WrongValueError
        """
        text = request.GET.get("format", "csv")
        if text not in list(ExportFormat):
            kinds = ", ".join(ExportFormat)
            raise WrongValueError("format", f"“{text[:40]}” is no kind of file. One of {kinds}.")
        kind, skip = ExportFormat(text), request.GET.get(SKIP, "0")
        if not (skip.isascii() and skip.isdigit() and len(skip) < _SKIP_DIGITS):
            raise WrongValueError(SKIP, "skip is the number of the last line that you have")
        if int(skip) and not kind.is_lines:
            raise WrongValueError(SKIP, f"a file of {kind} comes whole; others go on behind a line")
        is_ascii = request.GET.get(ASCII) == "1"
        return cls(kind, int(skip), request.GET.get(LIST, ""), is_ascii)


@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    form = form_of(request)
    try:
        wanted = FileRequest.of(request)
    except WrongValueError as error:
        return HttpResponse(f"{error.message}\n", status=400, content_type="text/plain")
    if not form.has_query or not form.can_run:
        return redirect(form.address.at(reverse("search")))
    try:
        return export_file(request, form, wanted)
    except QueryError:
        return redirect(form.address.at(reverse("search")))
    except ListChangedError as error:
        return HttpResponse(f"{error}\n", status=409, content_type="text/plain")


def export_file(
    request: HttpRequest, form: QueryForm, wanted: FileRequest, names: str = SITE
) -> HttpResponseBase:
    """Make the file of a form that can run; its header `Link` says where it is had again.

    Raises
    ------
    QueryError
    ListChangedError
    """
    most = most_lines(request, wanted.kind, wanted.skip)
    searched = exportable_request(request_of(form, after=""))
    lines = all_lines(searched, most, wanted.skip)
    own = own_names(lines.hits)
    name = list_name(form, searched, lines.hits)
    if wanted.list_name not in ("", name):
        raise ListChangedError(
            "Texts of this list were withdrawn or have changed since; begin the file anew."
        )
    site = f"{request.scheme}://{request.get_host()}"
    about = about_list(form, lines, most, site)
    if sentence := kept_back(searched):
        about = (*about, ("kept back", sentence))
    rows: Iterator[tuple[str | int, ...]] = _rows(form, lines, site, wanted.skip, own)
    if wanted.is_ascii:
        about, rows = (*about, ("letters", "nearest ASCII form")), map(_row_in_ascii, rows)
    table = ExportTable(about, rows, columns_of(form, own))
    response = answer_file(
        table, wanted.kind, "concordance", lines.counts.generation, has_head=not wanted.skip
    )
    file, manifest = file_addresses(request, form, lines.counts.generation, name, names)
    more = "&ascii=1" if wanted.is_ascii else ""
    response["Link"] = (
        f'<{file}&format={wanted.kind}{more}>; rel="self", <{manifest}>; rel="describedby"'
    )
    return response


def columns_of(form: QueryForm, own: Sequence[str]) -> tuple[str, ...]:
    """Name the columns of a form's files, behind them those of the files of given texts."""
    names = (*COLUMNS, *note_columns(shown_notes(form)))
    return (*names, *(f"own {name}" if name in names else name for name in own))


def own_names(hits: Hits) -> list[str]:
    """Name the columns that the collections with hits have; none where no text was given."""
    if not own_values(hits.snapshot):
        return []
    there = {row.value for row in count_by_column(hits, "publication")}
    return names_in(there & collection_slugs())


def file_addresses(
    request: HttpRequest, form: QueryForm, generation: int, name: str, names: str
) -> tuple[str, str]:
    """Return where the file of a list is had again, but for its format, and its manifest.

    ``names`` is what the names of both addresses begin with: those of pages or of the API.
    """
    kept = form.address.change(asof=str(generation))
    site = f"{request.scheme}://{request.get_host()}"
    file, manifest = (
        f"{site}{kept.at(reverse(f'{names}-{one}'))}" for one in ("export", "manifest")
    )
    return f"{file}&{LIST}={name}", manifest


def list_name(form: QueryForm, request: SearchRequest, hits: Hits) -> str:
    """Name the very lines of a file, so that one that broke off goes on with these alone.

    Another name comes with a withdrawal, with texts of the list that were replaced since (titles
    and addresses of lines are those of today), another name of a publication, or a rebuilt index.
    """
    stale = sum(
        int(np.count_nonzero(part.view.generation_out[part.document_counts > 0]))
        for part in hits.parts
    )
    parts = (
        hits.snapshot.identity, hits.snapshot.withdrawal, hits.generation, hits.total, stale,
        request.texts.filter.without_reserved, sorted(publication_names().items()), own_names(hits),
        str(form.address.change(asof=str(hits.generation))),
    )  # fmt: skip
    return hashlib.blake2b(repr(parts).encode(), digest_size=_NAME_BYTES).hexdigest()


def most_lines(request: HttpRequest, kind: ExportFormat, skip: int = 0) -> int:
    """Return the number of the last line that a file may have for this reader."""
    if not request.user.has_perm("search.add_savedquery"):
        return READER_LINES
    if kind is ExportFormat.XLSX:
        return XLSX_LINES
    return min(skip + MAX_LINES, WHOLE_LINES) if kind.is_lines else MAX_LINES


def whole_lines(request: HttpRequest) -> int:
    """Return how many lines this reader may have in files that go on with one another."""
    return min(most_lines(request, ExportFormat.CSV, WHOLE_LINES), WHOLE_LINES)


def answer_file(
    table: ExportTable, kind: ExportFormat, name: str, generation: int, *, has_head: bool = True
) -> StreamingHttpResponse:
    """Send lines as a file of this name, made while it is sent."""
    pieces: Iterator[str] | Iterator[bytes]
    if kind is ExportFormat.XLSX:
        pieces = _workbook(table)
    elif kind is ExportFormat.PARQUET:
        pieces = write_columns(table)
    else:
        pieces = write_table(table, kind, has_head=has_head)
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


def about_list(
    form: QueryForm, lines: LineList, most: int, site: str
) -> tuple[tuple[str, str], ...]:
    """Say in pairs of name and value what the lines of a file are."""
    counts = lines.counts
    kept = form.address.change(asof=str(counts.generation))
    shown = min(lines.n_lines, most)
    digest = digest_of(lines.hits) if shown == counts.total else ""
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
        ("hash", digest and f"SHA-256 {digest}"),
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


def _rows(
    form: QueryForm, lines: LineList, site: str, skip: int, own: Sequence[str]
) -> Iterator[tuple[str | int, ...]]:
    addresses = LineAddresses(form.address.change(asof=str(lines.counts.generation)))
    number = skip
    for batch in lines.batches:
        for line in batch:
            number += 1
            yield (
                *line_cells(line, number, site + addresses.text(line)),
                *note_cells(line.kwic, shown_notes(form)),
                *(line.own.get(name, "") for name in own),
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
        "" if line.is_undated else _moment(line.dated_at),
        line.publication,
        line.part or line.kind.label,
        line.title,
        line.authors,
        line.agencies,
        line.left.strip(),
        line.node,
        line.right.strip(),
        address,
        line.url,
        line.rights,
        f"{line.kind.label}-{line.comment_id or line.article_id}",
        line.position,
        line.length,
        _moment(line.seen_at) if line.seen_at else "",
    )


def _moment(moment: datetime) -> str:
    return timezone.localtime(moment).isoformat(timespec="minutes")


def _row_in_ascii(row: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return tuple(ascii_form(cell) if isinstance(cell, str) else cell for cell in row)
