"""Forms: of one site rule (→ a checked `SiteRule`), of one article's corrections, of a month."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from django import forms
from django.core.validators import MinValueValidator
from django.utils import timezone

from extraction.correcting import EmptyTitleError, check_title
from extraction.html.fields.agencies import agency_names, agency_of
from extraction.html.fields.names import clean_names, is_person_like
from extraction.html.site_rules.rule_check import check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, SiteRule
from extraction.rules.published import as_rule
from feeds.forms import PublicationField
from feeds.models import Publication

# Of an article's date as an editor writes it: younger than the oldest archive of a newspaper.
EARLIEST = datetime(1600, 1, 1, tzinfo=UTC)
EARLIEST_PAGE = datetime(1970, 1, 1, tzinfo=UTC)
MOST_ACCEPTED = 10**9  # more articles than any installation holds


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
            "selector": "For CSS, XPath, static text, patterns and JSON paths (author.0.name). "
            "A pattern for the body runs over the page’s source; its first group is the body.",
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


class DraftRuleForm(SiteRuleForm):
    """A draft's rule, checked as in the studio; a draft holds no rule twice."""

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        others = SiteRule.objects.filter(version=self.instance.version_id)
        if not self.errors and to_rule(values) in map(as_rule, others.exclude(pk=self.instance.pk)):
            raise forms.ValidationError("The draft has this rule already.")
        return values


class PublishForm(forms.Form):
    """Moment, reason and re-reading of a version that is published; what it costs, as seen."""

    # A day is its beginning; either is meant in the time of this installation.
    valid_from = forms.DateTimeField(
        required=False,
        error_messages={"invalid": "“Valid from” is no moment; write 2026-11-20 14:30."},
        validators=[MinValueValidator(EARLIEST_PAGE, "No page is older than 1970.")],
    )
    reread = forms.BooleanField(required=False)
    reason = forms.CharField(required=False, max_length=1000, strip=True)
    accepted = forms.IntegerField(required=False, min_value=0, max_value=MOST_ACCEPTED)
    tried = forms.IntegerField(required=False, min_value=0, max_value=MOST_ACCEPTED)

    @property
    def moment(self) -> datetime | None:
        """Since when the version is valid; None where it is for all pages."""
        moment: datetime | None = self.cleaned_data["valid_from"]
        return moment

    @property
    def n_accepted(self) -> int:
        """How many articles the editor lets get worse."""
        return self.cleaned_data["accepted"] or 0

    @property
    def n_tried(self) -> int | None:
        """How many pages of the sample the editor saw tried; None for all of them."""
        return self.cleaned_data["tried"] or None


class ArticleFieldsForm(forms.Form):
    """What can be corrected by hand in one article; begins with what stands there.

    Each field carries the value that the editor saw: what somebody else has changed meanwhile is
    no change of this editor's, and a field that both have changed is asked for once more.
    """

    title = forms.CharField(
        required=False, max_length=1000, label="Title", show_hidden_initial=True
    )
    authors = forms.CharField(
        required=False,
        max_length=2000,
        label="Authors",
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="One a line. Empty: it has none.",
        show_hidden_initial=True,
    )
    agencies = forms.CharField(
        required=False,
        max_length=2000,
        label="Agencies",
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
        help_text="News agencies that sign it, one a line. Empty: none.",
        show_hidden_initial=True,
    )
    published_at = forms.DateTimeField(
        required=False,
        label="Date",
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S"
        ),
        help_text="In the time of this installation. Empty: the page gives none.",
        validators=[MinValueValidator(EARLIEST, f"No article is older than {EARLIEST.year}.")],
        error_messages={"invalid": "This is no date; write 2026-11-20 10:30."},
        show_hidden_initial=True,
    )
    section = forms.CharField(
        required=False, max_length=200, label="Section", show_hidden_initial=True
    )

    @classmethod
    def of(cls, article: Article, given: Mapping[str, Any] | None = None) -> Self:
        """Make the form of an article, filled with what was given or what stands there."""
        return cls(given, initial=cls.values_of(article))

    @staticmethod
    def values_of(article: Article) -> dict[str, Any]:
        """Give what stands in an article, as the form shows it."""
        return {
            "title": article.title,
            "authors": "\n".join(map(str, article.authors)),
            "agencies": "\n".join(map(str, article.agencies)),
            "published_at": article.published_at,
            "section": article.section,
        }

    def clean_title(self) -> str:
        title = " ".join(str(self.cleaned_data["title"]).split())
        try:
            check_title(title, str(self.initial.get("title", "")))
        except EmptyTitleError as error:
            raise forms.ValidationError(str(error)) from error
        return title

    def clean_section(self) -> str:
        return " ".join(str(self.cleaned_data["section"]).split())

    def clean_authors(self) -> list[str]:
        lines = _lines_of(self.cleaned_data["authors"])
        there = _lines_of(str(self.initial.get("authors", "")))
        for line in lines:
            names = clean_names([line])
            if line not in there and len(names) > 1 and all(map(is_person_like, names)):
                # Shown in one line as well, so nobody would see that they became one author.
                raise forms.ValidationError(
                    f"“{line}” looks like {len(names)} names: write one a line, without places."
                )
        return lines

    def clean_agencies(self) -> list[str]:
        names = _lines_of(self.cleaned_data["agencies"])
        if unknown := [name for name in names if not agency_of(name)]:
            # Searches tell agencies from authors by their names alone.
            raise forms.ValidationError(
                f"“{unknown[0]}” is none of the agencies that this program knows: write it among "
                "the authors."
            )
        return agency_names(names)

    def clean_published_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["published_at"]
        if moment is not None and moment > timezone.now() + timedelta(days=1):
            raise forms.ValidationError("This day is still to come.")
        return moment

    def clean(self) -> dict[str, Any]:
        for name in self.changed_data:
            field, seen = self.fields[name], self.data.get(self.add_initial_prefix(name))
            there = self.get_initial_for_field(field, name)
            if seen is None or not field.has_changed(there, seen.replace("\r\n", "\n")):
                continue
            value = field.prepare_value(there)
            self.add_error(
                name, f"This is “{value or '–'}” since; saved once more, yours takes its place."
            )
            # Now the editor has seen what is there.
            given = {key: self.data[key] for key in self.data}
            self.data = given | {self.add_initial_prefix(name): value}
        return self.cleaned_data

    def corrected(self) -> dict[str, Any]:
        """Give the fields of a valid form in which the editor has written something else."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


def _lines_of(text: str) -> list[str]:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return list(dict.fromkeys(line for line in lines if line))


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
    publication = PublicationField(
        queryset=Publication.kept.all(), required=False, empty_label="All publications"
    )
