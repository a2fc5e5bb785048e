"""How our programs start one another: in a checkout and installed alike, from any folder."""

import os
import sys
from collections.abc import Sequence


def own_program(module: str, *arguments: str) -> list[str]:
    """Return the command that runs one of our modules; start it with `own_environment`.

    -P: what lies in the folder somebody stands in is no module of the program.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def own_command(*arguments: str) -> list[str]:
    """Return the command that runs one of Broadsheet's commands."""
    return own_program("corpus_site", *arguments)


def own_environment() -> dict[str, str]:
    """Return this process's environment, with the folders it finds its modules in."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(_folders(sys.path))}


def _folders(path: Sequence[str]) -> list[str]:
    return [folder for folder in path if folder]
