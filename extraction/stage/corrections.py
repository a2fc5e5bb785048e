"""Corrections by hand, put over what a reading gives: article as read → as it is stored.

The value that was read stays beside the corrected one, as that of a source that disagrees: so it is
shown on the article's page, and stands there again when the correction is undone.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from extraction.models import Article, ArticleCorrection
from extraction.models.article import EDITOR
from feeds.crawls.archived_front_pages import NOT_ARCHIVED
from feeds.models import Page
from feeds.watching.crawl_status import listed_at

# Fields that can be corrected, in the order of the form.
FIELDS = ("title", "authors", "agencies", "published_at", "section")
# Of what was read, where no reading named its source.
PAGE = "page"


def of_articles(articles: Sequence[Article]) -> dict[int, ArticleCorrection]:
    """Look up what editors said of stored articles, by the article's primary key."""
    ids = [article.pk for article in articles if article.pk is not None]
    return ArticleCorrection.objects.filter(article__in=ids).in_bulk(field_name="article_id")


def titles_as_read(articles: Collection[Article]) -> dict[int, str]:
    """Give the titles of stored articles as their pages gave them, by the page's primary key."""
    corrected = of_articles([row for row in articles if row.sources.get("title") == EDITOR])
    found = {}
    for row in articles:
        words = corrected.get(row.pk)
        read = words.as_read.get("title") if words else None
        if row.page_id is not None:
            found[row.page_id] = str(read[1]) if read else row.title
    return found


def taken_of(articles: Iterable[Article]) -> set[int]:
    """Find which of stored articles an editor takes anyway."""
    words = ArticleCorrection.objects.filter(article__in=articles, is_taken_anyway=True)
    return set(words.values_list("article_id", flat=True))


def apply(row: Article, correction: ArticleCorrection) -> None:
    """Put corrected values over a row that was just read, and note what was read.

    Changes both rows and writes neither.
    """
    for name in correction.corrected:
        correction.as_read[name] = [row.sources.get(name, ""), written(getattr(row, name))]
        put(row, correction, name)


def put(row: Article, correction: ArticleCorrection, name: str) -> None:
    """Put one corrected value over what was read, which becomes a source that disagrees."""
    source, read = correction.as_read[name]
    value = getattr(correction, name)
    others = [list(other) for other in row.disagreements.get(name, ())]
    read_there = [source or PAGE, said(read)]
    if read and read != written(value) and read_there not in others:
        others.insert(0, read_there)
    _set(row, name, value)
    row.sources = row.sources | {name: EDITOR}
    row.disagreements = {**row.disagreements, name: others} if others else row.disagreements


def take_back(row: Article, correction: ArticleCorrection, name: str) -> None:
    """Give a field the value again that the last reading gave it."""
    source, read = correction.as_read.pop(name)
    correction.corrected = [other for other in correction.corrected if other != name]
    others = [o for o in row.disagreements.get(name, ()) if list(o) != [source or PAGE, said(read)]]
    _set(row, name, from_written(name, read))
    row.sources = {key: value for key, value in row.sources.items() if key != name}
    if source:
        row.sources[name] = source
    row.disagreements = {key: value for key, value in row.disagreements.items() if key != name}
    if others:
        row.disagreements[name] = others


def written(value: Any) -> Any:
    """Give a field's value as JSON holds it: moments as text, names as a list."""
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, list | tuple) else value


def from_written(name: str, value: Any) -> Any:
    """Read what `written` gave."""
    if name == "published_at":
        return parse_datetime(value) if value else None
    return value


def offset_minutes(moment: datetime | None) -> int | None:
    """Minutes east of UTC of the zone in which a moment is written; None for no moment."""
    offset = moment.utcoffset() if moment is not None else None
    return None if offset is None else round(offset.total_seconds() / 60)


def dated(published_at: datetime | None, page: Page, former: datetime | None = None) -> datetime:
    """Give the moment by which an article is sorted: its date, else when its page was found.

    A copy in a web archive was there when that archive saw it, and what the site itself had to give
    was there when an archived front page named it. `former` is what an article without a date was
    sorted by before.
    """
    said_at = published_at or page.feed_published_at
    if said_at is not None:
        return said_at
    fetch = page.content_fetch
    seen_at = fetch.seen_at if fetch else None
    if fetch is not None and fetch.visit_reason == NOT_ARCHIVED:
        seen_at = listed_at(page)
    return seen_at or former or page.found_at


def _set(row: Article, name: str, value: Any) -> None:
    setattr(row, name, value)
    if name == "published_at":
        row.published_offset = offset_minutes(value)
        row.dated_at = dated(value, row.page) if row.page else value or row.created_at


def said(value: Any) -> str:
    """Give a value, as `written` gives it, in one line."""
    if value is None:
        return ""
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
