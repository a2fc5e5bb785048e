"""`/search/manifest/`: what an exported list of lines is, as JSON to keep beside its file."""

from typing import Any

import numpy as np
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from search.answers.exportable import exportable_request, kept_back
from search.answers.kept_lists import whole_digest_of
from search.answers.searching import LineList, all_lines, all_places
from search.asking.controls import chips
from search.asking.form import QueryForm, form_of
from search.asking.request import SearchRequest, request_of
from search.asking.saving import Numbers, add_digest
from search.engine.concordance.hit_list import lines_digest
from search.engine.concordance.places import Places
from search.engine.index.documents import DocumentRights
from search.engine.index.hits import Hits
from search.engine.query.errors import QueryError
from search.engine.query.language.to_cql import to_cql
from search.engine.tables.exports import ExportFormat
from search.views.concordance.export import (
    LICENCE,
    SITE,
    columns_of,
    file_addresses,
    list_name,
    most_lines,
    own_names,
    whole_lines,
)
from search.views.concordance.sorting_controls import order_words

_HASHED = (
    "a line a hit: text, tab, position, tab, node, line feed; in UTF-8, sorted by kind of text, "
    "its number, position, tokens"
)


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    form = form_of(request)
    if not form.has_query or not form.can_run:
        return redirect(form.address.at(reverse("search")))
    try:
        found = manifest_of(request, form)
    except QueryError:
        return redirect(form.address.at(reverse("search")))
    options = {"ensure_ascii": False, "indent": 1}
    response = JsonResponse(found, json_dumps_params=options)
    name = f"concordance-{found['generation']}.manifest.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def manifest_of(request: HttpRequest, form: QueryForm, names: str = SITE) -> dict[str, Any]:
    """Describe the lines of a form, all that its files have: 1 to 4 s for a million.

    A list longer than one file is had in several, each of which skips what those before it have.

    Raises
    ------
    QueryError
    """
    most = whole_lines(request)
    wanted = exportable_request(request_of(form, after=""))
    lines = all_lines(wanted, most)
    counts, hits = lines.counts, lines.hits
    digest, rights = _digest_and_rights(wanted, lines, most)
    name = list_name(form, wanted, hits)
    file, own = file_addresses(request, form, counts.generation, name, names)
    kept = form.address.change(asof=str(counts.generation))
    n_lines = min(lines.n_lines, most)
    if n_lines == counts.total:
        add_digest(kept, Numbers(counts.generation, counts.total, digest))
    return {
        "manifest": 1,
        "query": {
            "q": form.address.get("q"), "ql": form.value("ql"), "cql": to_cql(wanted.query),
        },
        "filters": {chip.name: chip.value for chip in chips(form)},
        "generation": counts.generation,
        "base": {
            "tokens": counts.base_tokens, "texts": counts.base_texts, "words": form.base_words,
        },
        "hits": counts.total,
        "texts": counts.n_texts,
        "per_million": counts.per_million,
        "lines": n_lines,
        "of_lines": lines.n_lines,
        "lines_a_file": most_lines(request, ExportFormat.CSV),
        "order": order_words(form),
        "hash": {"algorithm": "SHA-256", "of": _HASHED, "value": digest},
        "rights": rights,
        "kept_back": kept_back(wanted),
        "damaged": list(lines.damaged),
        "columns": list(columns_of(form, own_names(hits))),
        "date": timezone.localtime().isoformat(timespec="seconds"),
        "page": request.build_absolute_uri(kept.at(reverse("search"))),
        "licence": LICENCE,
        "list": name,
        "manifest_address": own,
        "files": {
            str(kind): f"{file}&format={kind}"
            for kind in ExportFormat
            if kind.is_lines or most_lines(request, kind) >= n_lines
        },
    }  # fmt: skip


def _digest_and_rights(
    wanted: SearchRequest, lines: LineList, most: int
) -> tuple[str, dict[str, int]]:
    """Hash the lines of a file, and count what their sites say of text mining."""
    hits = lines.hits
    if min(lines.n_lines, most) == hits.total:
        return whole_digest_of(hits), _rights(hits, None)
    places = Places.joined(list(all_places(hits, wanted, most)))
    return lines_digest(hits, places), _rights(hits, places)


def _rights(hits: Hits, places: Places | None) -> dict[str, int]:
    """Count hits by the rights of their texts; of all hits where no places are given."""
    counts = np.zeros(len(DocumentRights), dtype=np.int64)
    for number, part in enumerate(hits.parts):
        rights = part.view.segment.documents.rights
        if places is None:
            rows, n = np.arange(len(rights)), part.document_counts
        else:
            rows = places.row[places.part == number]
            n = np.ones(len(rows), dtype=np.int64)
        np.add.at(counts, rights[rows], n)
    return {one.label: int(counts[one]) for one in DocumentRights}
