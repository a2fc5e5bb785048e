"""What each outcome of a request means, for the help page; a test asks for every outcome."""

from feeds.crawler.outcomes import Outcome

MEANINGS: dict[Outcome, str] = {
    Outcome.OK: "the document came",
    Outcome.NOT_MODIFIED: "the server says it has not changed",
    Outcome.REDIRECTED_TO_SECTION: "no article any more: the address leads to its section’s page",
    Outcome.NOT_FOUND: "404: there is no such page",
    Outcome.GONE: "410: the page was taken away for good",
    Outcome.FORBIDDEN: "403 or 401: the server refuses us",
    Outcome.RATE_LIMITED: "429: asked too often; the host rests for as long as it says",
    Outcome.CLIENT_ERROR: "another answer between 400 and 499",
    Outcome.SERVER_ERROR: "the server failed; asked again later, more and more rarely",
    Outcome.CHALLENGE: "a page that asks for a browser or a puzzle instead of the article",
    Outcome.ROBOTS_FORBID: "the site’s robots.txt asks us not to; nothing was requested",
    Outcome.PRIVATE_ADDRESS: "the name leads into a private network; nothing was requested",
    Outcome.BAD_URL: "this is no address that can be fetched",
    Outcome.DNS_ERROR: "the host’s name is not known",
    Outcome.CONNECTION_ERROR: "no connection, or it broke",
    Outcome.TIMEOUT: "no whole answer in time",
    Outcome.TOO_LARGE: "the answer is larger than the limit",
    Outcome.BAD_ENCODING: "the compression is broken, or grows beyond measure",
    Outcome.TOO_MANY_REDIRECTS: "more than five redirects",
    Outcome.UNEXPECTED_TYPE: "something else than a page, such as an image",
    Outcome.NOT_A_FEED: "a page where a feed was expected",
    Outcome.RIGHTS_RESERVED: "the site reserves its rights, and the policy keeps no copy then",
}
