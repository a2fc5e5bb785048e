"""Proxies, accounts and the log of blocks in Django's admin: secrets go in and never come out."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from feeds.crawler.canonical import BadUrl, canonicalize
from feeds.models import Account, HostDecision, Proxy


class ProxyForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    class Meta:
        model = Proxy
        fields = ("name", "url", "is_active")

    def clean_url(self) -> str:
        try:
            return canonicalize(self.cleaned_data["url"]).url
        except BadUrl as problem:
            raise ValidationError(str(problem)) from problem


class AccountForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """The secret is never sent to the browser; left empty it stays what it is."""

    secret = forms.CharField(
        max_length=4000,
        required=False,
        widget=forms.PasswordInput(render_value=False),
        help_text="Password, or the Cookie header of a signed-in browser. Empty: as it was.",
    )

    class Meta:
        model = Account
        fields = ("publication", "kind", "user_name", "secret", "is_active")

    def clean_secret(self) -> str:
        secret: str = self.cleaned_data["secret"] or self.instance.secret
        if not secret:
            raise ValidationError("Give the password or the cookie.")
        if not secret.isascii() or not secret.isprintable():
            raise ValidationError("A header holds printable ASCII characters only.")
        return secret


@admin.register(Proxy)
class ProxyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = ProxyForm
    list_display = ("name", "url", "is_active")


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = AccountForm
    list_display = ("publication", "kind", "user_name", "is_active", "changed_at")
    list_select_related = ("publication",)


@admin.register(HostDecision)
class HostDecisionAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("at", "host", "sign", "choice", "reason")
    list_filter = ("choice",)
    list_select_related = ("host",)
    raw_id_fields = ("host",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False
