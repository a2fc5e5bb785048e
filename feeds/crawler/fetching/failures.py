"""What a failed connection is called: exceptions of the network → outcome and a sentence.

The only place that knows the exceptions of aiohttp.
"""

import os

import aiohttp

from feeds.crawler.fetching.ip_addresses import ForbiddenAddressError
from feeds.crawler.outcomes import Outcome

_MAX_DETAIL = 300  # with its sentence it fits the column

# The first that fits; `{host}` is the host of the connection, `{detail}` what the system said.
_NAMED: tuple[tuple[type[Exception], Outcome, str], ...] = (
    (
        aiohttp.ClientProxyConnectionError,
        Outcome.CONNECTION_ERROR,
        "The proxy cannot be reached: {detail}.",
    ),
    (
        aiohttp.ClientHttpProxyError,
        Outcome.CONNECTION_ERROR,
        "The proxy did not make the connection: {detail}.",
    ),
    (aiohttp.ClientConnectorDNSError, Outcome.DNS_ERROR, "The name {host} does not resolve."),
    (
        aiohttp.ClientConnectorCertificateError,
        Outcome.CONNECTION_ERROR,
        "The certificate of {host} is not valid.",
    ),
    # The numbers of TLS's errors are none of the system's.
    (
        aiohttp.ClientConnectorSSLError,
        Outcome.CONNECTION_ERROR,
        "{host} does not speak TLS as https asks.",
    ),
    (aiohttp.ClientPayloadError, Outcome.CONNECTION_ERROR, "The body ended early."),
    (aiohttp.InvalidURL, Outcome.BAD_URL, "The URL cannot be asked for."),
    (aiohttp.ClientResponseError, Outcome.CONNECTION_ERROR, "The answer is not HTTP: {detail}."),
    (aiohttp.ServerTimeoutError, Outcome.TIMEOUT, "No connection in time."),
    (
        aiohttp.ServerDisconnectedError,
        Outcome.CONNECTION_ERROR,
        "The server closed the connection without an answer.",
    ),
    (aiohttp.ClientError, Outcome.CONNECTION_ERROR, "The connection failed: {detail}."),
    (OSError, Outcome.CONNECTION_ERROR, "The connection failed: {detail}."),
    # yarl and idna refuse some names that browsers take.
    (ValueError, Outcome.BAD_URL, "The URL cannot be asked for: {detail}."),
)


def outcome_of_error(error: Exception) -> tuple[Outcome, str]:
    """Name the outcome of an exchange that broke.

    Parameters
    ----------
    error : Exception
        A `ClientError`, an `OSError` or a `ValueError`.

    Returns
    -------
    tuple of Outcome and str
        What to store and a sentence.
    """
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(cause, ForbiddenAddressError):
        return Outcome.PRIVATE_ADDRESS, str(cause)
    for kind, outcome, sentence in _NAMED:
        if isinstance(error, kind):
            host = error.host if isinstance(error, aiohttp.ClientConnectorError) else ""
            return outcome, sentence.format(host=host, detail=_detail(error, cause))
    raise error


def _detail(error: Exception, cause: Exception) -> str:
    """Say in a few words what the system said."""
    if isinstance(error, aiohttp.ClientResponseError):
        text = f"{error.status} {error.message}"
    else:
        number = getattr(cause, "errno", None) or 0
        said = os.strerror(number) if number > 0 else str(cause)
        text = said or type(cause).__name__
    return " ".join(text.split())[:_MAX_DETAIL].rstrip(".")
