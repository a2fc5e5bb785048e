"""`/api/search/` and `/api/search/export/`: the concordance and its files."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from corpus_site.api.access import endpoint
from corpus_site.api.refusals import Refusal, no_query, refuse_faults, refuse_without_index
from search.answers.answering import answer
from search.answers.exportable import exportable_request
from search.answers.search_lines import SearchLine
from search.answers.searching import Counting, SearchPage, search
from search.asking.form import QueryForm, form_of
from search.asking.request import SearchRequest, request_of
from search.engine.index.reader import Snapshot
from search.views.concordance.concordance_lines import LineAddresses, shown_notes
from search.views.concordance.export import (
    FileRequest,
    ListChangedError,
    export_file,
    note_cells,
    note_columns,
)
from search.views.concordance.manifest import manifest_of

# What is found by then is the answer, with the word that there is more; a page says so after 0.3 s.
ANSWER_SECONDS = 10.0
_NAMES = "api-search"  # what names of its addresses begin with


@endpoint()
def search_lines(request: HttpRequest) -> dict[str, Any]:
    """Answer one page of a concordance, its numbers and their base."""
    form = checked_form(request)
    page = search(request_of(form), with_facets="facets" in request.GET, patience=ANSWER_SECONDS)
    form.unknown = [name for name in form.unknown if name != "facets"]
    addresses = LineAddresses(form.address)
    answer = about(request, form, page) | {
        "n_lines": page.n_lines,
        "first": page.first_number,
        "next": page.next_after,
        "previous": page.previous_after,
        "lines": [_line(request, line, addresses, shown_notes(form)) for line in page.lines],
        "remarks": [str(remark) for remark in page.remarks],
        "export": request.build_absolute_uri(form.address.at(reverse("api-search-export"))),
    }
    if page.facets:
        answer["facets"] = {
            facet.name: [{"value": v.value, "label": v.label, "hits": v.hits} for v in facet.values]
            for facet in page.facets
        }
    if page.counting is not None:
        answer |= {"is_complete": False, "progress": _progress(page.counting)}
    return answer


@endpoint(exports=True)
def export(request: HttpRequest) -> HttpResponseBase:
    """Answer a whole concordance as a file."""
    form = checked_form(request)
    wanted = FileRequest.of(request)
    wait_for_hits(exportable_request(request_of(form, after="")))
    try:
        return export_file(request, form, wanted, _NAMES)
    except ListChangedError as error:
        happened, _, to_do = str(error).partition("; ")
        raise Refusal(409, f"{happened}.", to_do.capitalize()) from None


@endpoint(exports=True)
def export_manifest(request: HttpRequest) -> dict[str, Any]:
    """Answer what the file of a concordance is: query, base, hash, rights."""
    form = checked_form(request)
    wait_for_hits(exportable_request(request_of(form, after="")))
    return manifest_of(request, form, _NAMES)


def checked_form(request: HttpRequest) -> QueryForm:
    """Read the parameters of a search; Refusal where one is wrong or there is no query."""
    form = form_of(request)
    refuse_faults(form.errors.items())
    if not form.has_query:
        raise no_query()
    refuse_without_index()
    return form


def wait_for_hits(wanted: SearchRequest, snapshot: Snapshot | None = None) -> None:
    """Search for as long as an answer may take; Refusal where there is more to search."""
    so_far = answer(wanted, ANSWER_SECONDS, snapshot)
    if not so_far.is_done:
        happened = f"{so_far.n_done} of {so_far.n_segments} parts of the corpus are searched."
        raise Refusal(503, happened, "Ask the same again: the search goes on where it stands.")


def about(request: HttpRequest, form: QueryForm, page: SearchPage) -> dict[str, Any]:
    """Say what numbers rest on: query @ generation, base, hits."""
    kept = form.address.change(asof=str(page.generation))
    return {
        "query": {"q": form.address.get("q"), "ql": form.value("ql"), "cql": page.cql},
        "generation": page.generation,
        "newest_generation": page.newest_generation,
        "is_complete": True,
        "hits": page.total,
        "texts": page.n_texts,
        "per_million": page.per_million,
        "base": {
            "tokens": page.base_tokens,
            "texts": page.base_texts,
            "words": form.base_words,
        },
        "page": request.build_absolute_uri(kept.at(reverse("search"))),
        "ignored": form.unknown,
        "damaged": list(page.damaged),
    }


def _progress(counting: Counting) -> dict[str, Any]:
    return {"done": counting.n_done, "of": counting.n_segments, "after": counting.mark}


def _line(
    request: HttpRequest, line: SearchLine, addresses: LineAddresses, shown: Sequence[str]
) -> dict[str, Any]:
    names = [name.replace(" ", "_") for name in note_columns(shown)]
    return dict(zip(names, note_cells(line.kwic, shown), strict=True)) | {
        "hit": line.hit,
        "kind": line.kind.label,
        "article": line.article_id,
        "comment": line.comment_id,
        "position": line.position,
        "length": line.length,
        "left": line.left,
        "node": line.node,
        "right": line.right,
        "readings": line.readings,
        "published": None if line.is_undated else timezone.localtime(line.dated_at).isoformat(),
        "publication": line.publication_slug,
        "publication_name": line.publication,
        "title": line.title,
        "author": line.authors,
        "agency": line.agencies,
        "language": line.language,
        "rights": line.rights,
        "url": line.url,
        "page": request.build_absolute_uri(addresses.text(line)),
    }
