"""The client for Python: how it asks (`asking`), and a method for each question of the API.

Input → output: the description of the API (OpenAPI) → the source of one module.
"""

import inspect
from collections.abc import Iterable
from keyword import iskeyword
from textwrap import fill
from typing import Any

from corpus_site.api.clients import asking
from corpus_site.api.clients.questions import Question, questions, what_it_takes

_WIDTH = 96  # of docstrings


def python_client(document: dict[str, Any]) -> str:
    """Write the module of a description.

    Parameters
    ----------
    document : dict
        OpenAPI, as `corpus_site.api.openapi.document` makes it.
    """
    info, site = document["info"], document["servers"][0]["url"]
    head = f'''

class Corpus({asking.Asking.__name__}):
    """The corpus of {site}, version {info["version"]} of its API.

    Names that Python has for itself end in an underscore: ``in_``, ``from_``.
    """

    def __init__(
        self, site: str = {site!r}, token: str = "", patience: float = PATIENCE_SECONDS
    ) -> None:
        super().__init__(site, token, patience)
'''
    return inspect.getsource(asking) + head + "".join(map(_methods, questions(document)))


def _methods(question: Question) -> str:
    """Write the method of a question, and the one that turns its pages."""
    place = question.path
    for one in question.given:
        place = place.replace("{" + one["name"] + "}", "{_quoted(" + _name(one) + ")}")
    table = ['table: str = ""'] if question.has_tables else []
    answer, ask = ("bytes", "file") if question.is_file else ("Rows", "rows")
    text = f'''
    def {question.name}({_signature(question, question.named, table)}) -> {answer}:
        """{_help(question)}
        """
        return self.{ask}(f"{place}", {_pairs(question.asked)}{", table" if table else ""})
'''
    into = question.turned_by
    if not into:
        return text
    named = [one for one in question.named if one["name"] != into]
    asked = [one for one in question.asked if one["name"] != into]
    return f'''{text}
    def all_{question.name}({_signature(question, named)}) -> Iterator[Rows]:
        """Give {question.summary[0].lower()}{question.summary[1:]}, page after page."""
        return self.pages(f"{place}", {_pairs(asked)}, into="{into}")
'''


def _signature(
    question: Question, named: Iterable[dict[str, Any]], others: Iterable[str] = ()
) -> str:
    by_name = [*(f"{_name(one)}: Value = None" for one in named), *others]
    given = [f"{_name(one)}: Value" for one in question.given]
    return ", ".join(["self", *given, *(["*", *by_name] if by_name else [])])


def _pairs(parameters: Iterable[dict[str, Any]]) -> str:
    return "{" + ", ".join(f'"{one["name"]}": {_name(one)}' for one in parameters) + "}"


def _name(parameter: dict[str, Any]) -> str:
    name: str = parameter["name"].replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def _help(question: Question) -> str:
    lines = [f"{question.summary}."]
    if question.parameters:
        lines += ["", "        Parameters", "        ----------"]
    for one in question.parameters:
        lines.append(f"        {_name(one)}")
        indent = " " * 12
        words = what_it_takes(one)
        lines.append(fill(words, _WIDTH, initial_indent=indent, subsequent_indent=indent))
    return "\n".join(line.replace("\\", "\\\\").replace('"""', "'''") for line in lines)
