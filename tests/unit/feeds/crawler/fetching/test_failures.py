"""Names of failures: what the network says, not what a number of another library means."""

import ssl

import aiohttp
from aiohttp.client_reqrep import ConnectionKey

from feeds.crawler.fetching.failures import outcome_of_error
from feeds.crawler.outcomes import Outcome


def test_a_server_without_tls_is_named_so():
    """OpenSSL numbers its errors from 1, which the system calls “Operation not permitted”."""
    key = ConnectionKey("hook.example", 443, *(True, True), None, None, None)
    error = aiohttp.ClientConnectorSSLError(key, ssl.SSLError(1, "WRONG_VERSION_NUMBER"))

    outcome, sentence = outcome_of_error(error)

    assert (outcome, sentence) == (
        Outcome.CONNECTION_ERROR,
        "hook.example does not speak TLS as https asks.",
    )
