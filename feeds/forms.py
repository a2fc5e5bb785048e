"""Forms of the sources: settings of a publication."""

import re
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError

from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.models import Publication

_LANGUAGE_CODE = re.compile("[a-z]{2,3}")


class ExpectedLanguagesForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """In which languages a publication writes."""

    class Meta:
        model = Publication
        fields = ["expected_languages"]

    def clean_expected_languages(self) -> str:
        value: str = self.cleaned_data["expected_languages"]
        codes = [part.strip().lower() for part in value.split(",") if part.strip()]
        wrong = [code for code in codes if not _LANGUAGE_CODE.fullmatch(code)]
        if wrong:
            raise ValidationError(f"“{wrong[0]}” is no code of a language, such as en or nso.")
        return ", ".join(dict.fromkeys(codes))


class PublicationForm(ExpectedLanguagesForm):
    """How a publication is named and visited."""

    home_url = forms.URLField(max_length=2048, label="Home page", assume_scheme="https")

    class Meta:
        model = Publication
        fields = [
            "name",
            "home_url",
            "language",
            "expected_languages",
            "time_zone",
            "min_delay_seconds",
            "allow_browser_agent",
            "allow_proxy",
            "include_pattern",
            "exclude_pattern",
            "note",
        ]
        labels = {
            "min_delay_seconds": "Delay between two requests, in seconds",
            "allow_browser_agent": "Ask once more as a browser after a 403",
            "allow_proxy": "Ask through a proxy of the pool after a block",
            "include_pattern": "Only addresses that match",
            "exclude_pattern": "No address that matches",
        }
        help_texts = {
            "language": "As a code, such as en or af. Empty: as each page declares it.",
            "expected_languages": (
                "Codes with commas, such as en, af, zu. They decide where a few words could be of "
                "several languages, in texts read from now on. Empty: the language above."
            ),
            "time_zone": (
                "Of dates on its pages that name no zone, such as Africa/Windhoek. Empty: that of "
                "this installation."
            ),
            "min_delay_seconds": (
                "Empty: the default of this installation. A longer crawl delay in robots.txt wins."
            ),
            "allow_proxy": (
                "Proxies are entered by admins. robots.txt and delays hold there as well; a host "
                "that asks for time (429) is given it."
            ),
            "allow_browser_agent": "Some sites refuse every program. Permit it by agreement only.",
            "include_pattern": "A regular expression (RE2) on the whole address. Empty: all.",
            "exclude_pattern": "A regular expression (RE2) on the whole address. Empty: none.",
        }
        widgets = {
            "include_pattern": forms.TextInput(attrs={"spellcheck": "false"}),
            "exclude_pattern": forms.TextInput(attrs={"spellcheck": "false"}),
            "note": forms.Textarea(attrs={"rows": 3}),
        }

    def clean_time_zone(self) -> str:
        value: str = self.cleaned_data["time_zone"]
        if value and value not in available_timezones():
            message = f"“{value}” is no zone of the IANA database, such as Africa/Johannesburg."
            raise ValidationError(message)
        return value

    def clean_include_pattern(self) -> str:
        return self._pattern("include_pattern")

    def clean_exclude_pattern(self) -> str:
        return self._pattern("exclude_pattern")

    def _pattern(self, name: str) -> str:
        value: str = self.cleaned_data[name]
        try:
            LinkFilter.compile([value])
        except BadPattern as problem:
            raise ValidationError(str(problem)) from problem
        return value
