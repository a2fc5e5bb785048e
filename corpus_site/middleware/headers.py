"""Headers of every answer: pages, files, refusals, errors, and what is answered before any page.

Stands before all other middleware, and adds what an answer lacks: a page may have said something
else of its own (frames of our own pages, the policy of an archived page). What a signed-in reader
sees is kept by no cache, the browser's own included: after signing out the key “back” shows
nothing. Static files may be kept.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

# The list of Mozilla's Observatory; HSTS is SecurityMiddleware's.
HEADERS = {
    # Pages have their own, made by CSPMiddleware: this is for what never came so far.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": settings.X_FRAME_OPTIONS,
}


class HeaderMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self._get_response(request)
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        user = getattr(request, "user", None)  # whoever is answered early has not been looked at
        if user is not None and user.is_authenticated and "Cache-Control" not in answer:
            patch_cache_control(answer, private=True, no_store=True)
        return answer
