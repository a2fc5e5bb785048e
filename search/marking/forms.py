"""Forms of marked lines: what is drawn and sorted into what, a category more, marks of a page."""

import re
from typing import Any

from django import forms
from django.http import QueryDict

from presentation.wording.figures import grouped
from search.marking.drawing import MOST_LINES, Draw
from search.marking.markings import Said
from search.models.marking import MOST_CATEGORIES

LONGEST_CATEGORY = 40
_USUAL_LINES = 200
_LARGEST_SEED = 2**31 - 1
RANDOM, FIRST = "random", "first"
_VALUE_FIELD = re.compile(r"v[0-9]{1,18}")


class NewMarkingForm(forms.Form):
    """A name, the categories, and which lines are drawn; `query` is the address of the search."""

    query = forms.CharField(max_length=40_000, widget=forms.HiddenInput)
    name = forms.CharField(max_length=100)
    categories = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text=f"One a line, at most {MOST_CATEGORIES}: they get the keys 1 to "
        f"{MOST_CATEGORIES} in this order. Key 0 leaves a line out.",
    )
    n_lines = forms.IntegerField(
        min_value=1,
        max_value=MOST_LINES,
        initial=_USUAL_LINES,
        label="Lines",
        help_text=f"At most {grouped(MOST_LINES)}; all of them where there are fewer hits.",
    )
    draw = forms.ChoiceField(
        choices=[(RANDOM, "random lines"), (FIRST, "the first lines")],
        initial=RANDOM,
        widget=forms.RadioSelect,
        label="Which",
        help_text="Random lines stand for all hits; the first are those of the order of the page.",
    )
    seed = forms.IntegerField(
        min_value=1,
        max_value=_LARGEST_SEED,
        initial=1,
        help_text="Of random lines: the same seed draws the same lines.",
    )
    is_shared = forms.BooleanField(
        required=False,
        label="Others here may mark these lines too, without seeing one another’s marks",
    )

    def __init__(self, data: QueryDict | None = None, **others: Any) -> None:
        super().__init__(data, auto_id="marking_%s", **others)

    def clean_categories(self) -> list[str]:
        return _names(self.cleaned_data["categories"])

    def to_draw(self) -> Draw:
        values = self.cleaned_data
        return Draw(values["n_lines"], values["seed"] if values["draw"] == RANDOM else None)


def _names(text: str) -> list[str]:
    names = list(filter(None, (" ".join(line.split()) for line in text.splitlines())))
    if len(names) > MOST_CATEGORIES:
        raise forms.ValidationError(
            f"There are at most {MOST_CATEGORIES} categories; these are {len(names)}."
        )
    if any(len(name) > LONGEST_CATEGORY for name in names):
        raise forms.ValidationError(f"A category has at most {LONGEST_CATEGORY} characters.")
    if len({name.casefold() for name in names}) < len(names):
        raise forms.ValidationError("Two categories have the same name.")
    return names


class CategoryForm(forms.Form):
    """One more category."""

    name = forms.CharField(
        max_length=LONGEST_CATEGORY,
        label="One more category",
        error_messages={"required": "Write the name of the category."},
    )

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


def marks_in(data: QueryDict) -> dict[int, Said]:
    """Read the marks of a form: `v12` is the value of line 12, `n12` its note.

    Raises
    ------
    ValueError
        If a field is none of the page's.

    Examples
    --------
    >>> marks_in(QueryDict("v12=3&n12=irony&v13=&go=next"))
    {12: Said(value=3, note='irony'), 13: Said(value=None, note='')}
    """
    lines = [int(name[1:]) for name in data if _VALUE_FIELD.fullmatch(name)]
    return {
        line: Said(
            int(value) if (value := data.get(f"v{line}", "")) else None,
            " ".join(data.get(f"n{line}", "").replace("\0", "").split()),
        )
        for line in lines
    }
