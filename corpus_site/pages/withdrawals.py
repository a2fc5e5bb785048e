"""`/withdrawals/`: the register of what was taken out, erased or held; as a file too."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from django.contrib.auth.decorators import permission_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from corpus_site.removal.withdrawal_forms import RegisterForm
from extraction.models import Withdrawal
from extraction.withdrawal import register
from feeds.models import Publication
from search.engine.tables.exports import harmless

ENTRIES_PER_PAGE = 50
_MAY_READ = permission_required("extraction.view_withdrawal", raise_exception=True)


@_MAY_READ
@require_safe
def withdrawals(request: HttpRequest) -> HttpResponseBase:
    form = RegisterForm(request.GET)
    entries = form.to_filter().entries()
    kind = request.GET.get("format")
    if kind in {"csv", "json"}:
        return _file(entries.order_by("pk"), kind)
    given = {name: value for name in form.fields if (value := request.GET.get(name))}
    page = Paginator(entries.select_related("article", "comment"), ENTRIES_PER_PAGE)
    context = {
        "form": form,
        "page": page.get_page(request.GET.get("p")),
        "given": given,
        "kept": f"&{urlencode(given)}" if given else "",
        "given_query": urlencode(given),
        "publications": Publication.objects.filter(withdrawals__isnull=False).distinct(),
    }
    return render(request, "corpus_site/withdrawals.html", context)


def _file(entries: QuerySet[Withdrawal], kind: str) -> StreamingHttpResponse:
    lines = _csv(entries) if kind == "csv" else _json(entries)
    media_type = {"csv": "text/csv", "json": "application/json"}[kind]
    response = StreamingHttpResponse(lines, content_type=f"{media_type}; charset=utf-8")
    name = f"withdrawals-{timezone.localdate().isoformat()}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _csv(entries: QuerySet[Withdrawal]) -> Iterator[str]:
    yield _line(register.COLUMNS)
    for row in register.as_rows(entries):
        yield _line("" if value is None else str(value) for value in row.values())


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([harmless(cell) for cell in cells])
    return buffer.getvalue()


def _json(entries: QuerySet[Withdrawal]) -> Iterator[str]:
    yield "["
    before = "\n"
    for row in register.as_rows(entries):
        yield before + json.dumps(row, ensure_ascii=False)
        before = ",\n"
    yield "\n]\n"
