"""What the endpoints take, in the words of OpenAPI, made from the tables that check it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from extraction.models import ArticleKind, Measure, Subject
from extraction.text.language import NAMES
from search.articles.filters import ORIGINS, RIGHTS_CHOICES
from search.asking.parameters import PARAMETERS
from search.asking.values import Parameter, ParameterGroup, Schema
from search.engine.tables.exports import ExportFormat

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


# Those of the concordance page alone are no questions and have no help.
_SEARCH = tuple(parameter for parameter in PARAMETERS if parameter.help)


def of_search() -> tuple[ApiParameter, ...]:
    """Parameters of the concordance."""
    return (*(_of_query(parameter, ("q",)) for parameter in _SEARCH), FACETS)


def of_export() -> tuple[ApiParameter, ...]:
    """Parameters of a concordance as a file, which has all lines."""
    kept = (parameter for parameter in _SEARCH if parameter.name not in {"n", "after"})
    return (*(_of_query(parameter, ("q",)) for parameter in kept), FORMAT, IN_ASCII, SKIP, LIST)


def of_manifest() -> tuple[ApiParameter, ...]:
    """Parameters of what a concordance as a file is."""
    return tuple(one for one in of_export() if one not in (FORMAT, IN_ASCII, SKIP, LIST))


def of_statistic(own: Sequence[Parameter], needs: Sequence[str]) -> tuple[ApiParameter, ...]:
    """Parameters of a statistic: those of the query and its own; `needs` has no default."""
    names = {parameter.name for parameter in own}
    shared = (
        parameter
        for parameter in _SEARCH
        if parameter.group is not ParameterGroup.DISPLAY and parameter.name not in names
    )
    return (
        *(_of_query(parameter, needs) for parameter in shared),
        *(_of_page(parameter, needs) for parameter in own),
    )


def _of_query(parameter: Parameter, needs: Sequence[str]) -> ApiParameter:
    is_required = parameter.name in needs
    return ApiParameter(parameter.name, parameter.help, parameter.schema, is_required=is_required)


def _of_page(parameter: Parameter, needs: Sequence[str]) -> ApiParameter:
    words = f"{parameter.label}. {parameter.help}".removesuffix(". ")
    return ApiParameter(
        parameter.name, words, parameter.schema, is_required=parameter.name in needs
    )


def _enum(name: str, words: str, values: Iterable[str]) -> ApiParameter:
    return ApiParameter(name, words, {"type": "string", "enum": list(values)})


def _from_one(name: str, words: str) -> ApiParameter:
    return ApiParameter(name, words, {"type": "integer", "minimum": 1, "default": 1})


FACETS = _enum(
    "facets", "Count hits by text type, part, publication, month, form and marks too", ["1"]
)
FORMAT = _enum("format", "Kind of file", ExportFormat)
IN_ASCII = _enum("ascii", "Texts in the nearest ASCII letters", ["1"])
SKIP = ApiParameter("skip", "Lines of a file that are there already", {"type": "integer"})
LIST = ApiParameter("list", "Name of the list that a file goes on with, from its manifest")
KEY = ApiParameter("key", "Its number", {"type": "integer"}, is_in_path=True, is_required=True)
FORM = ApiParameter("form", "A word, case folded", is_in_path=True, is_required=True)
PAGE = _from_one("p", "Page of the list")
SENTENCE = _from_one("s", "First sentence")
OF_REGISTER = (
    _enum("measure", "Withdrawn, erased or held", Measure.values),
    _enum("what", "What the entry is about", Subject.values),
    ApiParameter("pub", "Short name of a publication"),
    ApiParameter("address", "An address, or a part of one"),
    _enum("open", "Those in force only", ("1",)),
)
OF_ARTICLES = (
    ApiParameter("pub", "Short name of a publication"),
    _enum("origin", "Where texts come from", ORIGINS),
    _enum("kind", "Kind of article", ArticleKind.values),
    _enum("lang", "Language", NAMES),
    _enum("rights", "What the site says of text and data mining", RIGHTS_CHOICES),
    ApiParameter("crawl", "Number of a crawl that found their pages", {"type": "integer"}),
    ApiParameter("day", "Day of publication", {"type": "string", "format": "date"}),
    _enum("copies", "Only copies of other articles", ["only"]),
    _enum("changed", "Only articles whose text has changed", ["only"]),
    ApiParameter("after", "The value of “next” in the answer before"),
)
OF_STORIES = (ApiParameter("pub", "Short name of a publication with a report"), PAGE)
OF_STORY = (KEY, ApiParameter("sentences", "Length of the summary", {"type": "integer"}))
