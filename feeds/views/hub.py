"""`/hub/<key>/`, where hubs call: they check what we asked them for, and tell of news.

For programs that sign their posts instead of signing in, so there is no token of a form and no
session. A call that proves nothing changes nothing and is answered as any other (WebSub, 7).
"""

from collections.abc import Iterator

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from feeds.hubs import calls

# Hubs post whole feeds as a rule, which are smaller by far; all is hashed and thrown away.
MOST_POSTED_BYTES = 10_000_000
_CHUNK_BYTES = 65_536
_TAKEN, _NOT_ASKED, _GONE = 202, 404, 410


@login_not_required
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def hub(request: HttpRequest, key: str) -> HttpResponse:
    now = timezone.now()
    if request.method == "POST":
        signature = request.headers.get("X-Hub-Signature", "")
        is_known = calls.told(key, signature, _posted(request), now)
        return HttpResponse(status=_TAKEN if is_known else _GONE)
    answer = calls.agree(key, request.GET.dict(), now)
    if answer is None:
        return HttpResponse(status=_NOT_ASKED)
    return HttpResponse(answer, content_type="text/plain; charset=utf-8")


def _posted(request: HttpRequest) -> Iterator[bytes]:
    """Read what was posted in pieces; what is too long or breaks off proves nothing."""
    left = MOST_POSTED_BYTES
    try:
        while left > 0 and (chunk := request.read(_CHUNK_BYTES)):
            left -= len(chunk)
            yield chunk
    except UnreadablePostError:
        return
