"""The examples in the documentation of functions say what the functions do."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "search").rglob("*.py"))
    if "    >>> " in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_hold(name):
    result = doctest.testmod(import_module(name))

    assert (result.failed, result.attempted > 0) == (0, True)
