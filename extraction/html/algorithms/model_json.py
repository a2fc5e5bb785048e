"""Models of the algorithms as small JSON files; numbers are rounded, so that a diff can be read."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# Behind the point: the weights of a model file do not depend on the machine beyond them.
DIGITS = 6


def rounded(values: Iterable[float]) -> list[float]:
    """Round numbers to `DIGITS` digits behind the point."""
    return [round(float(value), DIGITS) for value in values]


def write_model(path: Path, model: Mapping[str, Any]) -> None:
    """Write a model, a value a line."""
    path.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")


def read_model(path: Path) -> dict[str, Any]:
    """Read a model file.

    Raises
    ------
    OSError, ValueError
        When the file is missing or is no JSON.
    """
    model: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return model
