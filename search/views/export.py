"""`/search/export/`: the first lines of a concordance as a file."""

from collections.abc import Iterator
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from search.exports import MAX_LINES, ExportFormat, ExportTable, write_table
from search.query.errors import QueryError
from search.query_form import QueryForm
from search.requested import SearchRequest
from search.search_lines import SearchLine
from search.searching import SearchPage, search
from search.views.concordance_lines import hit_address
from search.views.search_form import form_of
from search.views.search_requests import base_words, request_of

LICENCE = "Texts belong to their publishers; quote them as the law of your country allows."


@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    form = form_of(request)
    try:
        kind = ExportFormat(request.GET.get("format", "csv"))
    except ValueError:
        return HttpResponse("format is csv, tsv or jsonl\n", status=400, content_type="text/plain")
    if not form.has_query or not form.can_run:
        return redirect(form.address.at(reverse("search")))
    whole = replace(_from_the_first(request_of(form)), n=MAX_LINES)
    try:
        page = search(whole, with_facets=False)
    except QueryError:
        return redirect(form.address.at(reverse("search")))
    site = f"{request.scheme}://{request.get_host()}"
    table = ExportTable(_about(form, page, site), _rows(form, page, site))
    response = StreamingHttpResponse(
        write_table(table, kind), content_type=f"{kind.media_type}; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="concordance.{kind}"'
    return response


def _from_the_first(request: SearchRequest) -> SearchRequest:
    return replace(request, after="", whole_sentence=False)


def _about(form: QueryForm, page: SearchPage, site: str) -> tuple[tuple[str, str], ...]:
    kept = form.address.change(asof=str(page.generation))
    shown = len(page.lines)
    return (
        ("query", form.address.get("q")),
        ("language", str(form.value("ql"))),
        ("base", f"{page.base_tokens} tokens, {base_words(form)}"),
        ("hits", f"{page.total} in {page.n_texts} texts, {page.per_million:.2f} per million"),
        ("lines", f"{shown} of {page.n_lines}, sorted by {form.value('sort')}"),
        ("generation", str(page.generation)),
        ("date", timezone.localtime().isoformat(timespec="seconds")),
        ("address", site + kept.at(reverse("search"))),
        ("licence", LICENCE),
    )


def _rows(form: QueryForm, page: SearchPage, site: str) -> Iterator[tuple[str | int, ...]]:
    for number, line in enumerate(page.lines, page.first_number):
        yield _row(form, line, number, site)


def _row(form: QueryForm, line: SearchLine, number: int, site: str) -> tuple[str | int, ...]:
    return (
        number,
        timezone.localtime(line.dated_at).isoformat(timespec="minutes"),
        line.publication,
        "comment" if line.is_comment else "article",
        line.title,
        line.author,
        line.left.strip(),
        line.node,
        line.right.strip(),
        site + hit_address(form.address, line),
        line.url,
    )
