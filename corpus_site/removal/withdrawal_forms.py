"""Forms of the register: why something is taken out, and the word that confirms an erasure."""

from typing import Any

from django import forms

from extraction.models import Measure, Subject
from extraction.models.withdrawal import MAX_REASON
from extraction.withdrawal.register import RegisterFilter


class ReasonForm(forms.Form):
    """Why something is withdrawn or held."""

    reason = forms.CharField(
        max_length=MAX_REASON,
        label="Reason",
        help_text="It stands on the page of what is gone, and in the register.",
        error_messages={
            "required": "Say why: it stands in the register.",
            "max_length": "At most %(limit_value)s characters.",
        },
    )


class EraseForm(ReasonForm):
    """The reason, and a word to type: nothing brings back what is erased."""

    typed = forms.CharField(label="To confirm", max_length=200, required=False)

    def __init__(self, word: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.word = word
        self.fields["typed"].help_text = f"Type: {word}"

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"].strip()
        if typed != self.word:
            raise forms.ValidationError(f"Type “{self.word}” to confirm.")
        return typed


class RegisterForm(forms.Form):
    """Filters of the register; what is no choice does not narrow."""

    measure = forms.ChoiceField(
        choices=[("", "all"), *Measure.choices], required=False, label="Measure"
    )
    what = forms.ChoiceField(choices=[("", "all"), *Subject.choices], required=False, label="What")
    pub = forms.SlugField(required=False, label="Publication")
    address = forms.CharField(required=False, max_length=2048, label="Address")
    open = forms.BooleanField(required=False, label="In force only")

    def to_filter(self) -> RegisterFilter:
        self.is_valid()
        given = self.cleaned_data
        return RegisterFilter(
            measure=given.get("measure", ""),
            what=given.get("what", ""),
            publication=given.get("pub", ""),
            address=given.get("address", ""),
            only_open=given.get("open", False),
        )
