"""Checked reading of a JSON object: each key once asked for, with its type and limits.

Input → output: the text of a line → ``Fields``; keys that nobody asked for are refused at the end.
"""

import datetime as dt
import json
import math
from typing import Any

from search.engine.workbench.errors import RequestError

MAX_REQUEST_BYTES = 1 << 20  # fifty times the longest query
LARGEST_WHOLE = 1 << 53  # what JSON numbers hold exactly everywhere


def fields_of_line(line: bytes) -> "Fields":
    """Read a line that holds one JSON object.

    Raises
    ------
    RequestError
        With the place, if it is none.
    """
    if len(line) > MAX_REQUEST_BYTES:
        raise RequestError(f"The line is longer than {MAX_REQUEST_BYTES} bytes.")
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        message = f"The line is not UTF-8: byte 0x{line[error.start]:02x}."
        raise RequestError(message, error.start) from None
    except json.JSONDecodeError as error:
        raise RequestError(f"The line is not JSON: {error.msg}.", error.pos) from None
    except (RecursionError, ValueError):
        raise RequestError("The line is not JSON that can be read: too deep or too long.") from None
    if not isinstance(value, dict):
        raise RequestError("The line is no JSON object ({…}).")
    return Fields(value)


class Fields:
    """The keys of an object; each method reads one of them and remembers that it is known."""

    def __init__(self, values: dict[str, Any], inside: str = "") -> None:
        self._values = values
        self._inside = inside
        self._known: set[str] = set()

    def has(self, name: str) -> bool:
        """Say whether a key is there and not null."""
        self._known.add(name)
        return self._values.get(name) is not None

    def is_object(self, name: str) -> bool:
        """Say whether a key holds an object."""
        self._known.add(name)
        return isinstance(self._values.get(name), dict)

    def is_number(self, name: str) -> bool:
        """Say whether a key holds a number."""
        self._known.add(name)
        return isinstance(self._values.get(name), int | float)

    def text(self, name: str, default: str = "") -> str:
        """Read a string."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, "a string")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Read a string or a list of strings; none if the key is not there."""
        value = self._value(name, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
            raise self._wrong(name, "a string or a list of strings")
        return tuple(listed)

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """Read one of some words."""
        value = self.text(name, default)
        if value not in choices:
            raise self._wrong(name, f"one of {', '.join(filter(None, choices))}")
        return value

    def choices(self, name: str, choices: tuple[str, ...], default: str) -> tuple[str, ...]:
        """Read one or several of some words, each once."""
        values = self.texts(name) or (default,)
        if not set(values) <= set(choices):
            raise self._wrong(name, f"one or a list of {', '.join(choices)}")
        return tuple(dict.fromkeys(values))

    def whole(self, name: str, default: int, least: int = 0, most: int = LARGEST_WHOLE) -> int:
        """Read a whole number within limits, both inclusive."""
        value = self._value(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._wrong(name, f"a whole number from {least} to {most}")
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Read true or false."""
        value = self._value(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def day(self, name: str) -> dt.date | None:
        """Read a day, ``2026-11-20``."""
        try:
            return dt.date.fromisoformat(self.text(name)) if self.has(name) else None
        except ValueError:
            raise self._wrong(name, "a date like 2026-11-20") from None

    def inner(self, name: str) -> "Fields":
        """Read an object; an empty one if the key is not there."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, "an object")
        return Fields(value, f"{self._inside}{name}.")

    def scalar(self, name: str) -> str | int | float | None:
        """Read a string or number."""
        value = self._value(name, None)
        if isinstance(value, float) and not math.isfinite(value):
            raise self._wrong(name, "a string or a number")
        if value is not None and not isinstance(value, str | int | float):
            raise self._wrong(name, "a string or a number")
        return value

    def finish(self) -> None:
        """Refuse keys that nobody has asked for."""
        unknown = sorted(set(self._values) - self._known)
        if unknown:
            known = ", ".join(sorted(self._known))
            message = f"There is no key “{self._inside}{unknown[0]}”; known are {known}."
            raise RequestError(message)

    def _value(self, name: str, default: Any) -> Any:
        return self._values[name] if self.has(name) else default

    def _wrong(self, name: str, wanted: str) -> RequestError:
        return RequestError(f"“{self._inside}{name}” is not {wanted}.")
