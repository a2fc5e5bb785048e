"""Requests as addresses write them: `asked("q=rain&in=both")`."""

from search.asking.address import Address
from search.asking.form import form_at
from search.asking.request import SearchRequest, request_of


def asked(parameters: str) -> SearchRequest:
    """Make the request of an address without a mistake, as somebody without an account."""
    form = form_at(Address.parse(parameters), None)
    assert not form.errors
    return request_of(form)
