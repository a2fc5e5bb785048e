"""`/healthz` for whoever asks by address: container engines, load balancers, monitors.

They name no host that ALLOWED_HOSTS knows, and speak no https on the inner port; their question is
answered before either is looked at.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from corpus_site.accounts.networks import HEALTH_PATH


class HealthMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == HEALTH_PATH:
            # Tables of other apps: not before the apps are loaded.
            from corpus_site.pages.system import health  # noqa: PLC0415

            return health(request)
        return self._get_response(request)
