"""`/api/`, its description and clients made from it: what can be asked, for people and programs."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from corpus_site.api.access import endpoint
from corpus_site.api.clients.python_client import python_client
from corpus_site.api.clients.r_client import r_client
from corpus_site.api.operations import OPERATIONS, Operation
from corpus_site.api.parameters import ApiParameter

VERSION = "1"
_REFUSALS = {
    "400": "A parameter or the query is wrong",
    "401": "No token, or one that opens nothing",
    "403": "The token may not do this",
    "404": "There is no such thing",
    "409": "Texts of the list that a file goes on with have changed",
    "422": "The query would cost too much",
    "429": "Too many questions a minute; Retry-After says when to ask again",
    "503": "Still searching, and the same question goes on; or this machine has no index",
}


@endpoint()
def index(request: HttpRequest) -> dict[str, Any]:
    """List what can be asked."""
    return {
        "openapi": request.build_absolute_uri("/api/openapi.json"),
        "python": request.build_absolute_uri("/api/client.py"),
        "r": request.build_absolute_uri("/api/client.R"),
        "help": request.build_absolute_uri("/help/api/"),
        "questions": {f"/api/{one.path}/": one.words for one in OPERATIONS},
    }


@endpoint()
def openapi(request: HttpRequest) -> dict[str, Any]:
    """Describe the API as OpenAPI 3.1 has it."""
    return _described(request)


@endpoint()
def python(request: HttpRequest) -> HttpResponse:
    """Give a client for Python that is made from the description."""
    return _program(python_client(_described(request)), "broadsheet.py", "text/x-python")


@endpoint()
def r(request: HttpRequest) -> HttpResponse:
    """Give a client for R that is made from the description."""
    return _program(r_client(_described(request)), "broadsheet.R", "text/plain")


def _program(source: str, name: str, kind: str) -> HttpResponse:
    response = HttpResponse(source, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _described(request: HttpRequest) -> dict[str, Any]:
    return document(request.build_absolute_uri("/"))


def document(site: str) -> dict[str, Any]:
    """Make the description of the API for a site."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Broadsheet",
            "version": VERSION,
            "description": "The numbers of the pages, for programs. Everything is read with GET.",
        },
        "servers": [{"url": site.rstrip("/")}],
        "security": [{"token": []}],
        "paths": {f"/api/{one.path}/": {"get": _operation(one)} for one in OPERATIONS},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _error()},
        },
    }


def _operation(one: Operation) -> dict[str, Any]:
    refusals = {
        status: {"description": words, "content": _json({"$ref": "#/components/schemas/Error"})}
        for status, words in _REFUSALS.items()
    }
    return {
        "operationId": one.name,
        "summary": one.words,
        "parameters": [_parameter(parameter) for parameter in one.parameters],
        "responses": {"200": _answer(one)} | refusals,
    }


def _answer(one: Operation) -> dict[str, Any]:
    if one.is_file:
        content = {"application/octet-stream": {"schema": {"type": "string"}}}
        return {"description": f"{one.words}; needs a token that may export", "content": content}
    members: dict[str, Any] = {name: {} for name in one.answers}
    schema = {"type": "object", "required": list(one.answers), "properties": members}
    return {"description": one.words, "content": _json(schema)}


def _parameter(one: ApiParameter) -> dict[str, Any]:
    return {
        "name": one.name,
        "in": "path" if one.is_in_path else "query",
        "required": one.is_required,
        "description": one.words,
        "schema": one.schema,
    }


def _error() -> dict[str, Any]:
    members = {
        "status": {"type": "integer"},
        "happened": {"type": "string"},
        "to_do": {"type": "string"},
    }
    error = {"type": "object", "required": list(members), "properties": members}
    return {"type": "object", "required": ["error"], "properties": {"error": error}}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
