"""Forms of the sources' tables in Django's admin: what they accept, the pages accept too."""

import re

from django import forms
from django.core.exceptions import ValidationError

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.forms import PublicationForm
from feeds.models import Account, Feed, Proxy
from feeds.sources import publications

_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")


class PublicationTableForm(PublicationForm):
    """Settings as on the publication's page, and its name in addresses."""

    class Meta(PublicationForm.Meta):
        fields = [
            *dict.fromkeys([*PublicationForm.Meta.fields, "visit_share", "rights_policy"]),
            "slug",
        ]
        help_texts = PublicationForm.Meta.help_texts | {
            "slug": (
                "Its name in addresses and searches. Another one labels its texts anew in the "
                "background; addresses, saved queries and subcorpora with the old one find nothing "
                "any more, and older generations of the corpus keep it."
            )
        }

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in publications.RESERVED_SLUGS:
            raise ValidationError(f"/sources/{slug}/ is a page of this site.")
        return slug


class NewFeedForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """A feed by its address, for a publication."""

    address = forms.CharField(max_length=2048, label="Address of the feed")

    class Meta:
        model = Feed
        fields = ("publication", "title")

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            canonicalize(address)
        except BadUrl as problem:
            raise ValidationError(str(problem)) from problem
        if (known := publications.find_feed(address)) is not None:
            raise ValidationError(f"“{known.publication.name}” has this feed already.")
        return address


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
        fields = ("publication", "host", "kind", "user_name", "is_active")

    def clean_secret(self) -> str:
        secret: str = self.cleaned_data["secret"]
        if not secret and not self.instance.sealed_secret:
            raise ValidationError("Give the password or the cookie.")
        if not secret.isascii() or not secret.isprintable():
            raise ValidationError("A header holds printable ASCII characters only.")
        return secret

    def clean_host(self) -> str:
        host: str = self.cleaned_data["host"].strip().lower()
        if host and not _HOST.fullmatch(host):
            raise ValidationError("Give a host alone, such as premium.example.co.za.")
        return host

    def save(self, commit: bool = True) -> Account:
        if self.cleaned_data["secret"]:
            self.instance.secret = self.cleaned_data["secret"]
        account: Account = super().save(commit)
        return account
