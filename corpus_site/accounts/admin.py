"""Users in Django's admin: role instead of groups and single permissions; tokens of the API."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from corpus_site.accounts.models import ApiToken, User

admin.site.unregister(Group)  # what one may do follows from the role


@admin.register(User)
class BroadsheetUserAdmin(UserAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = (
        "username",
        "first_name",
        "last_name",
        "email",
        "role",
        "is_active",
        "last_login",
    )
    list_filter = ("role", "is_active")
    search_fields = ("username", "first_name", "last_name", "email")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Role", {"fields": ("role", "is_active", "theme", "single_keys")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "usable_password", "password1", "password2", "role")}),
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """Tokens are made by their owners; an admin ends them."""

    list_display = ("name", "owner", "prefix", "scope", "created_at", "expires_at", "last_used_at")
    list_filter = ("scope",)
    search_fields = ("name", "owner__username", "prefix")
    readonly_fields = ("owner", "name", "prefix", "scope", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        del request
        return False
