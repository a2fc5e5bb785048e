"""Forms of the sources' tables in Django's admin: what they accept, the pages accept too."""

from django import forms
from django.core.exceptions import ValidationError

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.forms import PublicationForm
from feeds.models import Feed, Proxy
from feeds.sources import publications


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
