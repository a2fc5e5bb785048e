"""Form of one site rule (COR-19, COR-76, COR-77, COR-106): fields → a checked `SiteRule`."""

from typing import Any

from django import forms
from lxml import html

from extraction.html.rules import Rule, RuleError, RuleField, RuleKind, find
from extraction.models import SiteRule

# A rule is tried on this page, so that what cannot run is refused before it is stored.
_TRIAL_PAGE = "<html><body><p class='trial'>trial</p></body></html>"


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
        if values["kind"] == RuleKind.TAG and not values["tag_type"]:
            self.add_error("tag_type", "Name the tag, such as div.")
        elif values["kind"] != RuleKind.TAG and not values["selector"].strip():
            self.add_error("selector", "Write the selector, the expression or the text.")
        else:
            self._try(values)
        return values

    def _try(self, values: dict[str, Any]) -> None:
        try:
            find(to_rule(values), html.document_fromstring(_TRIAL_PAGE))
        except RuleError as problem:
            at = "attribute_value" if values["kind"] == RuleKind.TAG else "selector"
            self.add_error(at, str(problem))


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
