"""Forms of the reader's own settings."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm

from corpus_site.accounts.models import User


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
