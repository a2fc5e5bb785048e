"""How much may be sent with a request: told by its length, before any of it is read.

Whatever looks at a form reads all of it, files into the folder of temporary files, before anybody
has asked who sends it or whether there is such a page. Behind a proxy that has a bound of its own
(`deploy/nginx.conf`) this one is not met; nothing else stands before `manage.py up`.
"""

import math
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from corpus_site.middleware.bounds import refuse
from feeds.views.hub import MOST_POSTED_BYTES
from feeds.warc_files.forms import MAX_UPLOAD_BYTES
from presentation.wording.figures import size
from search.engine.allowance import AllowanceUsedError

# Of those whom nobody knows hubs send most; files are for people who have signed in.
MOST_OF_STRANGERS = MOST_POSTED_BYTES
# The other fields of a form, and what stands between them.
_BESIDE_FILE = 1_000_000
_MOST_DIGITS = 18  # an exabyte; Python reads no number of thousands
MOST_OF_PEOPLE = MAX_UPLOAD_BYTES + _BESIDE_FILE


class BodiesMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        n_bytes = _told_bytes(request)
        if n_bytes > MOST_OF_STRANGERS:  # who sends it is asked for nothing smaller
            most = MOST_OF_PEOPLE if request.user.is_authenticated else MOST_OF_STRANGERS
            if n_bytes > most:
                return refuse(request, _too_large(most), 413)
        return self._get_response(request)


def _told_bytes(request: HttpRequest) -> float:
    """Read how much is said to follow; the server refuses what is no number."""
    told = request.META.get("CONTENT_LENGTH") or "0"
    if len(told) > _MOST_DIGITS:
        return math.inf
    return int(told) if told.isdecimal() else 0


def _too_large(most: int) -> AllowanceUsedError:
    return AllowanceUsedError(
        f"What was sent is larger than {size(most)}, and was not read.",
        "Send a smaller file, or put it into the folder that the page of imports names.",
    )
