"""The index for machines that follow it: its listing, and its files by parts.

For whoever brings INDEX_TOKEN; without that setting for nobody.
"""

from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from search.engine.following.follower import PART_BYTES
from search.engine.following.listing import ListingError, list_index, read_listed
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import MANIFEST_NAME

_BYTES = "application/octet-stream"


@login_not_required
@require_safe
def index_listing(request: HttpRequest) -> HttpResponse:
    """Say which files make up the newest generation."""
    if refusal := _refusal(request):
        return refusal
    folder = Path(settings.INDEX_DIR)
    try:
        status = (folder / MANIFEST_NAME).stat()
        data = _listing(folder, (status.st_ino, status.st_mtime_ns, status.st_size))
    except (FileNotFoundError, ListingError, DamagedFileError):
        return HttpResponse("The index cannot be listed.\n", status=503, content_type="text/plain")
    return HttpResponse(data, content_type="application/json")


@login_not_required
@require_safe
def index_file(request: HttpRequest, name: str) -> HttpResponse:
    """Give some bytes of a file: `from`, `length` up to 4 MiB, `digest` as listed."""
    if refusal := _refusal(request):
        return refusal
    try:
        span = int(request.GET["from"]), int(request.GET["length"])
        digest = request.GET["digest"]
    except (KeyError, ValueError):
        return HttpResponse(status=400)
    if span[0] < 0 or not 0 < span[1] <= PART_BYTES:
        return HttpResponse(status=400)
    try:
        data = read_listed(Path(settings.INDEX_DIR), name, digest, span)
    except FileNotFoundError:
        return HttpResponse(status=404)
    return HttpResponse(data, content_type=_BYTES)


def _refusal(request: HttpRequest) -> HttpResponse | None:
    token = settings.INDEX_TOKEN
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    if token and kind.lower() == "bearer" and constant_time_compare(given.strip(), token):
        return None
    return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})


@lru_cache(maxsize=1)
def _listing(folder: Path, stamp: tuple[int, int, int]) -> bytes:
    """Make the listing once for each manifest."""
    del stamp
    return list_index(folder).to_bytes()
