"""`/source-files/`: sources as files: export, upload, what an import would change, its progress."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from extraction.models import SourceImport
from extraction.source_files import importing, starter_list
from extraction.source_files.bundle_json import write_bundle
from extraction.source_files.bundle_opml import write_source_list
from extraction.source_files.comparing import compare
from extraction.source_files.definitions import FileProblem, SourceFile
from extraction.source_files.reading_files import MAX_FILE_BYTES, read_source_file
from extraction.source_files.stored_sources import stored_sources
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH_OF_FILE,
    WorkEndedError,
    run_limited,
)
from feeds.models import Publication, Tag
from presentation.fragments import part_of

SOURCES_PER_PAGE = 50
LIST_TITLE = "Sources of Broadsheet"
_MAY_ADD = "feeds.add_publication"
_FORMATS = ("json", "opml")


class UploadForm(forms.Form):
    """A file of sources."""

    file = forms.FileField(
        label="File",
        help_text=(
            "A bundle (JSON) of an installation such as this, or an OPML list of any feed reader. "
            f"At most {MAX_FILE_BYTES // 1_000_000} MB. Nothing is written before you confirm."
        ),
        error_messages={
            "required": "Choose a file.",
            "missing": "Choose a file.",
            "empty": "The file is empty.",
        },
        widget=forms.ClearableFileInput(attrs={"accept": ".json,.opml,.xml"}),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_FILE_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {MAX_FILE_BYTES // 1_000_000} MB."
            )
        return file


@permission_required(_MAY_ADD, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest) -> HttpResponse:
    """Offer files of what is here, and take one."""
    if request.method != "POST":
        return _files_page(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _files_page(request, form)
    file = form.cleaned_data["file"]
    found = _read(file.read())
    if found.problems:
        return _files_page(request, form, found.problems)
    row = importing.offer(found, file.name, request.user.pk or 0, timezone.now())
    return redirect("sources-import", pk=row.pk)


def _read(body: bytes) -> SourceFile:
    """Read a file in a child, for somebody waits and it may be made against us."""
    try:
        return run_limited(lambda: read_source_file(body), FOR_A_REQUEST)
    except WorkEndedError:
        return SourceFile(problems=(FileProblem("", TOO_MUCH_OF_FILE),))


def _files_page(
    request: HttpRequest, form: UploadForm, problems: tuple[FileProblem, ...] = ()
) -> HttpResponse:
    context = {
        "form": form,
        "problems": problems,
        "n_publications": Publication.kept.count(),
        "tags": Tag.objects.all(),
        "imports": SourceImport.objects.exclude(due_at=None, n_done=0).order_by("-pk")[:10],
    }
    status = 400 if form.errors or problems else 200
    return render(request, "extraction/source_files.html", context, status=status)


@permission_required(_MAY_ADD, raise_exception=True)
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """Give all sources, those of a tag, or those that are named, as a file."""
    kind = request.GET.get("format", "json")
    if kind not in _FORMATS:
        return HttpResponseBadRequest("The format is json or opml.", content_type="text/plain")
    rows = Publication.kept.order_by("pk")
    if tag := request.GET.get("tag", "").replace("\0", ""):
        rows = rows.filter(tags__name=tag)
    if slugs := request.GET.getlist("pub"):
        rows = rows.filter(slug__in=[slug.replace("\0", "") for slug in slugs])
    sources = list(stored_sources(rows))
    if kind == "opml":
        body, content_type = write_source_list(LIST_TITLE, sources), "text/x-opml; charset=utf-8"
    else:
        body, content_type = write_bundle(sources, timezone.now()).encode(), "application/json"
    answer = HttpResponse(body, content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="sources.{kind}"'
    return answer


@permission_required(_MAY_ADD, raise_exception=True)
@require_POST
def starter(request: HttpRequest) -> HttpResponse:
    """Take the newspapers that were ticked in the wizard as a file: looked at before it is used."""
    found = starter_list.chosen(request.POST.getlist("paper"))
    if not found.sources:
        messages.info(request, "No newspaper was ticked.")
        return redirect("source-add")
    name = "newspapers of the list"
    row = importing.offer(found, name, request.user.pk or 0, timezone.now())
    return redirect("sources-import", pk=row.pk)


@permission_required(_MAY_ADD, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def imported(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what an import would change, and what it has come to; start it."""
    row = get_object_or_404(SourceImport.objects.select_related("asked_by"), pk=pk)
    if request.method == "POST":
        return _confirm(request, row)
    return render(request, "extraction/source_import.html", _import_context(request, row))


def _confirm(request: HttpRequest, row: SourceImport) -> HttpResponse:
    act = request.POST.get("act", "")
    if act not in {"all", "new", "forget"}:
        return HttpResponseBadRequest("This is nothing to do.", content_type="text/plain")
    if act == "forget":
        importing.forget(row)
        messages.success(request, "Forgotten; nothing of the file was stored.")
        return redirect("source-files")
    starts = request.POST.get("starts") == "on"
    if not importing.confirm(row, timezone.now(), only_new=act == "new", starts=starts):
        messages.info(request, "It was confirmed already.")
    return redirect("sources-import", pk=row.pk)


@permission_required(_MAY_ADD, raise_exception=True)
@require_safe
@part_of("sources-import")
def imported_part(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(SourceImport.objects.select_related("asked_by"), pk=pk)
    return render(request, "extraction/_source_import.html", _import_context(request, row))


def _import_context(request: HttpRequest, row: SourceImport) -> dict[str, Any]:
    is_offer = row.due_at is None and row.finished_at is None and not row.n_done
    sources = importing.offered_sources(row) if is_offer else []
    page = Paginator(sources, SOURCES_PER_PAGE).get_page(request.GET.get("p"))
    return {
        "row": row,
        "is_offer": is_offer,
        "is_open": row.due_at is not None and not row.quarantined_at,
        "page": page,
        "address": "?p=",
        "comparisons": compare(list(page)),
        "has_stateless": any(not source.state for source in sources),
        "now": timezone.localtime(),
    }
