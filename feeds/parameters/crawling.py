"""The parameters of crawling."""

from feeds.parameters.parameter import Parameter

_DAY = 86_400

CRAWLING = (
    Parameter(
        "CRAWL_MIN_DELAY_SECONDS",
        "Least pause between two requests to a host",
        "seconds",
        0,
        600,
        "All requests from the next one on; robots.txt and a publication may ask for more.",
        is_whole=False,
    ),
    Parameter(
        "CRAWL_MIN_POLL_SECONDS",
        "Shortest time between two visits of a feed",
        "seconds",
        60,
        _DAY,
        "Feeds from their next visit on; between the two bounds the interval is learnt.",
        "each half hour",
    ),
    Parameter(
        "CRAWL_MAX_POLL_SECONDS",
        "Longest time between two visits of a feed",
        "seconds",
        600,
        7 * _DAY,
        "Feeds from their next visit on.",
    ),
    Parameter(
        "CRAWL_COMMENTS_CHECK_SECONDS",
        "Time between two looks whether a thread has closed",
        "seconds",
        60,
        30 * _DAY,
        "Threads from their next look on.",
        "each day",
    ),
    Parameter(
        "CRAWL_COMMENTS_KEEP_DAYS",
        "Age at which comments of an open thread are taken",
        "days",
        0,
        365,
        "Threads from their next look on; a publication may have its own.",
    ),
    Parameter(
        "CRAWL_MAX_PAGE_BYTES",
        "Largest page",
        "bytes",
        100_000,
        100_000_000,
        "Pages from the next request on; a larger one is cut off and refused.",
    ),
    Parameter(
        "CRAWL_TOTAL_TIMEOUT_SECONDS",
        "Longest time of one request with its redirects",
        "seconds",
        5,
        55,
        "Requests from the next batch on; below the lease, so that no page is asked for twice.",
        is_whole=False,
    ),
)
