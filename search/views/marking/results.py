"""`/markings/<id>/results/`: counts, a picture and agreement; the same lines as a file."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds.rights import unexported
from feeds.sources.naming import publication_names
from presentation.charts.bars import Bar, BarChart
from presentation.charts.svg import N_SERIES, Mark
from presentation.wording.figures import counted, grouped
from search.answers.search_lines import search_lines
from search.asking.address import Address
from search.engine.concordance.kwic import PageRequest
from search.engine.tables.exports import COLUMNS, ExportFormat, ExportTable
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.marking.markings import seen_by
from search.marking.places import find_lines
from search.marking.results import (
    GROUPS,
    Compared,
    LineValues,
    by_group,
    compare,
    line_values,
    markers_seen,
    names_of,
    shares,
    stands_for_all,
)
from search.models import LineMark, MarkedLine, Marker, Marking
from search.opened_index import current_snapshot
from search.views.concordance.concordance_lines import LineAddresses
from search.views.concordance.export import LICENCE, answer_file, line_cells

MOST_ROWS = 25  # of the table by texts
_LINES_AT_A_TIME = 500  # of a file: two queries of the database each
_EXPORT_COLUMNS = (*COLUMNS, "category", "note", "person")
_GROUP_WORDS = {"publication": "Publication", "year": "Year", "type": "Text", "form": "Form"}
_ESTIMATED = (
    "The share times all hits of the query. Given where the lines are random or are all hits, none "
    "is gone or carried, and the person sorted every one."
)
_SHARE_COLUMNS = (
    Column("person", "Person"),
    Column("category", "Category"),
    Column("lines", "Lines", ColumnKind.COUNT),
    Column("share", "Share", ColumnKind.SHARE, "Of the lines that the person sorted."),
    Column("low", "95 %: from", ColumnKind.SHARE, "Wilson’s interval of the share."),
    Column("high", "95 %: to", ColumnKind.SHARE),
    Column("estimated", "Of all hits", ColumnKind.COUNT, _ESTIMATED),
    Column("rate", "Per million", ColumnKind.RATE, "These hits per million tokens of the base."),
)
_AGREEMENT_COLUMNS = (
    Column("people", "People"),
    Column("lines", "Lines", ColumnKind.COUNT, "That each of them sorted."),
    Column("observed", "Agreed", ColumnKind.SHARE, "Pairs of people with the same category."),
    Column("expected", "By chance", ColumnKind.SHARE, "Expected of people who sort at random."),
    Column(
        "kappa",
        "Kappa",
        ColumnKind.MEASURE,
        "Agreement beyond chance: Cohen’s (1960) for two people, Fleiss’ (1971) for more. "
        "None where chance alone makes all agree.",
    ),
)


@require_safe
@login_required
def results(request: HttpRequest, marking_id: int) -> HttpResponse:
    row = get_object_or_404(seen_by(request.user), pk=marking_id)
    found = line_values(row, markers_seen(row, request.user))
    people = [marker for marker in found.markers if found.of(marker)]
    who = next((one for one in people if str(one.pk) == request.GET.get("who")), None)
    who = who or next(iter(people), None)
    by = request.GET.get("by", "")
    by = by if by in GROUPS else "publication"
    context: dict[str, Any] = {
        "marking": row,
        "query": Address.parse(row.parameters).get("q"),
        "is_own": row.owner_id == request.user.pk,
        "found": found,
        "people": [(str(one.pk), one.name) for one in people],
        "who": "" if who is None else str(who.pk),
        "groups": list(_GROUP_WORDS.items()),
        "by": by,
        "progress": _progress(row),
        "exports": [(kind, _export_address(row, kind)) for kind in ExportFormat],
    }
    if who is not None:
        context |= {
            "table": _share_table(found, people, request.user.pk),
            "picture": _picture(found, people),
            "grouped": _group_table(found, who, by),
            "agreement": _agreement_table(compare(found)),
            "is_estimated": any(stands_for_all(found, one) for one in people),
        }
    return render(request, "search/marking_results.html", context)


def _progress(row: Marking) -> list[tuple[str, int]]:
    """Say who has sorted how many lines; what they chose stays their own until it is opened."""
    n_sorted = Count("marks", filter=Q(marks__value__isnull=False))
    markers = row.markers.annotate(n_sorted=n_sorted).order_by("pk")
    return list(markers.values_list("name", "n_sorted"))


def _export_address(row: Marking, kind: ExportFormat) -> str:
    return f"{reverse('marking-export', args=[row.pk])}?format={kind}"


def _share_table(found: LineValues, people: Sequence[Marker], reader: int | None) -> ResultTable:
    """Give each person's shares; the reader's own numbers open their lines, if all are there."""
    base = found.marking.base_tokens
    page = reverse("marking", args=[found.marking.pk])
    rows = []
    for person in people:
        for one in shares(found, person):
            hits = one.n_estimated
            opens = person.person_id == reader and one.n and not found.n_gone
            cells = (
                one.share,
                one.low,
                one.high,
                None if hits is None else round(hits),
                None if hits is None or not base else 1e6 * hits / base,
            )
            lines = Cell(one.n, f"{page}?show={one.value}" if opens else "")
            rows.append((Cell(person.name), Cell(one.name), lines, *map(Cell, cells)))
    return ResultTable("categories", "Lines by category", _SHARE_COLUMNS, tuple(rows))


def _group_table(found: LineValues, who: Marker, by: str) -> ResultTable:
    names, publications = names_of(found.marking), publication_names()
    counts = by_group(found, who, by)
    columns = (
        Column("group", _GROUP_WORDS[by]),
        *(Column(f"c{value}", name, ColumnKind.COUNT) for value, name in names.items()),
        Column("all", "All", ColumnKind.COUNT),
    )
    rows = tuple(
        (
            Cell(publications.get(one.group, one.group) if by == "publication" else one.group),
            *(Cell(one.counts.get(value, 0)) for value in names),
            Cell(one.total),
        )
        for one in counts[:MOST_ROWS]
    )
    caption = f"Lines of {who.name} by category and {_GROUP_WORDS[by].lower()}"
    return ResultTable("groups", caption, columns, rows, len(counts))


def _agreement_table(compared: Sequence[Compared]) -> ResultTable | None:
    if not compared:
        return None
    rows = tuple(
        tuple(
            map(
                Cell,
                (
                    ", ".join(one.people),
                    one.agreement.n,
                    one.agreement.observed if one.agreement.n else None,
                    one.agreement.expected if one.agreement.n else None,
                    one.agreement.kappa,
                ),
            )
        )
        for one in compared
    )
    return ResultTable("agreement", "How far people agree", _AGREEMENT_COLUMNS, rows)


def _picture(found: LineValues, people: Sequence[Marker]) -> BarChart:
    """Draw a bar for each category; of several people one upon the other."""
    by_person = [(person, shares(found, person)) for person in people]
    bars = tuple(
        Bar(
            name,
            tuple(
                Mark(
                    rows[at].n,
                    f"{name}, {person.name}: {counted(rows[at].n, 'line')}",
                    series=number % N_SERIES + 1,
                )
                for number, (person, rows) in enumerate(by_person)
            ),
        )
        for at, name in enumerate(names_of(found.marking).values())
    )
    total = sum(len(found.of(person)) for person in people)
    return BarChart(f"{counted(total, 'mark')} by category.", bars)


@require_safe
@login_required
def export(request: HttpRequest, marking_id: int) -> HttpResponseBase:
    """Write the lines with categories, notes and persons; one row for each mark that is seen."""
    row = get_object_or_404(seen_by(request.user), pk=marking_id)
    try:
        kind = ExportFormat(request.GET.get("format", "csv"))
    except ValueError:
        kinds = ", ".join(ExportFormat)
        return HttpResponse(f"format is one of {kinds}\n", status=400, content_type="text/plain")
    markers = markers_seen(row, request.user)
    site = f"{request.scheme}://{request.get_host()}"
    table = ExportTable(_about(row, markers, site), _file_rows(row, markers, site), _EXPORT_COLUMNS)
    return answer_file(table, kind, "marked-lines", row.generation)


def _about(row: Marking, markers: Sequence[Marker], site: str) -> tuple[tuple[str, str], ...]:
    address = Address.parse(row.parameters)
    kept_back = ", ".join(unexported())
    facts = [
        ("marking", row.name),
        ("query", address.get("q")),
        ("hits", f"{grouped(row.n_hits)} at generation {row.drawn_at}"),
        ("lines", f"{row.n_lines}, {'the first' if row.seed is None else f'seed {row.seed}'}"),
        ("generation", str(row.generation)),
        ("categories", "; ".join(row.categories)),
        ("persons", ", ".join(marker.name for marker in markers)),
        ("kept back", kept_back and f"texts with reserved rights of {kept_back}"),
        ("date", timezone.localtime().isoformat(timespec="seconds")),
        ("address", site + reverse("marking", args=[row.pk])),
        ("licence", LICENCE),
    ]
    return tuple((name, value) for name, value in facts if value)


def _file_rows(
    row: Marking, markers: Sequence[Marker], site: str
) -> Iterator[tuple[str | int, ...]]:
    """Write the lines that are there and may leave the site, batch by batch."""
    addresses = LineAddresses(Address.parse(row.parameters))
    shut, people = set(unexported()), {marker.pk: marker.name for marker in markers}
    names, snapshot = names_of(row), current_snapshot()
    for first in range(0, row.n_lines, _LINES_AT_A_TIME):
        numbers = (first + 1, first + _LINES_AT_A_TIME)
        lines = list(row.lines.filter(number__range=numbers).order_by("number"))
        said = _marks_of(lines, markers)
        found = find_lines(lines, snapshot, row.generation, PageRequest())
        pairs = [pair for pair in zip(lines, found, strict=True) if pair[1] is not None]
        shown = search_lines([place for _, place in pairs if place is not None])
        for (line, _), text in zip(pairs, shown, strict=True):
            if text.rights == "reserved" and text.publication_slug in shut:
                continue
            cells = line_cells(text, line.number, site + addresses.text(text))
            for mark in said.get(line.pk, [None]):
                yield (*cells, *_said(mark, names, people))


def _marks_of(
    lines: Sequence[MarkedLine], markers: Sequence[Marker]
) -> dict[int, list[LineMark | None]]:
    marks: dict[int, list[LineMark | None]] = {}
    for one in LineMark.objects.filter(line__in=lines, marker__in=markers).order_by("marker"):
        marks.setdefault(one.line_id, []).append(one)
    return marks


def _said(mark: LineMark | None, names: dict[int, str], people: dict[int, str]) -> tuple[str, ...]:
    if mark is None:
        return "", "", ""
    category = "" if mark.value is None else names[mark.value]
    return category, mark.note, people[mark.marker_id]
