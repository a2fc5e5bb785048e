"""Parameters that one statistic page has beside those of the query form, with their checks.

Input → output: text of the address → checked value, or `ParameterError` with a sentence for the
reader. The names are those of screens.md, section 2 (`by win min measure norm ref` and so on).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


class ParameterError(Exception):
    """A parameter's value is wrong; raised by the page, shown at its control with status 400."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values; the first is the default. `options` are pairs of value and label."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    help: str = ""

    control = "choice"

    @property
    def default(self) -> str:
        """Value where the address has none."""
        return self.options[0][0]

    def read(self, text: str) -> str:
        """Check a value."""
        if text not in dict(self.options):
            known = ", ".join(value or "nothing" for value, _ in self.options)
            raise ParameterError(self.name, f"“{text}” is not among: {known}.")
        return text


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number between two bounds."""

    name: str
    label: str
    start: int
    low: int = 0
    high: int = 1_000_000_000
    help: str = ""

    control = "number"

    @property
    def default(self) -> str:
        """Value where the address has none."""
        return str(self.start)

    def read(self, text: str) -> int:
        """Check a value."""
        try:
            number = int(text) if text.isascii() and len(text) < 19 else None
        except ValueError:
            number = None
        if number is None or not self.low <= number <= self.high:
            wanted = f"a whole number from {self.low} to {self.high}"
            raise ParameterError(self.name, f"“{text[:40]}” is not {wanted}.")
        return number


@dataclass(frozen=True, slots=True)
class Words:
    """Free text; `check` turns it into a value or raises ValueError with a sentence."""

    name: str
    label: str
    default: str = ""
    most_chars: int = 2_000
    check: Callable[[str], Any] = str
    help: str = ""
    placeholder: str = ""

    control = "text"

    def read(self, text: str) -> Any:
        """Check a value."""
        if len(text) > self.most_chars:
            raise ParameterError(self.name, f"More than {self.most_chars} characters.")
        try:
            return self.check(text)
        except ValueError as error:
            raise ParameterError(self.name, str(error)) from None


@dataclass(frozen=True, slots=True)
class Switch:
    """Off, or on with the value 1."""

    name: str
    label: str
    help: str = ""

    control = "switch"
    default = ""

    def read(self, text: str) -> bool:
        """Check a value."""
        if text not in ("", "1"):
            raise ParameterError(self.name, f"“{text[:40]}” is neither 1 nor left out.")
        return text == "1"


Parameter = Choice | WholeNumber | Words | Switch


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
        return self.parameter.options if isinstance(self.parameter, Choice) else ()


def read_parameter(parameter: Parameter, text: str | None) -> Given:
    """Check the text of an address, None where it has none."""
    written = (text or "").strip() or parameter.default
    try:
        return Given(parameter, written, parameter.read(written))
    except ParameterError as error:
        return Given(parameter, written, parameter.read(parameter.default), error.message)
