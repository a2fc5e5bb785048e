"""A page that failed on a damaged index is shown again without the damaged part.

The bytes of large sections are not compared with their checksums on opening; when one has changed,
arithmetic on it fails in ways of its own. Then all segments are compared, those that have changed
are left out and named on every page (`Snapshot.damaged`), and the browser asks again. An error that
no damage explains goes its usual way.
"""

import logging
import threading
from collections.abc import Callable
from time import monotonic

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from search.engine.index.errors import DamagedFileError
from search.opened_index import find_new_damage

logger = logging.getLogger(__name__)

# Errors that wrong numbers in an array lead to.
SYMPTOMS = (DamagedFileError, IndexError, OverflowError, UnicodeDecodeError, ValueError)
# Comparing takes half a second per GB, so that errors of another kind cannot ask for it all the
# time.
SECONDS_BETWEEN_LOOKS = 60.0


class DamageMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._looking = threading.Lock()
        self._looked_at = -SECONDS_BETWEEN_LOOKS

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, SYMPTOMS) or request.method not in ("GET", "HEAD"):
            return None
        with self._looking:
            if monotonic() - self._looked_at < SECONDS_BETWEEN_LOOKS:
                return None
            self._looked_at = monotonic()
            found = find_new_damage()
        if not found:
            return None
        logger.error("left out of the index: %s; run manage.py reindex", "; ".join(map(str, found)))
        return HttpResponseRedirect(request.get_full_path())
