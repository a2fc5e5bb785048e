"""The questions of the API as clients write them: from its description (OpenAPI)."""

from dataclasses import dataclass
from typing import Any

_NAMES = {"search": "lines", "word_one": "word", "articles_one": "article", "stories_one": "story"}
_PLACES = ("after", "p", "s")  # parameters that `next` of an answer goes into


@dataclass(frozen=True, slots=True)
class Question:
    """One address that is asked with GET.

    ``path`` is below `/api/`, places in braces; ``members`` are those of its answer, none where
    the answer is a file. Parameters are OpenAPI's.
    """

    name: str
    path: str
    summary: str
    parameters: tuple[dict[str, Any], ...]
    members: tuple[str, ...]

    @property
    def given(self) -> list[dict[str, Any]]:
        """Parameters without which it can't be asked."""
        return [one for one in self.parameters if one["required"] or one["in"] == "path"]

    @property
    def named(self) -> list[dict[str, Any]]:
        """All other parameters."""
        return [one for one in self.parameters if one not in self.given]

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Parameters that stand behind the path."""
        return [one for one in self.parameters if one["in"] != "path"]

    @property
    def is_file(self) -> bool:
        """The answer is bytes, not rows."""
        return not self.members

    @property
    def has_tables(self) -> bool:
        """The answer has tables, of which one is chosen by its name."""
        return "tables" in self.members

    @property
    def turned_by(self) -> str:
        """The parameter of the next page; empty where all comes at once."""
        names = {one["name"] for one in self.named}
        places = (one for one in _PLACES if one in names and "next" in self.members)
        return next(places, "")


def questions(document: dict[str, Any]) -> list[Question]:
    """List the questions of a description, as `corpus_site.api.openapi.document` makes it."""
    return [_question(path, found["get"]) for path, found in document["paths"].items()]


def _question(path: str, described: dict[str, Any]) -> Question:
    content = described["responses"]["200"]["content"]
    return Question(
        method_name(described["operationId"]),
        path.removeprefix("/api/").strip("/"),
        described["summary"],
        tuple(described["parameters"]),
        tuple(content.get("application/json", {}).get("schema", {}).get("required", [])),
    )


def method_name(question: str) -> str:
    """Name the method of a question by its name in the description.

    Examples
    --------
    >>> [method_name(name) for name in ("search", "search-trend", "articles-one-comments")]
    ['lines', 'trend', 'article_comments']
    """
    name = question.replace("-", "_").removeprefix("search_")
    return _NAMES.get(name, name.replace("articles_one_", "article_"))


def what_it_takes(parameter: dict[str, Any]) -> str:
    """Say in words what a parameter is and takes."""
    words = f"{parameter['description'] or parameter['name']}. {_takes(parameter['schema'])}"
    return words.strip()


def _takes(schema: dict[str, Any]) -> str:
    one = schema.get("items", schema)
    values = [str(value) for value in one.get("enum", ()) if value != ""]
    takes = f"One of {', '.join(values)}." if values else ""
    if "maximum" in one:
        takes = f"{one.get('minimum', 0)} to {one['maximum']}."
    if "default" in one and one["default"] != "":
        takes = f"{takes} Else {one['default']}.".strip()
    return f"{takes} A list for several.".strip() if schema is not one else takes
