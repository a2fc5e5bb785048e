"""Stored pages in a sandboxed frame: the headers under which they are shown."""

from django.http import HttpResponse

# Nothing in the page can run, send or load, whatever the cleaning missed.
_FRAME_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self'; frame-ancestors 'self'"
)


def confine(response: HttpResponse) -> HttpResponse:
    """Let the page only be looked at, and only in a frame of ours."""
    response["Content-Security-Policy"] = _FRAME_POLICY
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Referrer-Policy"] = "no-referrer"
    return response
