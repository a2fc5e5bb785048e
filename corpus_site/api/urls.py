"""Addresses below `/api/`; each answers with and without its last slash."""

from django.urls import URLPattern, re_path

from corpus_site.api.corpus import nothing
from corpus_site.api.openapi import index, openapi, python, r
from corpus_site.api.operations import OPERATIONS, Operation

# A word may hold a slash, as and/or; what is no number is no key, and says so itself.
_PLACES = {"{key}": "(?P<key>[^/]+)", "{form}": "(?P<form>.+?)"}


def _route(one: Operation) -> URLPattern:
    pattern = one.path
    for name, place in _PLACES.items():
        pattern = pattern.replace(name, place)
    return re_path(f"^{pattern}/?$", one.view, name=f"api-{one.name}")


urlpatterns = [
    re_path("^$", index, name="api"),
    re_path("^openapi.json$", openapi, name="api-openapi"),
    re_path("^client.py$", python, name="api-python"),
    re_path("^client.R$", r, name="api-r"),
    *map(_route, OPERATIONS),
    re_path("^(?P<path>.*)$", nothing, name="api-nothing"),
]
