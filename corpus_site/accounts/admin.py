"""Users in Django's admin: role instead of groups and single permissions; tokens of the API."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from corpus_site.accounts.models import (
    ApiToken,
    ExternalAccount,
    PasswordWish,
    PersonEvent,
    Role,
    SentForm,
    User,
)
from corpus_site.accounts.roles import LAST_ADMIN, is_last_admin, set_role
from feeds.table_admin import RemovalRefusedError, RemovedByService, WrittenByProgram

admin.site.unregister(Group)  # what one may do follows from the role


class RoleForm(UserChangeForm):  # type: ignore[type-arg] # generic in its stubs only
    """A user as an admin changes one; the last admin stays one, and active."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        stays = values.get("is_active") and values.get("role") == Role.ADMIN
        if not stays and is_last_admin([self.instance.pk]):
            raise ValidationError(LAST_ADMIN)
        return values


@admin.register(User)
class BroadsheetUserAdmin(RemovedByService, UserAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = RoleForm
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

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        set_role(obj)
        super().save_model(request, obj, form, change)

    def remove(self, request: HttpRequest, obj: User) -> None:
        del request
        if is_last_admin([obj.pk]):
            raise RemovalRefusedError(LAST_ADMIN)
        obj.delete()


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


@admin.register(ExternalAccount)
class ExternalAccountAdmin(WrittenByProgram):
    list_display = ("user", "way", "subject", "created_at", "last_used_at")
    list_filter = ("way",)
    search_fields = ("user__username", "subject")


@admin.register(PersonEvent)
class PersonEventAdmin(WrittenByProgram):
    list_display = ("at", "username", "what", "said", "by")
    list_filter = ("what",)
    search_fields = ("username", "said")


@admin.register(PasswordWish)
class PasswordWishAdmin(WrittenByProgram):
    list_display = ("asked_at",)
    fields = ("asked_at",)


@admin.register(SentForm)
class SentFormAdmin(WrittenByProgram):
    list_display = ("digest", "until")
    fields = ("digest", "until")
