"""Users in Django's admin: role instead of groups and single permissions."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group

from corpus_site.accounts.models import User

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
