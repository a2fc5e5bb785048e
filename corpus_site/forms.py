"""Forms of the wizard: the address of step 1, the choices of the last step."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from corpus_site.adding.patterns import PatternPreview, problem_of
from corpus_site.adding.timeline_pasts import DAYS, MOST_PAST_DAYS, POSTS
from corpus_site.drafts import Draft
from feeds.crawler.addressing.links import MAX_PATTERN_LENGTH
from feeds.crawler.timelines.past import MOST_PAST_POSTS
from presentation.wording.figures import counted


class AddressForm(forms.Form):
    address = forms.CharField(
        max_length=2048,
        label="Address",
        error_messages={
            "required": "Paste the address of the newspaper.",
            "max_length": "The address is longer than %(limit_value)s characters.",
        },
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "none",
                "inputmode": "url",
                "spellcheck": "false",
                "placeholder": "https://newspaper.example/",
                "autofocus": True,
                "data-focus": True,
            }
        ),
    )


def _pattern_field(label: str, help_text: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "none"})
    return forms.CharField(
        required=False,
        max_length=MAX_PATTERN_LENGTH,
        label=label,
        help_text=help_text,
        widget=widget,
    )


class StartForm(forms.Form):
    """What the editor decides before the first visit; feeds are those that were found."""

    name = forms.CharField(
        max_length=200, error_messages={"required": "The publication needs a name."}
    )
    feeds = forms.MultipleChoiceField(
        error_messages={
            "required": "Tick at least one feed.",
            "invalid_choice": "%(value)s is not one of the feeds found.",
        }
    )
    include_pattern = _pattern_field(
        "Only addresses that match",
        "A regular expression (RE2), searched anywhere in the address. Empty: all.",
    )
    exclude_pattern = _pattern_field(
        "Never addresses that match", "Leaves out what the other would let in. Empty: none."
    )
    min_delay_seconds = forms.FloatField(
        required=False,
        min_value=0,
        max_value=86_400,
        label="Delay between two requests, in seconds",
        help_text="Empty: the default of this installation. robots.txt may ask for more.",
    )
    allow_browser_agent = forms.BooleanField(
        required=False, label="Ask once more as a browser after a 403"
    )
    render_pages = forms.BooleanField(required=False, label="Let a browser draw its articles")
    past_n = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_PAST_POSTS,
        label="Also what was posted before: the last",
        help_text="Empty: the newest answer, and what comes from now on.",
    )
    past_unit = forms.ChoiceField(
        required=False, choices=[(DAYS, "days"), (POSTS, "posts")], label="Of these"
    )

    takes_none = forms.BooleanField(
        required=False, label="I know that none comes in today; visit it all the same"
    )
    doubts_answered = forms.BooleanField(
        label="I looked at these doubts; the articles may be stored so",
        error_messages={"required": "Look at the doubts, and say that you start all the same."},
    )

    def __init__(
        self,
        draft: Draft,
        data: Any = None,
        choices: dict[str, Any] | None = None,
        *,
        is_change: bool = False,
    ) -> None:
        super().__init__(data, initial=_initial(draft) | (choices or {}))
        if draft.joins or not draft.doubt_words:
            del self.fields["doubts_answered"]
        if not draft.is_timeline:
            del self.fields["past_n"], self.fields["past_unit"]
        self.fields["feeds"].required = not is_change
        self.fields["feeds"].choices = [  # type: ignore[attr-defined] # a choice field
            (feed.url, feed.title) for feed in draft.feeds if not feed.is_followed
        ]

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        days = found.get("past_n") if found.get("past_unit") != POSTS else None
        if days and days > MOST_PAST_DAYS:
            self.add_error("past_n", f"Give at most {MOST_PAST_DAYS} days.")
        return found

    def clean_include_pattern(self) -> str:
        return _pattern(self.cleaned_data["include_pattern"])

    def clean_exclude_pattern(self) -> str:
        return _pattern(self.cleaned_data["exclude_pattern"])

    def refuse_none(self, found: PatternPreview) -> bool:
        """Ask again where patterns let in nothing of what was found; returns whether it did."""
        given = self.cleaned_data
        has_patterns = given["include_pattern"] or given["exclude_pattern"]
        if found.taken or not (found.n_found and has_patterns) or given["takes_none"]:
            return False
        n = counted(found.n_found, "address", "addresses")
        self.add_error(
            "takes_none",
            f"The patterns let in none of the {n} found: nothing would be collected. Change them, "
            "or tick this.",
        )
        return True

    def so_far(self) -> dict[str, Any]:
        """Give what was typed and ticked, right or not yet, for another day."""
        names = [name for name in self.fields if name not in {"doubts_answered", "takes_none"}]
        typed = {name: self[name].value() for name in names}
        known = {url for url, _ in self.fields["feeds"].choices}  # type: ignore[attr-defined] # as above
        typed["feeds"] = [url for url in typed["feeds"] or () if url in known]
        return {
            name: value[:MAX_PATTERN_LENGTH] if isinstance(value, str) else value
            for name, value in typed.items()
        }


def _pattern(value: str) -> str:
    problem = problem_of(value)
    if problem:
        raise ValidationError(problem)
    return value.strip()


def _initial(draft: Draft) -> dict[str, Any]:
    return {
        "name": draft.name,
        "feeds": [feed.url for feed in draft.feeds if feed.is_good],
        "allow_browser_agent": draft.needs_browser_agent,
    }
