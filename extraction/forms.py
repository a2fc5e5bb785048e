"""Form of one site rule (COR-19, COR-76, COR-77, COR-106): fields → a checked `SiteRule`."""

from typing import Any

from django import forms

from extraction.html.rule_check import check_rule
from extraction.html.rules import Rule, RuleField, RuleKind
from extraction.models import SiteRule


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
            "position",
            "note",
        ]
        labels = {
            "field": "Finds",
            "kind": "By",
            "selector": "Selector, expression or static text",
            "tag_type": "Tag",
            "attribute_name": "Attribute",
            "attribute_value": "Value",
            "value_is_regex": "The value is a regular expression (RE2)",
            "split_string": "Split the element’s HTML at",
            "split_index": "Piece",
            "position": "Order",
        }
        help_texts = {
            "selector": "For CSS, XPath and static text.",
            "tag_type": "Such as div; for “tag, attribute, value”.",
            "attribute_name": "Such as class or id.",
            "attribute_value": "Such as byline.",
            "split_string": "Empty: the whole element.",
            "split_index": "0 is the first piece, −1 the last.",
            "position": "Rules of a field are tried from the lowest number up.",
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
