"""The client for R: how it asks (`asking.R`), and a function for each question of the API.

Input → output: the description of the API (OpenAPI) → the source of one file. Its rows are data
frames, whose attributes carry the citation.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Any

from corpus_site.api.clients.questions import Question, questions, what_it_takes

_ASKING = Path(__file__).with_name("asking.R")
_WIDTH = 96  # of comments
# Words that R has for itself (`?Reserved`) and that a parameter may be called.
_RESERVED = {"if", "else", "repeat", "while", "function", "for", "next", "break", "in"}


def r_client(document: dict[str, Any]) -> str:
    """Write the file of a description.

    Parameters
    ----------
    document : dict
        OpenAPI, as `corpus_site.api.openapi.document` makes it.
    """
    info, site = document["info"], document["servers"][0]["url"]
    functions = ",\n\n".join(text for one in questions(document) for text in _functions(one))
    return f"""{_ASKING.read_text()}
# The corpus of {site}, version {info["version"]} of its API: a list of functions.
#
# `in` and other words that R has for itself end in an underscore: in_ = "both".
broadsheet <- function(site = {_text(site)}, token = "", patience = 300) {{
  corpus <- list(site = sub("/+$", "", site), token = token, patience = patience)
  list(
{functions},

    # Save all lines of a query as a file, and its manifest beside it.
    save = function(file, q, ...) .save(corpus, file, q, ...)
  )
}}
"""


def _functions(question: Question) -> list[str]:
    """Write the function of a question, and the one that turns its pages."""
    pieces = [
        f".quoted({_name(one)})" if one["in"] == "path" else ""
        for one in question.given
        if one["in"] == "path"
    ]
    place = _place(question.path, pieces)
    table = ['table = ""'] if question.has_tables else []
    ask = ".file_of" if question.is_file else ".rows_of"
    one = (
        f"{_help(question)}\n    {question.name} = function({_arguments(question, table)}) "
        f"{ask}(corpus, {place}, {_pairs(question.asked)}{', table' if table else ''})"
    )
    into = question.turned_by
    if not into:
        return [one]
    asked = [parameter for parameter in question.asked if parameter["name"] != into]
    all_pages = (
        f"    # {question.summary}: all pages in one.\n"
        f"    all_{question.name} = function({_arguments(question, without=into)}) "
        f'.all_rows(corpus, {place}, {_pairs(asked)}, into = "{into}")'
    )
    return [one, all_pages]


def _place(path: str, pieces: list[str]) -> str:
    """Write the path: its fixed parts as texts, its places as calls."""
    fixed = [part.partition("}")[2] if n else part for n, part in enumerate(path.split("{"))]
    parts = [_text(fixed[0])]
    for piece, behind in zip(pieces, fixed[1:], strict=True):
        parts += [piece, *([_text(behind)] if behind else [])]
    return parts[0] if len(parts) == 1 else f"paste0({', '.join(parts)})"


def _arguments(question: Question, others: Iterable[str] = (), without: str = "") -> str:
    named = [f"{_name(one)} = NULL" for one in question.named if one["name"] != without]
    return ", ".join([*map(_name, question.given), *named, *others])


def _pairs(parameters: Iterable[dict[str, Any]]) -> str:
    return "list(" + ", ".join(f"`{one['name']}` = {_name(one)}" for one in parameters) + ")"


def _name(parameter: dict[str, Any]) -> str:
    name: str = parameter["name"].replace("-", "_")
    return f"{name}_" if name in _RESERVED else name


def _text(words: str) -> str:
    """Write a text as R reads it: JSON's escapes are R's too."""
    return json.dumps(words)


def _help(question: Question) -> str:
    lines = [f"    # {question.summary}."]
    for one in question.parameters:
        words = f"{_name(one)}: {what_it_takes(one)}"
        lines.append(fill(words, _WIDTH, initial_indent="    #   ", subsequent_indent="    #     "))
    return "\n".join(lines)
