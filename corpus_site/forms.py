"""Forms of the wizard: the address of step 1, the choices of the last step."""

from typing import Any

from django import forms

from corpus_site.drafts import Draft


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

    doubts_answered = forms.BooleanField(
        label="I looked at these doubts; the articles may be stored so",
        error_messages={"required": "Look at the doubts, and say that you start all the same."},
    )

    def __init__(self, draft: Draft, data: Any = None) -> None:
        super().__init__(data, initial=_initial(draft))
        if draft.joins or not draft.doubt_words:
            del self.fields["doubts_answered"]
        self.fields["feeds"].choices = [  # type: ignore[attr-defined] # a choice field
            (feed.url, feed.title) for feed in draft.feeds
        ]


def _initial(draft: Draft) -> dict[str, Any]:
    return {
        "name": draft.name,
        "feeds": [feed.url for feed in draft.feeds if feed.is_good],
        "allow_browser_agent": draft.needs_browser_agent,
    }
