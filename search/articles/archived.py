"""A stored page for the frame of the article page: fetch → markup that can do nothing."""

import logging
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from extraction.html.decode import decode_html
from extraction.html.inert_page import make_inert
from feeds.crawler.conditional import header
from feeds.crawler.warc_reading import ArchiveError, read_record
from feeds.models import Fetch

_log = logging.getLogger(__name__)
# Real pages have at most 2.3 million characters; what comes after this is not shown.
_SHOWN_CHARACTERS = 5_000_000


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """Inert markup of a stored page, or the sentence why there is none."""

    url: str
    fetched_at: datetime
    markup: str = ""
    problem: str = ""


def archived_page(fetch: Fetch) -> ArchivedPage:
    """Read a fetch's record back and make it inert."""
    url = fetch.final_url or fetch.url
    if fetch.archive_offset is None:
        return ArchivedPage(url, fetch.started_at, problem="This fetch was not archived.")
    try:
        exchange = read_record(
            settings.ARCHIVE_DIR, fetch.archive_file, fetch.archive_offset, fetch.archive_length
        )
    except ArchiveError:
        # The message names folders of the server, which readers need not see.
        _log.exception("archive record of fetch %s cannot be read", fetch.pk)
        problem = f"The record in {fetch.archive_file} cannot be read back; the log says why."
        return ArchivedPage(url, fetch.started_at, problem=problem)
    decoded = decode_html(exchange.body, header(exchange.headers, "content-type") or "")
    markup = make_inert(decoded.text[:_SHOWN_CHARACTERS])
    problem = "" if markup else "The stored page shows nothing without its scripts."
    return ArchivedPage(url, exchange.fetched_at, markup, problem)
