"""The query form of a request, with today's date and the reader."""

from django.http import HttpRequest
from django.utils import timezone

from search.query_form import QueryForm


def form_of(request: HttpRequest) -> QueryForm:
    return QueryForm(request.GET, timezone.localdate(), request.user)
