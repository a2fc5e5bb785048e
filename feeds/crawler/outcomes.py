"""What can become of one fetch: the fixed list of outcomes on rows and on the status page.

What the web does to us is data, so none of these is an exception. Detail text beside an outcome is
free, the word is not.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """Result of one exchange; the value is what the database stores."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    REDIRECTED_TO_SECTION = "redirected_to_section"  # no article, but the section's page
    NOT_FOUND = "not_found"
    GONE = "gone"
    FORBIDDEN = "forbidden"
    RATE_LIMITED = "rate_limited"
    CLIENT_ERROR = "client_error"
    SERVER_ERROR = "server_error"
    CHALLENGE = "challenge"  # a block page on a 200 or 403
    ROBOTS_FORBID = "robots_forbid"
    PRIVATE_ADDRESS = "private_address"
    BAD_URL = "bad_url"
    DNS_ERROR = "dns_error"
    CONNECTION_ERROR = "connection_error"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    BAD_ENCODING = "bad_encoding"  # says gzip, is not; or a bomb's ratio
    TOO_MANY_REDIRECTS = "too_many_redirects"
    UNEXPECTED_TYPE = "unexpected_type"  # an image where a page was expected
    NOT_A_FEED = "not_a_feed"
    RIGHTS_RESERVED = "rights_reserved"  # it came, and the policy keeps no copy

    @property
    def is_answer(self) -> bool:
        """Whether the server gave the document, or said that it is unchanged."""
        return self in {Outcome.OK, Outcome.NOT_MODIFIED}

    @property
    def is_final(self) -> bool:
        """Whether asking again soon cannot change the answer."""
        return self in {
            Outcome.NOT_FOUND,
            Outcome.GONE,
            Outcome.ROBOTS_FORBID,
            Outcome.PRIVATE_ADDRESS,
            Outcome.BAD_URL,
            Outcome.TOO_LARGE,
            Outcome.REDIRECTED_TO_SECTION,
            Outcome.UNEXPECTED_TYPE,
            Outcome.NOT_A_FEED,
            Outcome.RIGHTS_RESERVED,
        }


# Refusals of a host, and failures that are its own: no page's fault.
HOST_REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.RATE_LIMITED, Outcome.CHALLENGE})
HOST_TROUBLES = HOST_REFUSALS | {
    Outcome.SERVER_ERROR,
    Outcome.TIMEOUT,
    Outcome.CONNECTION_ERROR,
    Outcome.DNS_ERROR,
}
