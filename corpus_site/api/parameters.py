"""What the endpoints take, in the words of OpenAPI, made from the forms that check it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from extraction.models import ArticleKind
from extraction.text.language import NAMES
from search.addresses import DEFAULTS, FILTERS, HIT_FILTERS, REPEATABLE
from search.engine.tables.exports import ExportFormat
from search.page_parameters import Choice, Parameter, Switch, WholeNumber
from search.query_form import (
    COPIES,
    LANGUAGES,
    MAX_CONTEXT,
    MAX_LINES,
    MAX_QUERY,
    ONE_EACH,
    OVERLAPS,
    SCOPES,
    STORIES,
    VIEWS,
)

Schema = dict[str, Any]
MOST_VALUES = 12  # that the help page lists; the document has all of them


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """One parameter of an endpoint."""

    name: str
    words: str
    schema: Schema = field(default_factory=lambda: {"type": "string"})
    is_in_path: bool = False
    is_required: bool = False

    @property
    def takes(self) -> str:
        """Say what may be written, for people."""
        if self.schema["type"] == "array":
            return f"{ApiParameter('', '', self.schema['items']).takes}; several times"
        default = self.schema.get("default")
        ends = f"; else {default}" if default is not None else ""
        if "enum" in self.schema:
            values = [value for value in self.schema["enum"] if value]
            shown = ", ".join(values[:MOST_VALUES])
            return shown + (", …" if len(values) > MOST_VALUES else "") + ends
        if "maximum" in self.schema:
            return f"{self.schema['minimum']} to {self.schema['maximum']}{ends}"
        return {"integer": "a number", "string": "text"}[self.schema["type"]] + ends


_WORDS = {
    "q": "The query",
    "ql": "Language of the query",
    "in": "Kind of text",
    "case": "Match case",
    "sub": "Short name of a subcorpus",
    "pub": "Short name of a publication; -name leaves it out",
    "sec": "Section; -name leaves it out",
    "author": "Author; -name leaves it out",
    "lang": "Language of the text; -code leaves it out",
    "from": "First day: 2026-09-24, 2026-09, 2026, or 7d for the last seven days",
    "to": "Last day, written as from",
    "copies": "How texts that are the same count",
    "stories": "How reports of one event count",
    "since": "Only what came in after this generation",
    "only": "A slice of what the other filters let through, as pub:name or day:first-last",
    "near": "A word or a token in CQL that must stand near the hit",
    "notnear": "A word or a token in CQL that must not",
    "reach": "Tokens left and right that these two look at",
    "overlap": "What becomes of hits that overlap",
    "one": "Which hits of a text are kept",
    "sort": "Up to three of new, old, good, random, pub, node, l1 to l5, r1 to r5, with commas",
    "sample": "So many random hits, or a share such as 10%",
    "seed": "Of the sample: equal seeds give equal samples",
    "view": "Words around the hit, its sentence, or the sentences around too",
    "ctx": "Words on each side",
    "n": "Lines an answer",
    "after": "The value of “next” or “previous” in an answer: pages of one generation",
    "asof": "Search the corpus as it was at this generation",
}
_CHOICES = {
    "ql": LANGUAGES,
    "in": SCOPES,
    "copies": COPIES,
    "stories": STORIES,
    "overlap": OVERLAPS,
    "one": ONE_EACH,
    "view": VIEWS,
}
_BOUNDS = {"ctx": MAX_CONTEXT, "n": MAX_LINES}
_OF_HITS = ("q", "ql", "case", *FILTERS, *HIT_FILTERS, "reach", "asof")


def of_search() -> tuple[ApiParameter, ...]:
    """Parameters of the concordance."""
    return (*(_of_form(name) for name in DEFAULTS if name in _WORDS), FACETS)


def of_export() -> tuple[ApiParameter, ...]:
    """Parameters of a concordance as a file."""
    kept = (name for name in DEFAULTS if name in _WORDS and name not in {"n", "after"})
    return (*(_of_form(name) for name in kept), FORMAT)


def of_statistic(own: Sequence[Parameter], needs: Sequence[str]) -> tuple[ApiParameter, ...]:
    """Parameters of a statistic: those of the query and its own; `needs` has no default."""
    names = {parameter.name for parameter in own}
    shared = [name for name in DEFAULTS if name in _OF_HITS and name not in names]
    return (
        *(_of_form(name, is_required=name in needs) for name in shared),
        *(_of_page(parameter, is_required=parameter.name in needs) for parameter in own),
    )


def _of_form(name: str, *, is_required: bool | None = None) -> ApiParameter:
    required = name == "q" if is_required is None else is_required
    schema: Schema = {"type": "string"}
    if name in _CHOICES:
        schema["enum"] = [value for value, _ in _CHOICES[name]]
    elif name in _BOUNDS:
        schema = {"type": "integer", "minimum": 1, "maximum": _BOUNDS[name]}
    elif name in {"since", "seed", "asof"}:
        schema = {"type": "integer"}
    elif name == "case":
        schema["enum"] = ["1"]
    elif name == "q":
        schema["maxLength"] = MAX_QUERY
    if name in REPEATABLE:
        schema = {"type": "array", "items": schema}
    elif DEFAULTS[name]:
        is_number = schema["type"] == "integer"
        schema["default"] = int(DEFAULTS[name]) if is_number else DEFAULTS[name]
    return ApiParameter(name, _WORDS[name], schema, is_required=required)


def _of_page(parameter: Parameter, *, is_required: bool) -> ApiParameter:
    words = f"{parameter.label}. {parameter.help}".removesuffix(". ")
    schema: Schema = {"type": "string"}
    if isinstance(parameter, Choice):
        schema |= {"enum": [value for value, _ in parameter.options]}
    elif isinstance(parameter, WholeNumber):
        schema = {"type": "integer", "minimum": parameter.low, "maximum": parameter.high}
    elif isinstance(parameter, Switch):
        schema["enum"] = ["1"]
    else:
        schema["maxLength"] = parameter.most_chars
    if parameter.default:
        is_number = schema["type"] == "integer"
        schema["default"] = int(parameter.default) if is_number else parameter.default
    return ApiParameter(parameter.name, words, schema, is_required=is_required)


def _enum(name: str, words: str, values: Iterable[str]) -> ApiParameter:
    return ApiParameter(name, words, {"type": "string", "enum": list(values)})


def _from_one(name: str, words: str) -> ApiParameter:
    return ApiParameter(name, words, {"type": "integer", "minimum": 1, "default": 1})


FACETS = _enum("facets", "Count hits by text type, publication, month and form too", ["1"])
FORMAT = _enum("format", "Kind of file", ExportFormat)
KEY = ApiParameter("key", "Its number", {"type": "integer"}, is_in_path=True, is_required=True)
FORM = ApiParameter("form", "A word, case folded", is_in_path=True, is_required=True)
PAGE = _from_one("p", "Page of the list")
SENTENCE = _from_one("s", "First sentence")
OF_ARTICLES = (
    ApiParameter("pub", "Short name of a publication"),
    _enum("kind", "Kind of article", ArticleKind.values),
    _enum("lang", "Language", NAMES),
    ApiParameter("day", "Day of publication", {"type": "string", "format": "date"}),
    _enum("copies", "Only copies of other articles", ["only"]),
    ApiParameter("after", "The value of “next” in the answer before"),
)
OF_STORIES = (ApiParameter("pub", "Short name of a publication with a report"), PAGE)
OF_STORY = (KEY, ApiParameter("sentences", "Length of the summary", {"type": "integer"}))
