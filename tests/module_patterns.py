"""All patterns that the product compiles when it is imported, with how they are used."""

import ast
import dataclasses
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

PACKAGES = ("presentation", "feeds", "extraction", "dedup", "search", "corpus_site")
ROOT = Path(__file__).parent.parent
_ANCHORED = frozenset({"match", "fullmatch"})
_METHODS = _ANCHORED | {"search", "finditer", "findall", "sub", "subn", "split"}
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class ModulePattern:
    """A pattern under its name; `method` is the dearest by which the code asks it."""

    name: str
    pattern: re.Pattern[Any]
    method: str


def product_modules() -> list[ModuleType]:
    """Import all modules of the product; programs (`__main__`) run when they are imported."""
    names = [
        found.name
        for package in PACKAGES
        for found in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        if not found.name.endswith("__main__") and ".migrations." not in found.name
    ]
    return [importlib.import_module(name) for name in names]


def module_patterns() -> list[ModulePattern]:
    """Each pattern of `re` once, found in globals, classes and tables of all modules."""
    found: dict[re.Pattern[Any], ModulePattern] = {}
    for module in product_modules():
        for name, value in vars(module).items():
            if not name.startswith("__"):
                for pattern, method in _patterns_in(value, set(), _MAX_DEPTH):
                    known = method or _method_of(name)
                    found.setdefault(
                        pattern, ModulePattern(f"{module.__name__}.{name}", pattern, known)
                    )
    return list(found.values())


def _patterns_in(value: Any, seen: set[int], depth: int) -> Iterator[tuple[re.Pattern[Any], str]]:
    if isinstance(value, re.Pattern):
        yield value, ""
    owner = getattr(value, "__self__", None)
    if isinstance(owner, re.Pattern):
        yield owner, value.__name__
    if depth and id(value) not in seen:
        seen.add(id(value))
        for inner in _members(value):
            yield from _patterns_in(inner, seen, depth - 1)


def _members(value: Any) -> list[Any]:
    """What a table, a class or an object of ours holds."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if isinstance(value, type | FunctionType):
        is_ours = value.__module__.partition(".")[0] in PACKAGES
        return list(vars(value).values()) if is_ours and isinstance(value, type) else []
    if type(value).__module__.partition(".")[0] not in PACKAGES:
        return []
    if dataclasses.is_dataclass(value):
        return [getattr(value, field.name, None) for field in dataclasses.fields(value)]
    return list(getattr(value, "__dict__", {}).values())


def _method_of(name: str) -> str:
    """How a global of that name is used anywhere; a search where it cannot be told."""
    used = _methods_by_name().get(name, set())
    if used and used <= _ANCHORED:
        return "fullmatch" if used == {"fullmatch"} else "match"
    return "finditer"


@cache
def _methods_by_name() -> dict[str, set[str]]:
    """Methods that are called, or handed on, of each name in the product's sources."""
    used: dict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for name, method in _uses(ast.parse(path.read_text(encoding="utf-8"))):
                used[name].add(method)
    return used


def _uses(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Uses of upper-case names: a method of a pattern, or "other" where it goes elsewhere."""
    owned: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owned.add(id(node.value))
            if node.attr in _METHODS:
                yield node.value.id, node.attr
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or id(node) in owned:
            continue
        if isinstance(node.ctx, ast.Load) and node.id.isupper():
            yield node.id, "other"
