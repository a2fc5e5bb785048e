"""What the query form shows: each control with its value, chips of the filters, errors in words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse

from extraction.text.language import NAMES
from search import query_form
from search.addresses import HIT_FILTERS, REPEATABLE, Address
from search.articles.reading import language_name
from search.engine.query.errors import QueryError
from search.query_form import QueryForm
from search.saving import subcorpora_for
from search.sort_fields import sort_words
from search.wording.slice_words import BLOCK_WORDS, slice_words

_BLOCK_SLICES = {f"block:{value}": words for value, words in BLOCK_WORDS.items()}
_NAMES = {
    "q": "Query",
    "ql": "Language of the query",
    "in": "Texts",
    "sub": "Subcorpus",
    "pub": "Publication",
    "sec": "Section",
    "author": "Author",
    "lang": "Language",
    "from": "From",
    "to": "To",
    "copies": "Copies",
    "stories": "Stories",
    "since": "New after generation",
    "only": "Only",
    "near": "Near",
    "notnear": "Not near",
    "reach": "Reach",
    "overlap": "Overlapping hits",
    "one": "Of each text",
    "sort": "Sort",
    "sample": "Sample",
    "seed": "Seed",
    "view": "View",
    "ctx": "Context",
    "n": "Lines",
    "after": "Place in the list",
    "hit": "Hit",
    "asof": "Generation",
}
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
    """Values of the controls as they were given, and what may be chosen."""

    form: QueryForm

    languages = query_form.LANGUAGES
    scopes = query_form.SCOPES
    copies_choices = query_form.COPIES
    stories_choices = query_form.STORIES
    overlaps = query_form.OVERLAPS
    ones = query_form.ONE_EACH
    views = query_form.VIEWS

    @property
    def q(self) -> str:
        return self.form.address.get("q")

    @property
    def ql(self) -> str:
        return self.form.address.get("ql")

    @property
    def in_(self) -> str:
        return self.form.address.get("in")

    @property
    def case(self) -> str:
        return self.form.address.get("case")

    @property
    def from_(self) -> str:
        return self.form.address.get("from")

    @property
    def to(self) -> str:
        return self.form.address.get("to")

    @property
    def copies(self) -> str:
        return self.form.address.get("copies")

    @property
    def stories(self) -> str:
        return self.form.address.get("stories")

    @property
    def since(self) -> str:
        return self.form.address.get("since")

    @property
    def near(self) -> str:
        return self.form.address.get("near")

    @property
    def notnear(self) -> str:
        return self.form.address.get("notnear")

    @property
    def reach(self) -> str:
        return self.form.address.get("reach")

    @property
    def overlap(self) -> str:
        return self.form.address.get("overlap")

    @property
    def one(self) -> str:
        return self.form.address.get("one")

    @property
    def has_hit_errors(self) -> bool:
        """Whether a filter on hits is wrong: its panel stays open."""
        return bool({*HIT_FILTERS, "reach"} & set(self.form.errors))

    @property
    def sections(self) -> list[str]:
        return self.form.address.values("sec")

    @property
    def authors(self) -> list[str]:
        return self.form.address.values("author")

    @property
    def sample(self) -> str:
        return self.form.address.get("sample")

    @property
    def seed(self) -> str:
        return self.form.address.get("seed")

    @property
    def only(self) -> list[str]:
        """Slices without a control of their own."""
        return [text for text in self._slices if text not in _BLOCK_SLICES]

    @property
    def blocks(self) -> list[Option]:
        """Kinds of blocks that hits may stand in."""
        return [Option(text, words, text in self._slices) for text, words in _BLOCK_SLICES.items()]

    @property
    def _slices(self) -> list[str]:
        return self.form.address.values("only")

    @property
    def sort(self) -> str:
        return str(self.form.value("sort"))

    @property
    def view(self) -> str:
        return str(self.form.value("view"))

    @property
    def ctx(self) -> int:
        return int(self.form.value("ctx"))

    @property
    def n(self) -> int:
        return int(self.form.value("n"))

    @property
    def sorts(self) -> list[tuple[str, str]]:
        return _with_given(query_form.SORTS, self.sort)

    @property
    def contexts(self) -> list[int]:
        return sorted({*query_form.CONTEXTS, self.ctx})

    @property
    def lines(self) -> list[int]:
        return sorted({*query_form.LINES, self.n})

    @property
    def publications(self) -> list[Option]:
        """All publications, and those left out by `-slug` as they were given."""
        chosen = self.form.address.values("pub")
        options = [
            Option(slug, name, slug in chosen) for slug, name in self.form.publications.items()
        ]
        without = [slug for slug in chosen if slug.startswith("-")]
        names = self.form.publications
        return options + [
            Option(slug, f"not {names.get(slug[1:], slug[1:])}", is_chosen=True) for slug in without
        ]

    @property
    def text_languages(self) -> list[Option]:
        chosen = self.form.address.values("lang")
        return [Option(code, name, code in chosen) for code, name in NAMES.items()]

    @property
    def subcorpora(self) -> list[Option]:
        chosen = self.form.address.get("sub")
        return [
            Option(row.slug, row.name, row.slug == chosen) for row in subcorpora_for(self.form.user)
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


def chips_of(address: Address, publications: dict[str, str]) -> Iterator[Chip]:
    path = reverse("search")
    for name, value in address.filters().pairs:
        if name == "in":
            continue
        without = address.without(name, value if name in REPEATABLE else None)
        yield Chip(_NAMES[name], _words(name, value, publications), without.at(path))
    for name in HIT_FILTERS:
        if value := "".join(address.values(name)):
            words = _hit_filter_words(address, name, value)
            yield Chip(_NAMES[name], words, _without_hit_filter(address, name).at(path))


def _hit_filter_words(address: Address, name: str, value: str) -> str:
    if name in _CONTEXT_FILTERS:
        left, _, right = address.get("reach").partition(",")
        return f"{value} ({left} left, {right} right)"
    return dict(query_form.ONE_EACH if name == "one" else query_form.OVERLAPS).get(value, value)


def _without_hit_filter(address: Address, name: str) -> Address:
    """Leave out a filter on hits, and the reach with the last one that needs it."""
    others = [other for other in _CONTEXT_FILTERS if other != name and address.get(other)]
    if name in _CONTEXT_FILTERS and not others:
        return address.change(**{name: (), "reach": ()})
    return address.without(name)


def _words(name: str, value: str, publications: dict[str, str]) -> str:
    if name == "pub":
        slug = value.removeprefix("-")
        words = publications.get(slug, slug)
        return f"not {words}" if value.startswith("-") else words
    if name == "lang":
        return language_name(value)
    choices = {"copies": query_form.COPIES, "stories": query_form.STORIES}
    if name in choices:
        return dict(choices[name]).get(value, value)
    if name == "only":
        return slice_words(value, publications)
    if name in ("sec", "author") and value.startswith("-"):
        return f"not {value[1:]}"
    return value


def control_errors(form: QueryForm) -> list[ControlError]:
    return [
        ControlError(_NAMES.get(name, name), str(message), _given(form, name, str(message)))
        for name, messages in form.errors.items()
        for message in messages
    ]


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
