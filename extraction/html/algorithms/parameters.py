"""Parameters of the algorithms: defaults from the sources, limits, and values as editors give them.

A mapping of names to plain values (JSON, or `name=value` texts) → the algorithm's frozen
parameters.
"""

import math
from collections.abc import Mapping
from dataclasses import Field, field, fields
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

P = TypeVar("P")
_TRUE, _FALSE = {"true", "yes", "1", "on"}, {"false", "no", "0", "off"}


class AlgorithmParameterError(ValueError):
    """Raised for an unknown name or a value outside its limits; shown to the editor as it is."""


def limited(default: float, least: float, most: float) -> Any:
    """Declare a field of a parameters' dataclass: its default and the values it may take."""
    return field(default=default, metadata={"least": least, "most": most})


def with_values(parameters: type[P], given: Mapping[str, object]) -> P:
    """Parameters with the given values, defaults elsewhere.

    Raises
    ------
    AlgorithmParameterError
        Naming the parameter and what it may be.
    """
    known: dict[str, Field[Any]] = {item.name: item for item in fields(parameters)}  # type: ignore[arg-type] # dataclasses all
    types = get_type_hints(parameters)
    for name in given:
        if name not in known:
            names = ", ".join(known) or "none"
            raise AlgorithmParameterError(f"There is no parameter “{name}”; there are: {names}.")
    values = {name: _value(known[name], types[name], value) for name, value in given.items()}
    return parameters(**values)


def _value(declared: Field[Any], kind: type, value: object) -> object:
    name = declared.name
    if issubclass(kind, StrEnum):
        if value not in set(kind):
            raise AlgorithmParameterError(f"“{name}” is one of {', '.join(kind)}.")
        return kind(str(value))
    if kind is bool:
        return _truth(name, value)
    number = _number(value)
    least, most = declared.metadata["least"], declared.metadata["most"]
    if not least <= number <= most:
        raise AlgorithmParameterError(f"“{name}” is a number from {least} to {most}.")
    if kind is not int:
        return number
    if not number.is_integer():
        raise AlgorithmParameterError(f"“{name}” is a whole number from {least} to {most}.")
    return int(number)


def _truth(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    said = str(value).strip().lower()
    if said in _TRUE | _FALSE:
        return said in _TRUE
    raise AlgorithmParameterError(f"“{name}” is true or false.")


def _number(value: object) -> float:
    """Read a number; what is none becomes NaN, which lies within no limits."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan
