"""The client for Python: how it asks (`asking`), and a method for each question of the API.

Input → output: the description of the API (OpenAPI) → the source of one module.
"""

import inspect
from keyword import iskeyword
from textwrap import fill
from typing import Any

from corpus_site.api.clients import asking

_WIDTH = 96  # of docstrings
_NAMES = {"search": "lines", "word_one": "word", "articles_one": "article", "stories_one": "story"}
_PLACES = ("after", "p", "s")  # parameters that `next` of an answer goes into


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
    methods = [_method(path, found["get"]) for path, found in document["paths"].items()]
    return inspect.getsource(asking) + head + "".join(methods)


def _method(path: str, question: dict[str, Any]) -> str:
    """Write the method of a question."""
    parameters = question["parameters"]
    given = [one for one in parameters if one["required"] or one["in"] == "path"]
    others = [one for one in parameters if one not in given]
    is_table = "tables" in _members(question)
    is_file = not _members(question)
    arguments = [f"{_name(one)}: Value" for one in given]
    named = [f"{_name(one)}: Value = None" for one in others]
    named += ['table: str = ""'] if is_table else []
    signature = ", ".join(["self", *arguments, *(["*", *named] if named else [])])
    place = path.removeprefix("/api/").strip("/")
    for one in given:
        if one["in"] == "path":
            place = place.replace("{" + one["name"] + "}", "{_quoted(" + _name(one) + ")}")
    pairs = ", ".join(f'"{one["name"]}": {_name(one)}' for one in parameters if one["in"] != "path")
    asked = f'f"{place}", {{{pairs}}}'
    name = method_name(question["operationId"])
    answer, ask = ("bytes", "file") if is_file else ("Rows", "rows")
    table = ", table" if is_table else ""
    text = f'''
    def {name}({signature}) -> {answer}:
        """{_help(question, parameters)}
        """
        return self.{ask}({asked}{table})
'''
    into = next((one for one in _PLACES if any(p["name"] == one for p in others)), "")
    if into and "next" in _members(question):
        others = [one for one in others if one["name"] != into]
        named = [f"{_name(one)}: Value = None" for one in others]
        signature = ", ".join(["self", *arguments, "*", *named]) if named else "self"
        pairs = ", ".join(
            f'"{one["name"]}": {_name(one)}'
            for one in parameters
            if one["in"] != "path" and one["name"] != into
        )
        text += f'''
    def all_{name}({signature}) -> Iterator[Rows]:
        """Give {question["summary"][0].lower()}{question["summary"][1:]}, page after page."""
        return self.pages(f"{place}", {{{pairs}}}, into="{into}")
'''
    return text


def method_name(question: str) -> str:
    """Name the method of a question by its name in the description.

    Examples
    --------
    >>> [method_name(name) for name in ("search", "search-trend", "articles-one-comments")]
    ['lines', 'trend', 'article_comments']
    """
    name = question.replace("-", "_").removeprefix("search_")
    return _NAMES.get(name, name.replace("articles_one_", "article_"))


def _members(question: dict[str, Any]) -> list[str]:
    content = question["responses"]["200"]["content"]
    found: list[str] = content.get("application/json", {}).get("schema", {}).get("required", [])
    return found


def _name(parameter: dict[str, Any]) -> str:
    name: str = parameter["name"].replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def _help(question: dict[str, Any], parameters: list[dict[str, Any]]) -> str:
    lines = [f"{question['summary']}."]
    if parameters:
        lines += ["", "        Parameters", "        ----------"]
    for one in parameters:
        lines.append(f"        {_name(one)}")
        words = f"{one['description'] or one['name']}. {_takes(one['schema'])}".strip()
        lines.append(fill(words, _WIDTH, initial_indent=" " * 12, subsequent_indent=" " * 12))
    return "\n".join(line.replace("\\", "\\\\").replace('"""', "'''") for line in lines)


def _takes(schema: dict[str, Any]) -> str:
    one = schema.get("items", schema)
    values = [str(value) for value in one.get("enum", ()) if value != ""]
    takes = f"One of {', '.join(values)}." if values else ""
    if "maximum" in one:
        takes = f"{one.get('minimum', 0)} to {one['maximum']}."
    if "default" in one and one["default"] != "":
        takes = f"{takes} Else {one['default']}.".strip()
    return f"{takes} A list for several.".strip() if schema is not one else takes
