"""The form of an account at a newspaper, on its own page and in the table."""

import re
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError

from feeds.crawler.addressing.canonical import is_same_site
from feeds.crawler.fetching.connections import parse_target
from feeds.crawler.fetching.exchange import FetchStoppedError
from feeds.models import Account, AccountKind, Publication
from feeds.visiting import log_ins

_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
FIELDS = (
    "kind",
    "user_name",
    "secret",
    "host",
    "log_in_address",
    "user_field",
    "password_field",
    "success_cookie",
    "absent_text",
    "is_active",
)
LABELS = {
    "kind": "How one signs in",
    "host": "Only for this host",
    "log_in_address": "Log-in form: address of its page",
    "user_field": "Log-in form: name of the field for the user",
    "password_field": "Log-in form: name of the field for the password",
    "success_cookie": "Log-in form: cookie that is set for who is signed in",
    "absent_text": "Log-in form: text that only who is not signed in is shown",
    "is_active": "It is used",
}
HELP = {
    "success_cookie": "Its name. Empty: any cookie, on a page that shows no log-in form.",
    "absent_text": "Such as “Subscribe to read on”; pages that show it are asked for again after "
    "a new log-in. Empty: only a log-in form tells.",
}


class AccountForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """The secret is never sent to the browser; left empty it stays what it is."""

    secret = forms.CharField(
        max_length=4000,
        required=False,
        label="Password or cookie",
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password"}),
        help_text="Password, or the Cookie header of a signed-in browser. Empty: as it was.",
    )

    class Meta:
        model = Account
        fields = ("publication", *(name for name in FIELDS if name != "secret"))
        labels = LABELS
        help_texts = HELP

    def clean_secret(self) -> str:
        secret: str = self.cleaned_data["secret"]
        if not secret and not self.instance.sealed_secret:
            raise ValidationError("Give the password or the cookie.")
        is_header = self.cleaned_data.get("kind") != AccountKind.FORM
        if is_header and not (secret.isascii() and secret.isprintable()):
            raise ValidationError("A header holds printable ASCII characters only.")
        return secret

    def clean_log_in_address(self) -> str:
        typed: str = self.cleaned_data["log_in_address"].strip()
        if not typed:
            return ""
        try:
            return parse_target(typed).url
        except FetchStoppedError as problem:
            raise ValidationError(str(problem)) from problem

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("kind") == AccountKind.FORM:
            self._demand_form(values)
        return values

    def _demand_form(self, values: dict[str, Any]) -> None:
        """Ask for what a log-in form needs: its page at the newspaper itself, and a user."""
        address = values.get("log_in_address")
        if address == "":
            self.add_error("log_in_address", "Give the address of the page with the form.")
        if not values.get("user_name"):
            self.add_error("user_name", "Give the name that the form asks for.")
        known = Publication.objects.filter(pk=self.instance.publication_id)
        publication = values.get("publication") or known.first()
        home = urlsplit(publication.home_url).hostname or "" if publication else ""
        if address and home and not is_same_site(urlsplit(address).hostname or "", home):
            words = f"It is not of {home}: a password is sent to the newspaper’s own site alone."
            self.add_error("log_in_address", words)

    def clean_host(self) -> str:
        host: str = self.cleaned_data["host"].strip().lower()
        if host and not _HOST.fullmatch(host):
            raise ValidationError("Give a host alone, such as premium.example.co.za.")
        return host

    def save(self, commit: bool = True) -> Account:
        if self.cleaned_data["secret"]:
            self.instance.secret = self.cleaned_data["secret"]
        log_ins.begin_anew(self.instance)
        account: Account = super().save(commit)
        return account


class PublicationAccountForm(AccountForm):
    """The same for a publication that is known."""

    field_order = FIELDS

    class Meta(AccountForm.Meta):
        fields = tuple(name for name in FIELDS if name != "secret")
