"""Forms of the reader's own settings, of passwords, and of people who are invited."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm

from corpus_site.accounts.models import ApiToken, Role, TokenScope, User
from corpus_site.accounts.tokens import MOST_TOKENS

# Every token ends: a forgotten one is no door for ever.
DAYS = ((30, "30 days"), (90, "90 days"), (365, "a year"))


class OwnSettingsForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "theme", "single_keys"]
        labels = {"email": "Mail address", "single_keys": "Single keys"}
        widgets = {"theme": forms.RadioSelect}


class OwnPasswordForm(PasswordChangeForm):
    """Django's form; it does not take the focus, for it stands below other fields."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = "Present password"
        self.fields["new_password2"].label = "New password again"
        self.fields["new_password2"].help_text = ""
        del self.fields["old_password"].widget.attrs["autofocus"]


class TokenForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """A new token of the API."""

    days = forms.TypedChoiceField(choices=DAYS, coerce=int, label="Ends after", initial=90)

    class Meta:
        model = ApiToken
        fields = ["name", "scope"]
        labels = {"scope": "May"}
        widgets = {"scope": forms.RadioSelect}

    def __init__(self, owner: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        self.fields["scope"].choices = TokenScope.choices  # type: ignore[attr-defined] # no blank
        self.fields["name"].widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        if self.owner.api_tokens.count() >= MOST_TOKENS:
            raise forms.ValidationError(
                f"You have {MOST_TOKENS} tokens. Revoke one that is not used any more."
            )
        return self.cleaned_data

    def to_row(self, now: datetime) -> ApiToken:
        """Make the row of a valid form, without its token."""
        row: ApiToken = self.save(commit=False)
        row.owner, row.expires_at = self.owner, now + timedelta(days=self.cleaned_data["days"])
        return row


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg] # generic in its stubs only
    """Django's form behind a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password2"].label = "New password again"
        self.fields["new_password2"].help_text = ""


class InvitationForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """A person who is to choose a password."""

    email = forms.EmailField(label="Mail address", max_length=254, required=False)

    class Meta:
        model = User
        fields = ["username", "email", "role"]
        labels = {"username": "Name to sign in with"}
        help_texts = {"username": ""}
        widgets = {"role": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = Role.choices  # type: ignore[attr-defined] # no blank
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("There is an account of that name.")
        return name


class RoleChoice(forms.Form):
    role = forms.ChoiceField(choices=Role.choices)


class ForgottenForm(forms.Form):
    """A name or a mail address; whose it is stays unsaid."""

    whose = forms.CharField(label="Your name or mail address", max_length=254)
