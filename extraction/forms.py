"""Forms: of one site rule (→ a checked `SiteRule`), of a month whose comments are asked for."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.utils import timezone

from extraction.html.site_rules.rule_check import check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import SiteRule
from feeds.models import Publication


class SiteRuleForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    class Meta:
        model = SiteRule
        fields = [
            "field",
            "kind",
            "selector",
            "tag_type",
            "attribute_name",
            "attribute_value",
            "value_is_regex",
            "split_string",
            "split_index",
            "note",
        ]
        labels = {
            "field": "Finds",
            "kind": "By",
            "selector": "Selector, path, pattern or static text",
            "tag_type": "Tag",
            "attribute_name": "Attribute",
            "attribute_value": "Value",
            "value_is_regex": "The value is a regular expression (RE2)",
            "split_string": "Split the element’s HTML at",
            "split_index": "Piece",
        }
        help_texts = {
            "selector": "For CSS, XPath, static text, patterns and JSON paths (author.0.name).",
            "tag_type": "Such as div; for “tag, attribute, value”.",
            "attribute_name": "Such as class or id.",
            "attribute_value": "Such as byline.",
            "split_string": "Empty: the whole element.",
            "split_index": "0 is the first piece, −1 the last.",
        }
        widgets = {
            "selector": forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "none"}),
            "note": forms.TextInput(),
        }

    def clean(self) -> dict[str, Any]:
        super().clean()
        values = self.cleaned_data
        if self.errors:
            return values
        for problem in check_rule(to_rule(values)):
            if problem.is_error:
                self.add_error(problem.part, problem.sentence)
        return values


class PublishForm(forms.Form):
    """Day, reason and re-reading of a version that is published."""

    valid_from = forms.DateField(
        required=False,
        error_messages={"invalid": "“Valid from” is no day; write 2026-11-20."},
        validators=[MinValueValidator(date(1970, 1, 1), "No page is older than 1970.")],
    )
    reread = forms.BooleanField(required=False)
    reason = forms.CharField(required=False, max_length=1000, strip=True)

    @property
    def day(self) -> datetime | None:
        """Beginning of the day in the site's own time; None where the version is for all pages."""
        day = self.cleaned_data["valid_from"]
        return timezone.make_aware(datetime.combine(day, time.min)) if day else None


def to_rule(values: dict[str, Any]) -> Rule:
    """Make the algorithm's value of cleaned fields."""
    return Rule(
        field=RuleField(values["field"]),
        kind=RuleKind(values["kind"]),
        selector=values["selector"].strip(),
        tag_type=values["tag_type"].strip(),
        attribute_name=values["attribute_name"].strip(),
        attribute_value=values["attribute_value"],
        value_is_regex=values["value_is_regex"],
        split_string=values["split_string"],
        split_index=values["split_index"],
    )


class CommentMonthForm(forms.Form):
    """A month, and one publication or all of them."""

    month = forms.DateField(
        input_formats=["%Y-%m"],
        widget=forms.DateInput(format="%Y-%m", attrs={"type": "month", "placeholder": "2026-10"}),
        help_text="Of the articles, such as 2026-10.",
        error_messages={"invalid": "Write a month such as 2026-10."},
    )
    publication = forms.ModelChoiceField(
        queryset=Publication.objects.all(), required=False, empty_label="All publications"
    )
