"""Forms of the reader's own settings."""

from django import forms

from corpus_site.accounts.models import User


class OwnSettingsForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "theme"]
        labels = {"email": "Mail address"}
        widgets = {"theme": forms.RadioSelect}
