"""What the query form shows: each control with its value, chips of the filters, errors in words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.timezone import localdate

from extraction.text.language_names import LANGUAGES, language_name
from feeds.models import Crawl
from presentation.wording.figures import counted
from presentation.wording.times import day
from search.asking.address import Address
from search.asking.form import QueryForm
from search.asking.indexed_values import indexed_languages, own_values, texts_by_value
from search.asking.parameters import BY_NAME, FILTERS, HIT_FILTERS, OF_HITS, SORTS
from search.asking.parts import PARTS, part_name
from search.asking.sort_fields import sort_words
from search.asking.values import Given, OneOf, PublicationNames
from search.engine.query.errors import QueryError
from search.opened_index import current_snapshot
from search.wording.slice_words import BLOCK_WORDS

_BLOCK_SLICES = {f"block:{value}": words for value, words in BLOCK_WORDS.items()}
_OF_PARTS = frozenset(f"block:{name}" for name in PARTS)  # the filter of parts offers these
# Lists that templates call by a word of their own, and whose options they are.
_OPTIONS = {
    "languages": "ql",
    "scopes": "in",
    "copies_choices": "copies",
    "stories_choices": "stories",
    "dates": "undated",
    "changes": "changed",
    "rights_choices": "rights",
    "origins": "origin",
    "overlaps": "overlap",
    "ones": "one",
    "views": "view",
    "shown": "show",
}
_LISTS = {"sections": "sec", "authors": "author", "agencies": "agency"}
# What a wrong value of these shows is the default, for the lines below are shown so.
_CHECKED = ("sort", "view", "show", "ctx", "n", "asof")
CONTEXTS = (6, 12, 20, 30)
LINES = (25, 50, 100, 200)
# A list of more publications is typed into instead of looked through.
_FEW_PUBLICATIONS = 12
_NEWEST_CRAWLS = 50  # the report of an older one leads here with its number
_CONTEXT_FILTERS = ("near", "notnear")
# Most queries are one line; a longer mirror would not help to find the mark.
_MIRROR_CHARS = 90


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in force; `without` is the address that lacks it."""

    name: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class ControlError:
    name: str
    message: str
    given: str


@dataclass(frozen=True, slots=True)
class MarkedQuery:
    """A query with the place of its mistake; `number` counts characters from 1."""

    before: str
    at: str
    after: str
    indent: str
    number: int
    message: str
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Controls:
    """Values of the controls as they were given, and what may be chosen.

    `controls.q` of a template is `controls["q"]`; `in_` and `from_` stand for Python's keywords.
    """

    form: QueryForm

    def __getitem__(self, name: str) -> Any:
        if name in _OPTIONS:
            parameter = BY_NAME[_OPTIONS[name]]
            return parameter.options if isinstance(parameter, OneOf) else ()
        if name in _LISTS:
            return self.form.address.values(_LISTS[name])
        name = name.rstrip("_")
        if name == "only" or name not in BY_NAME:
            raise KeyError(name)
        return self.form.value(name) if name in _CHECKED else self.form.address.get(name)

    @property
    def has_filter_errors(self) -> bool:
        """Whether a filter on texts is wrong: its panel stays open."""
        return bool(set(FILTERS) & set(self.form.errors))

    @property
    def has_hit_errors(self) -> bool:
        """Whether a filter on hits is wrong: its panel stays open."""
        return bool(set(OF_HITS) & set(self.form.errors))

    @property
    def only(self) -> list[str]:
        """Slices without a control of their own."""
        return [text for text in self._slices if text not in _BLOCK_SLICES]

    @property
    def parts(self) -> list[Option]:
        """Parts of the text that may be looked at alone or together."""
        chosen = self.form.address.values("part")
        return [Option(name, part_name(kind), name in chosen) for name, kind in PARTS.items()]

    @property
    def blocks(self) -> list[Option]:
        """Kinds of blocks that hits may stand in: those that are no parts, and chosen ones."""
        return [
            Option(text, words, text in self._slices)
            for text, words in _BLOCK_SLICES.items()
            if text not in _OF_PARTS or text in self._slices
        ]

    @property
    def _slices(self) -> list[str]:
        return self.form.address.values("only")

    @property
    def sorts(self) -> list[tuple[str, str]]:
        return _with_given(SORTS, self.form.value("sort"))

    @property
    def contexts(self) -> list[tuple[int, str]]:
        lengths = sorted({*CONTEXTS, self.form.value("ctx")})
        return [(length, f"{length} words") for length in lengths]

    @property
    def lines(self) -> list[int]:
        return sorted({*LINES, self.form.value("n")})

    @property
    def has_collections(self) -> bool:
        """Whether there are texts of another origin than newspapers."""
        return bool(self.form.reader.collections - self.form.reader.removed_publications)

    @property
    def has_many_publications(self) -> bool:
        """Whether there are more publications than a list box is good for."""
        return len(self.form.publications) > _FEW_PUBLICATIONS

    @property
    def chosen_publications(self) -> list[Option]:
        """The publications of the address, kept or left out."""
        return [option for option in self.publications if option.is_chosen]

    @property
    def publications(self) -> list[Option]:
        """Publications with their texts, and those left out by `-slug` as they were given.

        What was removed has no texts any more and is offered no longer, unless it is chosen.
        """
        chosen = {self.form.publication_named(text) for text in self.form.address.values("pub")}
        n_texts = texts_by_value(current_snapshot(), "publication")
        removed = self.form.reader.removed_publications - chosen
        options = [
            Option(slug, f"{name} ({counted(n_texts.get(slug, 0), 'text')})", slug in chosen)
            for slug, name in self.form.publications.items()
            if slug not in removed
        ]
        without = [slug for slug in chosen if slug.startswith("-")]
        names = self.form.publications
        return options + [
            Option(slug, f"not {names.get(slug[1:], slug[1:])}", is_chosen=True) for slug in without
        ]

    @property
    def tags(self) -> list[Option]:
        """All tags of publications, and those left out as they were given."""
        chosen = self.form.address.values("tag")
        options = [Option(name, name, name in chosen) for name in self.form.reader.tags]
        without = [name for name in chosen if name.startswith("-")]
        return options + [Option(name, f"not {name[1:]}", is_chosen=True) for name in without]

    @property
    def text_languages(self) -> list[Option]:
        chosen = self.form.address.values("lang")
        here = indexed_languages(current_snapshot())
        codes = dict.fromkeys([*here, *(code for code in chosen if code in LANGUAGES)])
        return [Option(code, language_name(code), code in chosen) for code in codes]

    @property
    def crawls(self) -> list[Option]:
        """The newest crawls, and that of the address."""
        given, rows = self.form.address.get("crawl"), Crawl.objects.order_by("-pk")
        listed = list(rows.values_list("pk", "publication__name", "created_at")[:_NEWEST_CRAWLS])
        options = [
            Option(str(pk), f"{pk}: {name}, {day(localdate(begun))}", str(pk) == given)
            for pk, name, begun in listed
        ]
        if given and not any(option.is_chosen for option in options):
            options.append(Option(given, given, is_chosen=True))
        return options

    @property
    def own_columns(self) -> list[Option]:
        """Columns of given texts with their values, and those of the address."""
        chosen = self.form.address.values("column")
        there = own_values(current_snapshot())
        options = [
            Option(text, f"{text.replace(':', ': ', 1)} ({counted(n, 'text')})", text in chosen)
            for text, n in there.items()
        ]
        return options + [
            Option(text, text.replace(":", ": ", 1), is_chosen=True)
            for text in chosen
            if text not in there
        ]

    @property
    def subcorpora(self) -> list[Option]:
        chosen = self.form.address.get("sub")
        return [
            Option(row.slug, row.name, row.slug == chosen) for row in self.form.reader.subcorpora
        ]


def _with_given(choices: Iterable[tuple[str, str]], given: str) -> list[tuple[str, str]]:
    """Add the order of the address where the list lacks it, so that the control tells the truth."""
    known = list(choices)
    if given not in dict(known):
        known.append((given, sort_words(given)))
    return known


def chips(form: QueryForm) -> list[Chip]:
    """Give the filters in force as links that take them away."""
    return list(chips_of(form.address, form.publications))


def chips_of(address: Address, publications: PublicationNames) -> Iterator[Chip]:
    path = reverse("search")
    for name, value in address.filters().pairs:
        parameter = BY_NAME[name]
        if parameter.has_chip:
            without = address.without(name, value if parameter.is_many else None)
            words = parameter.chip_words(value, publications)
            yield Chip(parameter.label, words, without.at(path))
    for name in HIT_FILTERS:
        if value := "".join(address.values(name)):
            words = BY_NAME[name].chip_words(value, publications) + _reach_words(address, name)
            yield Chip(BY_NAME[name].label, words, _without_hit_filter(address, name).at(path))


def _reach_words(address: Address, name: str) -> str:
    if name not in _CONTEXT_FILTERS:
        return ""
    left, _, right = address.get("reach").partition(",")
    return f" ({left} left, {right} right)"


def _without_hit_filter(address: Address, name: str) -> Address:
    """Leave out a filter on hits, and the reach with the last one that needs it."""
    others = [other for other in _CONTEXT_FILTERS if other != name and address.get(other)]
    if name in _CONTEXT_FILTERS and not others:
        return address.change(**{name: (), "reach": ()})
    return address.without(name)


def control_errors(form: QueryForm, own: Iterable[Given] = ()) -> list[ControlError]:
    """Say what is wrong with the values of a form, and with those of a page's own parameters."""
    of_form = [
        ControlError(BY_NAME[name].label, message, _given(form, name, message))
        for name, message in form.errors.items()
    ]
    of_page = [ControlError(given.parameter.label, given.error, "") for given in own if given.error]
    return of_form + of_page


def _given(form: QueryForm, name: str, message: str) -> str:
    """Value of a control as it was given, where the message does not quote it."""
    values = [value[:_MIRROR_CHARS] for value in form.address.values(name)]
    return "" if any(f"“{value}”" in message for value in values) else ", ".join(values)


def mark_error(text: str, error: QueryError) -> MarkedQuery:
    """Cut a query around its mistake; of a long one, what stands near it."""
    text = text.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    position = max(0, min(error.position, len(text)))
    begin = max(0, position - _MIRROR_CHARS // 2) if len(text) > _MIRROR_CHARS else 0
    before = ("…" if begin else "") + text[begin:position]
    rest = text[position + 1 : begin + _MIRROR_CHARS]
    return MarkedQuery(
        before=before,
        at=text[position : position + 1] or " ",
        after=rest + ("…" if position + 1 + len(rest) < len(text) else ""),
        indent=" " * len(before),
        number=position + 1,
        message=error.message,
        expected=error.expected,
    )
