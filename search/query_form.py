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
from presentation.wording.figures import grouped
from search.addresses import DEFAULTS, FILTERS, REPEATABLE, Address, unknown_names
from search.engine.concordance.sort_keys import SortKeyError, parse_keys, write_keys
from search.engine.query.errors import QueryError
from search.engine.statistics.slices import parse_slice
from search.hit_filters import near_condition
from search.models import Subcorpus
from search.opened_index import current_snapshot
from search.sort_fields import MAX_KEYS
from search.wording.periods import PeriodError, first_day, last_day

LANGUAGES = (("simple", "Simple"), ("cql", "CQL"))
SCOPES = (("articles", "Articles"), ("comments", "Comments"), ("both", "Both"))
COPIES = (
    ("once", "count copies once"),
    ("all", "count every copy"),
    ("originals", "originals only"),
)
STORIES = (("all", "count every article"), ("once", "count each story once"))
OVERLAPS = (("all", "a line each"), ("join", "in one line"))
ONE_EACH = (("", "all hits"), ("text", "the first hit"), ("random", "a random hit"))
SORTS = (
    ("new", "newest first"),
    ("old", "oldest first"),
    ("r1,r2,r3", "1R 2R 3R"),
    ("l1,l2,l3", "1L 2L 3L"),
    ("node,r1", "node, then 1R"),
    ("pub", "publication"),
    ("random", "random"),
    ("good", "good examples"),
)
VIEWS = (("kwic", "KWIC"), ("sentence", "Sentence"), ("wide", "Wide"))
CONTEXTS = (6, 12, 20, 30)
LINES = (25, 50, 100, 200)
# Bounds of what an address may ask for (screens.md, section 2); what is beyond is named.
MAX_CONTEXT = 50
MAX_LINES = 200
MAX_QUERY = 20_000
MAX_NAME = 200
MAX_SAMPLE = 100_000
MAX_REACH = 50
MOST_GENERATIONS = 10**9
# Wrong values of these do not stop a search.
_OF_DISPLAY = frozenset({"sort", "sample", "seed", "view", "ctx", "n", "after", "hit"})
_REACH = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")
_SHARE = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,3})?)%")
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
        try:
            keys = parse_keys(text)
        except SortKeyError:
            keys = ()
        if not 0 < len(keys) <= MAX_KEYS:
            raise forms.ValidationError(
                f"“{text}” is no order. Up to three of new, old, pub, node, l1 to l5, r1 to r5."
            )
        return write_keys(keys)

    def clean_near(self) -> str:
        return self._near("near")

    def clean_notnear(self) -> str:
        return self._near("notnear")

    def _near(self, name: str) -> str:
        text: str = self.cleaned_data[name]
        try:
            near_condition(text)
        except QueryError as error:
            raise forms.ValidationError(f"“{text}” cannot be looked for. {error.message}") from None
        return text

    def clean_reach(self) -> tuple[int, int]:
        text: str = self.cleaned_data["reach"]
        found = _REACH.fullmatch(text.replace(" ", ""))
        sides = (int(found[1]), int(found[2])) if found else (0, 0)
        if not any(sides) or max(sides) > MAX_REACH:
            raise forms.ValidationError(
                f"“{text}” is no reach. Write tokens left and right of the node: 5,5."
            )
        return sides

    def clean_sample(self) -> int | float | None:
        """Give a number of lines, or a share of all as a float."""
        text: str = self.cleaned_data["sample"]
        if not text:
            return None
        share = _SHARE.fullmatch(text)
        if share and float(share[1]) > 0:
            return float(share[1])
        if text.isascii() and text.isdigit() and 1 <= int(text[:7]) <= MAX_SAMPLE:
            return int(text)
        raise forms.ValidationError(
            f"“{text}” is no sample. Write a number of lines up to 100,000, or a share such as 10%."
        )

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

    def clean_asof(self) -> int | None:
        number: int | None = self.cleaned_data["asof"]
        if number is not None and number > (newest := current_snapshot().generation):
            raise forms.ValidationError(
                f"There is no generation {grouped(number)} yet; the newest is {grouped(newest)}."
            )
        return number

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
        names = tuple(name for name in FILTERS if name != "sub")
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
        "sec": _Texts(required=False),
        "author": _Texts(required=False),
        "lang": _choices(list(NAMES.items()), "is no language that is told apart here."),
        "from": forms.CharField(required=False),
        "to": forms.CharField(required=False),
        "copies": _choice(COPIES, "is no way to count copies: once, all or originals."),
        "stories": _choice(STORIES, "is no way to count stories: once or all."),
        "since": _whole(0, MOST_GENERATIONS, required=False),
        "only": _Slices(required=False),
        "near": forms.CharField(max_length=MAX_NAME, required=False),
        "notnear": forms.CharField(max_length=MAX_NAME, required=False),
        "reach": forms.CharField(max_length=20, required=False),
        "overlap": _choice(OVERLAPS, "is nothing to do with hits that overlap: all or join."),
        "one": _choice(ONE_EACH, "is no choice of hits: text or random.", required=False),
        "sort": forms.CharField(max_length=MAX_NAME, required=False),
        "sample": forms.CharField(max_length=20, required=False),
        "seed": _whole(0, 2**31 - 1),
        "view": _choice(VIEWS, "is no view: kwic, sentence or wide."),
        "ctx": _whole(1, MAX_CONTEXT),
        "n": _whole(1, MAX_LINES),
        "after": forms.CharField(max_length=200, required=False),
        "hit": forms.CharField(required=False),
        "asof": _whole(1, MOST_GENERATIONS, required=False),
    }


class _Texts(forms.Field):
    """Any texts, each short."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> list[str]:
        texts = [str(text) for text in value or ()]
        if any(len(text) > MAX_NAME for text in texts):
            raise forms.ValidationError(f"More than {MAX_NAME} characters.")
        return texts


class _Slices(_Texts):
    """Slices of the corpus."""

    def to_python(self, value: Any) -> list[str]:
        texts = super().to_python(value)
        try:
            return [str(parse_slice(text)) for text in texts]
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


def _whole(low: int, high: int, *, required: bool = True) -> forms.IntegerField:
    """Take a whole number between two others; one message says what may be written."""
    words = f"Write a whole number from {low} to {grouped(high)}."
    return forms.IntegerField(
        required=required,
        min_value=low,
        max_value=high,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), words),
    )


def _choice(
    choices: tuple[tuple[str, str], ...], wrong: str, *, required: bool = True
) -> forms.ChoiceField:
    return forms.ChoiceField(
        required=required,
        choices=choices,
        error_messages={"invalid_choice": f"“%(value)s” {wrong}"},
    )


def _choices(choices: list[tuple[str, str]], wrong: str) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=choices, required=False, error_messages={"invalid_choice": f"“%(value)s” {wrong}"}
    )
