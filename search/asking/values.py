"""Kinds of parameters: how the text of an address becomes a checked value.

A parameter is one entry of a table: `search.asking.parameters` has those of every search, each
statistic page has its own beside them. From an entry the control, the check, the chip, the part of
the request, the words for the base and the API's description are made.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date
from difflib import get_close_matches
from enum import Enum, auto
from typing import Any, ClassVar
from unicodedata import normalize

from django.db.models import Q, QuerySet
from propcache.api import cached_property

from feeds.sources.collections import collection_slugs
from feeds.sources.naming import names_and_removed
from feeds.sources.tags import publications_by_tag
from search.models import Subcorpus

PublicationNames = dict[str, str]
Schema = dict[str, Any]
MAX_NAME = 200
_QUOTED = 40  # characters of a wrong number or switch that its sentence repeats
_NAMES_OFFERED = 3  # of publications whose name holds what was typed
_POINT_ZERO = re.compile(r"\.0*\s*$")  # as spreadsheets write whole numbers


# Options that are read in a sentence; of more the nearest are said, the help lists all.
_MOST_LISTED = 24
_NEAR_VALUES = 5
_LONGEST_NEAR = 60  # characters; comparing takes the square of them


class WrongValueError(Exception):
    """A parameter's value is wrong; raised by its check, shown at its control with status 400."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


def as_stored(text: str) -> str:
    r"""Bring what somebody typed into the form of the texts: accents on their letters (NFC).

    Text from a PDF or a Mac has them behind their letters.

    Examples
    --------
    >>> as_stored(" fu\u0308r ") == "f\u00fcr"
    True
    """
    return normalize("NFC", text.strip())


@dataclass(frozen=True)
class Reader:
    """Who asks and when: some values are right for one reader or day and wrong for another."""

    today: date
    user: Any = None

    @cached_property
    def _publications(self) -> tuple[dict[str, str], frozenset[str]]:
        return names_and_removed()

    @property
    def publications(self) -> dict[str, str]:
        """Names of all publications by their short names."""
        return self._publications[0]

    @property
    def removed_publications(self) -> frozenset[str]:
        """Short names of those that were removed, with their texts: no list offers them."""
        return self._publications[1]

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {name.casefold(): slug for slug, name in self.publications.items()}

    def publication_named(self, text: str) -> str:
        """Give the short name of a publication by its short name or its name; else the text."""
        return text if text in self.publications else self._by_name.get(text.casefold(), text)

    def publications_with(self, text: str) -> list[str]:
        """Names of the publications that hold a part that was typed, in their order; some few."""
        part = text.casefold().strip()
        names = (
            name
            for slug, name in self.publications.items()
            if slug not in self.removed_publications and part in name.casefold()
        )
        return sorted(names)[:_NAMES_OFFERED] if part else []

    @cached_property
    def tags(self) -> dict[str, tuple[str, ...]]:
        """Short names of the publications by each of their tags, in the order of the tags."""
        return publications_by_tag()

    @cached_property
    def collections(self) -> frozenset[str]:
        """Short names of the publications whose texts somebody gave."""
        return collection_slugs()

    @property
    def subcorpora(self) -> QuerySet[Subcorpus]:
        """Own and shared subcorpora; only shared ones for readers without an account."""
        mine = Q(is_shared=True)
        if self.user is not None and self.user.is_authenticated:
            mine |= Q(owner=self.user)
        return (
            Subcorpus.objects.filter(mine).select_related("owner", "pinned").defer("pinned__body")
        )


class ParameterGroup(Enum):
    """What a parameter changes: it decides which addresses keep it."""

    QUERY = auto()
    FILTER = auto()  # which texts are searched
    HITS = auto()  # which hits of these texts count
    DISPLAY = auto()  # how a concordance shows them
    GENERATION = auto()
    PAGE = auto()  # what one statistic page alone reads


@dataclass(frozen=True, slots=True)
class Parameter:
    """What all parameters have.

    Parameters
    ----------
    name : str
        In addresses.
    label : str
        At its control, its chip and its mistakes.
    help : str
        What it does, for who points at the control and for the API.
    group : ParameterGroup
        Which addresses keep it, and which part of the request it sets.
    field : str
        Of `DocumentFilter` or `HitFilter`, for those of these groups: what the value becomes.
    in_base : function or None
        From the value and the names of publications to words of “which texts”, with what stands
        before them; for filters.
    has_chip : bool
        Whether a filter in force is shown as a chip.
    says_limits : bool
        Whether the API's description tells bounds and lengths.
    """

    name: str
    label: str
    _: KW_ONLY
    help: str = ""
    group: ParameterGroup = ParameterGroup.PAGE
    field: str = ""
    in_base: Callable[[Any, PublicationNames], str] | None = None
    has_chip: bool = True
    says_limits: bool = True

    control: ClassVar[str]
    is_many: ClassVar[bool] = False

    @property
    def default(self) -> str:
        """Text that addresses leave out."""
        return ""

    def written(self, texts: Sequence[str]) -> list[str]:
        """Return what an address keeps of the texts given for this parameter, none empty."""
        return list(texts[-1:])

    def value_of(self, texts: Sequence[str], reader: Reader) -> Any:
        """Check what an address has of this parameter.

        Raises
        ------
        WrongValueError
        """
        return self.read(texts[-1] if texts else self.default, reader)

    def read(self, text: str, reader: Reader) -> Any:
        """Check one text, raising as `value_of` does."""
        raise NotImplementedError

    def fields_of(self, value: Any) -> dict[str, Any]:
        """Return the fields of the engine's filter that a value sets."""
        return {self.field: value} if self.field else {}

    def chip_words(self, text: str, _names: PublicationNames) -> str:
        """Say the text of an address in a chip."""
        return text

    @property
    def schema(self) -> Schema:
        """What may be written, as JSON Schema."""
        return {"type": "string"} | ({"default": self.default} if self.default else {})


@dataclass(frozen=True, slots=True)
class OneOf(Parameter):
    """One of a few values; the first is the default.

    `options` are pairs of value and label, `wrong` is what a sentence says behind another value,
    `make` turns the value into what the engine takes.
    """

    options: Sequence[tuple[str, str]]
    wrong: str = ""
    make: Callable[[str], Any] = str

    control = "choice"

    @property
    def default(self) -> str:
        return self.options[0][0]

    def read(self, text: str, _reader: Reader) -> Any:
        if text not in dict(self.options):
            said = self.wrong or f"is not among{self._known_like(text)}."
            raise WrongValueError(self.name, f"“{text}” {said}")
        return self.make(text)

    def _known_like(self, text: str) -> str:
        """List the values, or of many those that are spelled or named nearly like this one."""
        if len(self.options) <= _MOST_LISTED:
            return f": {', '.join(value or 'nothing' for value, _ in self.options)}"
        named = {words.lower(): value for value, words in self.options} | {
            value: value for value, _ in self.options
        }
        near = get_close_matches(text.lower()[:_LONGEST_NEAR], named, _NEAR_VALUES)
        found = dict.fromkeys(named[words] for words in near)
        first = [value for value, _ in self.options][:_MOST_LISTED]
        like = f"; like it are: {', '.join(found)}" if found else f": {', '.join(first)} …"
        return f" the {len(self.options)} values{like}"

    def chip_words(self, text: str, _names: PublicationNames) -> str:
        return dict(self.options).get(text, text)

    @property
    def schema(self) -> Schema:
        default = {"default": self.default} if self.default else {}
        return {"type": "string", "enum": [value for value, _ in self.options]} | default


@dataclass(frozen=True, slots=True)
class WholeNumber(Parameter):
    """A whole number between two bounds; None where `start` is None and nothing is written."""

    start: int | None
    low: int = 0
    high: int = 1_000_000_000
    wrong: str = "“{text}” is not a whole number from {low} to {high}."

    control = "number"

    @property
    def default(self) -> str:
        return "" if self.start is None else str(self.start)

    def read(self, text: str, _reader: Reader) -> int | None:
        if not text and self.start is None:
            return None
        try:
            number = int(_POINT_ZERO.sub("", text)) if text.isascii() else None
        except ValueError:
            number = None
        if number is None or not self.low <= number <= self.high:
            words = self.wrong.format(text=text[:_QUOTED], low=self.low, high=self.high)
            raise WrongValueError(self.name, words)
        return number

    @property
    def schema(self) -> Schema:
        schema: Schema = {"type": "integer"}
        if self.says_limits:
            schema |= {"minimum": self.low, "maximum": self.high}
        return schema | ({} if self.start is None else {"default": self.start})


@dataclass(frozen=True, slots=True)
class FreeText(Parameter):
    """Free text; `check` turns it into a value or raises ValueError with a sentence."""

    start: str = ""
    most_chars: int = 2_000
    check: Callable[[str], Any] = str
    placeholder: str = ""
    too_long: str = "More than {most} characters."

    control = "text"

    @property
    def default(self) -> str:
        return self.start

    def read(self, text: str, reader: Reader) -> Any:
        if len(text) > self.most_chars:
            words = self.too_long.format(most=self.most_chars, n=len(text))
            raise WrongValueError(self.name, words)
        if "\x00" in text:
            raise WrongValueError(self.name, "Null characters are not allowed.")
        try:
            return self.checked(text, reader)
        except ValueError as error:
            raise WrongValueError(self.name, str(error)) from None

    def checked(self, text: str, _reader: Reader) -> Any:
        """Turn a text of fitting length into a value, raising ValueError as `check` does."""
        return self.check(text)

    @property
    def schema(self) -> Schema:
        limit = {"maxLength": self.most_chars} if self.says_limits else {}
        return {"type": "string"} | limit | ({"default": self.default} if self.default else {})


@dataclass(frozen=True, slots=True)
class OnePublication(FreeText):
    """A publication by its name or short name; a minus before it means all others."""

    placeholder: str = "publication"

    control = "publication"

    def checked(self, text: str, reader: Reader) -> str:
        sign = "-" if text.startswith("-") else ""
        slug = reader.publication_named(text.removeprefix(sign))
        if text and slug not in reader.publications:
            raise ValueError(f"No publication has the name or short name “{text}”.")
        return sign + slug

    def chip_words(self, text: str, publications: PublicationNames) -> str:
        return one_publication_words(text, publications)


@dataclass(frozen=True, slots=True)
class Switch(Parameter):
    """Off, or on with the value 1; any value but “false” is on where it `takes_all`."""

    takes_all: bool = False

    control = "switch"

    def read(self, text: str, _reader: Reader) -> bool:
        if self.takes_all:
            return text.lower() not in ("", "false")
        if text not in ("", "1"):
            words = f"“{text[:_QUOTED]}” is neither 1 nor left out."
            raise WrongValueError(self.name, words)
        return text == "1"

    @property
    def schema(self) -> Schema:
        return {"type": "string", "enum": ["1"]}


@dataclass(frozen=True, slots=True)
class Many(Parameter):
    """Any number of texts; each is read alone, and the values are those of all."""

    check: Callable[[str], Any] = str

    control = "many"
    is_many = True

    def written(self, texts: Sequence[str]) -> list[str]:
        return sorted(set(texts))

    def value_of(self, texts: Sequence[str], reader: Reader) -> tuple[Any, ...]:
        if any(len(text) > MAX_NAME for text in texts):
            raise WrongValueError(self.name, f"More than {MAX_NAME} characters.")
        return tuple(self.read(text, reader) for text in texts)

    def read(self, text: str, _reader: Reader) -> Any:
        try:
            return self.check(text)
        except ValueError as error:
            raise WrongValueError(self.name, str(error)) from None

    @property
    def schema(self) -> Schema:
        return {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True, slots=True)
class Names(Many):
    """Names of one column of the texts: those to keep, and with a minus those to leave out.

    `known` gives the names there are, None where any may be asked for; `named` turns what was typed
    into one of them; `wrong` is what a sentence says behind another one, `near` which are like it;
    `say` spells a name.
    """

    known: Callable[[Reader], Collection[str]] | None = None
    named: Callable[[Reader, str], str] = lambda _, name: name
    wrong: str = ""
    near: Callable[[Reader, str], Sequence[str]] = lambda *_: ()
    takes_minus: bool = True
    say: Callable[[str, PublicationNames], str] = lambda name, _: name

    def read(self, text: str, reader: Reader) -> str:
        sign = "-" if self.takes_minus and text.startswith("-") else ""
        name = self.named(reader, text.removeprefix(sign))
        if self.known is not None and name not in self.known(reader):
            near = self.near(reader, name)
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            raise WrongValueError(self.name, f"“{text}” {self.wrong}{meant}")
        return sign + name

    def fields_of(self, value: Any) -> dict[str, Any]:
        kept, left_out = kept_and_left_out(value)
        return {self.field: kept, f"without_{self.field}": left_out}

    def chip_words(self, text: str, publications: PublicationNames) -> str:
        if self.takes_minus and text.startswith("-"):
            return f"not {self.say(text[1:], publications)}"
        return self.say(text, publications)


def one_publication_words(slug: str, publications: PublicationNames) -> str:
    """Name a publication, or all but it: the words behind “of”."""
    name = slug.removeprefix("-")
    return f"{'all but ' if slug.startswith('-') else ''}{publications.get(name, name)}"


def kept_and_left_out(values: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell names to keep from those that a minus leaves out."""
    return (
        tuple(value for value in values if not value.startswith("-")),
        tuple(value[1:] for value in values if value.startswith("-")),
    )


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter with its text in the address, its checked value and what is wrong with it."""

    parameter: Parameter
    text: str
    value: Any
    error: str = ""

    @property
    def is_default(self) -> bool:
        """Whether the address may leave it out."""
        return self.text == self.parameter.default

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """Values and labels of a choice."""
        return self.parameter.options if isinstance(self.parameter, OneOf) else ()


def read_parameter(parameter: Parameter, text: str | None, reader: Reader) -> Given:
    """Check the text of an address, None where it has none; a wrong one gives the default."""
    written = as_stored(text or "") or parameter.default
    try:
        return Given(parameter, written, parameter.read(written, reader))
    except WrongValueError as error:
        value = parameter.read(parameter.default, reader)
        return Given(parameter, written, value, error.message)
