"""`/web-archives/`: pages out of WARC and WACZ files: a form, and how far each import is."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from feeds.models import WarcImport
from feeds.warc_files.files import WarcFileError, warc_files
from feeds.warc_files.forms import WarcImportForm
from feeds.warc_files.looks import LookResult, result_of, wish_of
from feeds.warc_files.uploads import keep_upload, words_on_file
from feeds.warc_files.wishes import offer, offer_file
from presentation.fragments import part_of

_MAY_ADD = "feeds.add_publication"
_LISTED = 50


@permission_required(_MAY_ADD, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """Take a file, and list the imports."""
    if request.method != "POST":
        return _page(request, WarcImportForm())
    form = WarcImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form)
    file = form.cleaned_data["file"]
    try:
        path = keep_upload(file.name, file.chunks()) if file else form.waiting_path
        wish = replace(form.wish(request.user.pk), is_look=request.POST.get("act") == "look")
        rows = offer(path, wish, timezone.now())
    except WarcFileError as problem:
        if file:  # nobody could take it from the disk again
            path.unlink(missing_ok=True)
        form.add_error("file" if file else "waiting", str(problem))
        return _page(request, form)
    n_files = f"{len(rows)} files are" if len(rows) > 1 else f"{rows[0]} is"
    messages.success(request, f"{n_files} read as soon as a worker is free.")
    return redirect("warc-imports")


@permission_required(_MAY_ADD, raise_exception=True)
@require_POST
def import_looked_at(request: HttpRequest, pk: int) -> HttpResponse:
    """Import the file of a look, all of it or the pages of new publications alone."""
    row = get_object_or_404(WarcImport, pk=pk, is_look=True, finished_at__isnull=False)
    wish = wish_of(row, request.user.pk, only_new=request.POST.get("act") == "only-new")
    try:
        files = [file for file in warc_files(Path(row.path)) if file.member == row.member]
    except WarcFileError as problem:
        messages.error(request, str(problem))
        return redirect("warc-imports")
    for file in files:
        offer_file(file, wish, timezone.now())
        messages.success(request, f"{row} is read as soon as a worker is free.")
    return redirect("warc-imports")


@permission_required(_MAY_ADD, raise_exception=True)
@require_safe
@part_of("warc-imports")
def imports_part(request: HttpRequest) -> HttpResponse:
    return render(request, "feeds/_warc_imports.html", _list())


def _page(request: HttpRequest, form: WarcImportForm) -> HttpResponse:
    context = {"form": form, **_list()}
    return render(request, "feeds/warc_imports.html", context, status=400 if form.errors else 200)


def _list() -> dict[str, Any]:
    rows = list(WarcImport.objects.select_related("publication", "asked_by")[:_LISTED])
    is_live = any(row.due_at is not None and row.quarantined_at is None for row in rows)
    imports = [(row, words_on_file(row), _look(row)) for row in rows]
    return {"imports": imports, "is_live": is_live}


def _look(row: WarcImport) -> LookResult | None:
    """Give what a look has found, while its import was not asked for."""
    if not row.is_look or row.finished_at is None:
        return None
    later = WarcImport.objects.filter(path=row.path, member=row.member, pk__gt=row.pk)
    return None if later.exists() else result_of(row)
