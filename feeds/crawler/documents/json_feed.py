"""JSON Feed 1.0 and 1.1 → `ParsedFeed`.

Real files bend the format: numbers as ids, one author instead of a list, `external_url` only,
missing version. Reference: https://www.jsonfeed.org/version/1.1/
"""

import json
from typing import Any

from feeds.crawler.documents.feed_dates import entry_date
from feeds.crawler.documents.feed_document import (
    MAX_DESCRIPTION_LENGTH,
    MAX_ENTRIES,
    MAX_GUID_LENGTH,
    MAX_TITLE_LENGTH,
    FeedEntry,
    FeedKind,
    ParsedFeed,
    absolute_address,
    no_feed,
)
from feeds.crawler.documents.hubs import hub_of_json
from feeds.crawler.documents.plain_text import plain_text


def parse_json_feed(body: bytes, base_url: str = "") -> ParsedFeed:
    """Read a JSON document as a feed.

    Parameters
    ----------
    body
        UTF-8, UTF-16 or UTF-32 as RFC 8259 allows, with or without byte order mark.
    base_url
        Final address of the document, for relative links.

    Returns
    -------
    ParsedFeed
        With a sentence in ``problem`` when it is not JSON or not a feed.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:  # also bytes that are no Unicode
        return no_feed(f"This is neither XML nor valid JSON ({error}).")
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        return no_feed("This is JSON, but not a JSON Feed: it has no list of items.")
    items = [item for item in document["items"] if isinstance(item, dict)]
    home_url = absolute_address(document.get("home_page_url"), base_url)
    entries = (_entry(item, home_url or base_url) for item in items[:MAX_ENTRIES])
    return ParsedFeed(
        kind=FeedKind.JSON,
        title=plain_text(document.get("title"), MAX_TITLE_LENGTH),
        home_url=home_url,
        language=plain_text(document.get("language"), 35).lower(),
        entries=tuple(entry for entry in entries if entry.url),
        n_items=len(document["items"]),
        hub=hub_of_json(document, base_url),
    )


def _entry(item: dict[str, Any], base_url: str) -> FeedEntry:
    guid = item.get("id")
    return FeedEntry(
        url=_address(item, base_url),
        guid=plain_text("" if guid is None else str(guid), MAX_GUID_LENGTH),
        headline=plain_text(item.get("title"), MAX_TITLE_LENGTH),
        published_at=entry_date(item.get("date_published"))
        or entry_date(item.get("date_modified")),
        author=_author(item),
        description=_description(item),
    )


def _address(item: dict[str, Any], base_url: str) -> str:
    return absolute_address(item.get("url"), base_url) or absolute_address(
        item.get("external_url"), base_url
    )


def _author(item: dict[str, Any]) -> str:
    people = item.get("authors")
    if not isinstance(people, list):
        people = [item.get("author")]  # version 1.0
    names = [plain_text(person.get("name"), 200) for person in people if isinstance(person, dict)]
    return ", ".join(dict.fromkeys(name for name in names if name))


def _description(item: dict[str, Any]) -> str:
    for name in ("summary", "content_text", "content_html"):
        text = plain_text(item.get(name), MAX_DESCRIPTION_LENGTH)
        if text:
            return text
    return ""
