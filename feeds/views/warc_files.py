"""`/web-archives/`: pages out of WARC and WACZ files: a form, and how far each import is."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from feeds.models import WarcImport
from feeds.warc_files.files import WarcFileError
from feeds.warc_files.forms import WarcImportForm
from feeds.warc_files.importing import offer
from feeds.warc_files.uploads import keep_upload, words_on_file
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
        rows = offer(path, form.wish(request.user.pk), timezone.now())
    except WarcFileError as problem:
        if file:  # nobody could take it from the disk again
            path.unlink(missing_ok=True)
        form.add_error("file" if file else "waiting", str(problem))
        return _page(request, form)
    n_files = f"{len(rows)} files are" if len(rows) > 1 else f"{rows[0]} is"
    messages.success(request, f"{n_files} read as soon as a worker is free.")
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
    return {"imports": [(row, words_on_file(row)) for row in rows], "is_live": is_live}
