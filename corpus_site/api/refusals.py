"""What an API says instead of an answer: what happened, and what to do about it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import JsonResponse

from search.asking.values import WrongValueError
from search.engine.query.errors import QueryError, QueryTooExpensiveError
from search.opened_index import current_snapshot, is_missing


def readable(answer: Mapping[str, Any], **more: Any) -> JsonResponse:
    """Answer in JSON with letters as they are: many words here have accents."""
    return JsonResponse(answer, json_dumps_params={"ensure_ascii": False}, **more)


class Refusal(Exception):  # noqa: N818 (an answer, not a fault of ours)
    """Raised by an endpoint, answered by `access.endpoint`."""

    def __init__(self, status: int, happened: str, to_do: str, **more: Any) -> None:
        super().__init__(happened)
        self.status = status
        self.happened = happened
        self.to_do = to_do
        self.more = more

    def answer(self, headers: Mapping[str, str] | None = None) -> JsonResponse:
        error = {"status": self.status, "happened": self.happened, "to_do": self.to_do}
        return readable({"error": error | self.more}, status=self.status, headers=headers)


def refuse_without_index() -> None:
    """Refuse to count nothing where this machine has no index of a corpus that has texts."""
    if is_missing(current_snapshot()):
        raise Refusal(
            503,
            "This machine has no index: nothing can be searched here.",
            "Ask an admin of this installation, or ask again later.",
        )


def no_query() -> Refusal:
    fault = {"parameter": "q", "message": "A query is missing."}
    return Refusal(400, "q: a query is missing.", "Say what to search for in q.", faults=[fault])


def refuse_faults(errors: Iterable[tuple[str, str]]) -> None:
    """Refuse wrong values, pairs of name and sentence.

    Pages show a default instead of some of them; programs must know.
    """
    faults = list(faults_of(errors))
    if faults:
        raise wrong_values(faults)


def faults_of(errors: Iterable[tuple[str, str]]) -> Iterator[dict[str, str]]:
    for name, message in errors:
        yield {"parameter": name, "message": message}


def wrong_values(faults: list[dict[str, str]]) -> Refusal:
    first = faults[0]
    return Refusal(
        400,
        f"{first['parameter']}: {first['message']}",
        "Correct the parameters named under “faults”; /api/openapi.json says what they take.",
        faults=faults,
    )


def of_query(error: QueryError) -> Refusal:
    """Say what is wrong with a query and where, or that it costs too much."""
    if isinstance(error, QueryTooExpensiveError):
        to_do = "Make the query more specific, narrow the dates, or sort by newest first."
        return Refusal(422, error.message, to_do)
    more: dict[str, Any] = {"parameter": "q", "position": error.position + 1}
    if error.expected:
        more["expected"] = list(error.expected)
    if error.suggestion:
        more["suggestion"] = error.suggestion
    return Refusal(
        400, error.message, "Correct q; “position” counts its characters from 1.", **more
    )


def of_parameter(error: WrongValueError) -> Refusal:
    return wrong_values([{"parameter": error.name, "message": error.message}])


def withdrawn(what: str) -> Refusal:
    """Say that something was there and is not shown any more."""
    return Refusal(410, f"The {what} was withdrawn.", "/api/articles/ lists what there is.")


def not_found(what: str) -> Refusal:
    return Refusal(404, f"There is no {what}.", "/api/ lists what there is.")
