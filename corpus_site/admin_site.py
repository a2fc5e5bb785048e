"""Django's own admin for the role admin: our sign-in page, our colours, every model."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from corpus_site.accounts.models import User

V = TypeVar("V", bound=Callable[..., HttpResponseBase])


class BroadsheetAdminSite(admin.AdminSite):
    site_title = "Broadsheet"
    site_header = "Broadsheet"
    index_title = "All tables"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and request.user.is_admin

    def admin_view(self, view: V, cacheable: bool = False) -> V:
        """Send strangers to our sign-in page, and tell other roles whom the tables are for."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), reverse("sign-in"))
            if not self.has_permission(request):
                raise PermissionDenied
            return inner(request, *args, **kwargs)

        return cast("V", answer)

    @login_not_required
    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Signing in happens on our own page."""
        del extra_context
        target = request.GET.get("next") or reverse("admin:index")
        return redirect_to_login(target, reverse("sign-in"))
