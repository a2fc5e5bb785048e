"""What the query string of the article list and the forms of lexicon and saved queries may hold."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms

from extraction.models import Article, ArticleKind
from extraction.text.language import NAMES
from feeds.models import Publication
from search.browsing import BrowseRequest
from search.threads import SORTS, ThreadRequest

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class BrowseForm(forms.Form):
    """Filters of `/articles/`."""

    pub = forms.SlugField(required=False)
    kind = forms.ChoiceField(
        choices=ArticleKind.choices,
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no kind of text."},
    )
    lang = forms.ChoiceField(
        choices=list(NAMES.items()),
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no language that is told apart here."},
    )
    day = forms.DateField(
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "This is no day: write it as 2026-09-24."},
    )
    after = forms.CharField(required=False)

    def clean_pub(self) -> str:
        slug: str = self.cleaned_data["pub"]
        if slug and not Publication.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"No publication has the short name “{slug}”.")
        return slug

    def clean_after(self) -> tuple[datetime, int] | None:
        """Read the place in the list: microseconds since 1970 and the id of the last row."""
        text: str = self.cleaned_data["after"]
        if not text:
            return None
        moment, _, key = text.partition(".")
        try:
            return _EPOCH + int(moment) * _MICROSECOND, int(key)
        except (ValueError, OverflowError):
            raise forms.ValidationError("The place in the list is not one of ours.") from None

    @staticmethod
    def write_after(after: tuple[datetime, int]) -> str:
        moment, key = after
        return f"{(moment - _EPOCH) // _MICROSECOND}.{key}"

    def to_request(self) -> BrowseRequest:
        values: dict[str, Any] = self.cleaned_data
        return BrowseRequest(
            publication=values["pub"],
            kind=values["kind"],
            language=values["lang"],
            day=values["day"],
            after=values["after"],
        )

    def unknown_names(self) -> list[str]:
        return sorted(set(self.data) - set(self.fields))

    def given(self) -> dict[str, str]:
        """Give the filters that are set, in the fields' order, without the place in the list."""
        return {
            name: value
            for name in self.fields
            if name != "after" and (value := str(self.data.get(name, "")).strip())
        }


class CommentsForm(forms.Form):
    """Order and choice of the comments under an article; wrong values fall back to the first."""

    order = forms.ChoiceField(choices=list(SORTS.items()), required=False)
    p = forms.IntegerField(min_value=1, max_value=100_000, required=False)
    root = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    words = forms.CharField(max_length=200, required=False)

    def to_request(self, article: Article) -> ThreadRequest:
        self.is_valid()
        values = self.cleaned_data
        return ThreadRequest(
            article,
            sort=values.get("order") or "thread",
            page=values.get("p") or 1,
            root=values.get("root"),
            words=values.get("words") or "",
        )
