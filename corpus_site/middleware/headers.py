"""Headers of every page that Django has no setting for.

What a signed-in reader sees is kept by no cache, the browser's own included: after signing out the
key “back” shows nothing. Static files are answered before this and may be kept.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

_HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


class HeaderMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self._get_response(request)
        for name, value in _HEADERS.items():
            answer.headers.setdefault(name, value)
        if request.user.is_authenticated and "Cache-Control" not in answer:
            patch_cache_control(answer, private=True, no_store=True)
        return answer
