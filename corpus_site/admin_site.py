"""Django's own admin for the role admin: our sign-in page, our colours, every model."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from corpus_site.accounts.models import User


class BroadsheetAdminSite(admin.AdminSite):
    site_title = "Broadsheet"
    site_header = "Broadsheet"
    index_title = "All tables"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and request.user.is_admin

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Signing in happens on our own page; who has signed in and may not come in is told so."""
        del extra_context
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        target = request.GET.get("next") or reverse("admin:index")
        return redirect_to_login(target, reverse("sign-in"))
