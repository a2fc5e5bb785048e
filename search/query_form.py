"""The query form of all search pages: parameters of screens.md, section 2 → checked values.

A wrong value of what the answer rests on (query, filters, generation) stops the search; a wrong
value of how it is shown is named at its control, and the default is shown.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.db.models import Q
from django.http import QueryDict

from extraction.text.language import NAMES
from feeds.models import Publication
from search.addresses import DEFAULTS, REPEATABLE, Address, unknown_names
from search.models import Subcorpus
from search.periods import PeriodError, first_day, last_day

LANGUAGES = (("simple", "Simple"), ("cql", "CQL"))
SCOPES = (("articles", "Articles"), ("comments", "Comments"), ("both", "Both"))
COPIES = (
    ("once", "count copies once"),
    ("all", "count every copy"),
    ("originals", "originals only"),
)
SORTS = (
    ("new", "newest first"),
    ("old", "oldest first"),
    ("r1,r2,r3", "1R 2R 3R"),
    ("l1,l2,l3", "1L 2L 3L"),
    ("node,r1", "node, then 1R"),
    ("pub", "publication"),
)
VIEWS = (("kwic", "KWIC"), ("sentence", "Sentence"))
CONTEXTS = (6, 12, 20, 30)
LINES = (25, 50, 100, 200)
MAX_CONTEXT = 50
MAX_LINES = 200
MAX_QUERY = 20_000
# Wrong values of these do not stop a search.
_OF_DISPLAY = frozenset({"sort", "view", "ctx", "n", "after", "hit"})
_SORT_KEY = re.compile(r"new|old|pub|node|[lr][1-3]")
_HIT = re.compile(r"c?[1-9][0-9]{0,17}-[0-9]{1,9}")


class QueryForm(forms.Form):
    """The parameters of a search; `today` is what `7d` counts from."""

    def __init__(self, parameters: QueryDict, today: date, user: Any = None) -> None:
        self.address = Address.read(parameters)
        self.unknown = unknown_names(parameters)
        self.today = today
        self.user = user
        self.publications = dict(Publication.objects.values_list("slug", "name"))
        self.subcorpus: Subcorpus | None = None
        super().__init__(_values(self.address))
        self.fields = _fields(self.publications)

    def clean_from(self) -> date | None:
        return self._day("from")

    def clean_to(self) -> date | None:
        return self._day("to")

    def _day(self, name: str) -> date | None:
        text: str = self.cleaned_data[name]
        if not text:
            return None
        try:
            return (first_day if name == "from" else last_day)(text, self.today)
        except PeriodError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_sort(self) -> str:
        text: str = self.cleaned_data["sort"]
        keys = text.split(",")
        if len(keys) > 3 or not all(_SORT_KEY.fullmatch(key) for key in keys):
            raise forms.ValidationError(
                f"“{text}” is no order. Up to three of new, old, pub, node, l1 to l3, r1 to r3."
            )
        return text

    def clean_hit(self) -> str:
        text: str = self.cleaned_data["hit"]
        if text and not _HIT.fullmatch(text):
            raise forms.ValidationError(f"“{text}” names no hit.")
        return text

    def clean_sub(self) -> str:
        slug: str = self.cleaned_data["sub"]
        if not slug:
            return slug
        mine = Q(is_shared=True)
        if self.user is not None and self.user.is_authenticated:
            mine |= Q(owner=self.user)
        self.subcorpus = Subcorpus.objects.filter(mine, slug=slug).first()
        if self.subcorpus is None:
            raise forms.ValidationError(f"There is no subcorpus “{slug}” that you may use.")
        return slug

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        start, end = values.get("from"), values.get("to")
        if start and end and end < start:
            self.add_error("to", "The end lies before the beginning.")
        return values

    @property
    def has_query(self) -> bool:
        return bool(self.address.get("q"))

    @property
    def can_run(self) -> bool:
        """Whether nothing is wrong with what the answer rests on."""
        return not set(self.errors) - _OF_DISPLAY

    def value(self, name: str) -> Any:
        """Give a checked value, or the default where it was wrong."""
        self.is_valid()
        if name in self.cleaned_data:
            return self.cleaned_data[name]
        return self.fields[name].clean(DEFAULTS[name])

    def like(self, address: Address) -> "QueryForm":
        """Make a form of the same reader and day for another address."""
        return QueryForm(QueryDict(str(address)), self.today, self.user)

    def filters(self) -> dict[str, Any]:
        """Give the checked filters, the subcorpus' own under those of the address."""
        self.is_valid()
        names = ("in", "pub", "lang", "from", "to", "copies")
        values = {name: self.value(name) for name in names}
        if self.subcorpus is None:
            return values
        given = {name for name, _ in self.address.pairs}
        kept = self.like(Address.parse(self.subcorpus.filters))
        return values | {
            name: kept.value(name) for name in names if name not in given and kept.can_run
        }


def _values(address: Address) -> Mapping[str, Any]:
    """Give Django's form its data: one value a name, lists where a name may repeat."""
    return {
        name: address.values(name) if name in REPEATABLE else address.get(name) for name in DEFAULTS
    }


def _fields(publications: Mapping[str, str]) -> dict[str, forms.Field]:
    """Make the fields; some names of the address are keywords of Python's."""
    slugs = [(f"{sign}{slug}", name) for slug, name in publications.items() for sign in ("", "-")]
    return {
        "q": forms.CharField(max_length=MAX_QUERY, required=False),
        "ql": _choice(LANGUAGES, "is no query language: simple or cql."),
        "in": _choice(SCOPES, "is no kind of text: articles, comments or both."),
        "case": forms.BooleanField(required=False),
        "sub": forms.SlugField(required=False),
        "pub": _choices(slugs, "is no publication's short name."),
        "lang": _choices(list(NAMES.items()), "is no language that is told apart here."),
        "from": forms.CharField(required=False),
        "to": forms.CharField(required=False),
        "copies": _choice(COPIES, "is no way to count copies: once, all or originals."),
        "sort": forms.CharField(required=False),
        "view": _choice(VIEWS, "is no view: kwic or sentence."),
        "ctx": forms.IntegerField(min_value=1, max_value=MAX_CONTEXT),
        "n": forms.IntegerField(min_value=1, max_value=MAX_LINES),
        "after": forms.CharField(max_length=200, required=False),
        "hit": forms.CharField(required=False),
        "asof": forms.IntegerField(min_value=1, max_value=2**62, required=False),
    }


def _choice(choices: tuple[tuple[str, str], ...], wrong: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=choices, error_messages={"invalid_choice": f"“%(value)s” {wrong}"}
    )


def _choices(choices: list[tuple[str, str]], wrong: str) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=choices, required=False, error_messages={"invalid_choice": f"“%(value)s” {wrong}"}
    )
