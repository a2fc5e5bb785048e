"""What newspapers have changed lately in texts that stood: one row a change, the latest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Q

from extraction.models import Article, ArticleVersion
from extraction.versions import ChangeSummary, change_by, changes, headline_changed, titles_of
from feeds.models import Publication
from feeds.sources.naming import publication_names
from feeds.watching.tallies import tally

PAGE_SIZE = 50
CHANGED = "changed"  # name of the publications that are kept
# Kinds of change: value in addresses, words, condition.
KINDS = (("headline", "the headline"), ("words", "the text"))
_CONDITIONS = {"headline": headline_changed(), "words": Q(n_words_changed__gt=0)}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A change: `former_title` is the headline before, empty where it stayed."""

    article: Article
    number: int  # of the version that the change made
    change: ChangeSummary
    former_title: str


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """One page of the list; `next_after` is where the next one begins, empty at the end."""

    rows: tuple[ChangedRow, ...]
    next_after: str


NO_CHANGES = ChangedPage((), "")


def changed_page(publication: Publication | None, kind: str, after: str) -> ChangedPage:
    """Read one page by key, so that a deep one costs what the first does."""
    rows = changes().filter(article__in_corpus=True, withdrawn_at=None)
    if publication is not None:
        rows = rows.filter(article__publication=publication)
    if kind in _CONDITIONS:
        rows = rows.filter(_CONDITIONS[kind])
    place = read_after(after)
    if place is not None:
        rows = rows.filter(replaced_at__lte=place[0]).exclude(
            replaced_at=place[0], pk__gte=place[1]
        )
    joined = rows.select_related("article__publication", "article__page").defer(
        "article__text", "article__blocks", "article__captions", "article__sources"
    )
    found = list(joined[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    next_after = _write_after(shown[-1]) if len(found) > PAGE_SIZE else ""
    return ChangedPage(tuple(_rows(shown)), next_after)


def publications_with_changes(now: datetime) -> list[tuple[str, str]]:
    """Short names and names of publications of which a text has changed."""
    slugs = set(tally(CHANGED, count_changed, now).figures)
    return [(slug, name) for slug, name in publication_names().items() if slug in slugs]


def count_changed(_now: datetime) -> list[str]:
    """List the short names of publications of which a text has changed, as they are kept."""
    changed = Article.objects.exclude(changed_at=None).order_by().values("publication").distinct()
    return list(Publication.objects.filter(pk__in=changed).values_list("slug", flat=True))


def _rows(shown: list[ArticleVersion]) -> Iterator[ChangedRow]:
    summaries = [(row, change_by(row)) for row in shown]
    titles = titles_of(row for row, change in summaries if change.is_headline_changed)
    for row, change in summaries:
        former = titles.get(row.pk, "")
        yield ChangedRow(row.article, (row.number or 0) + 1, change, former)


def _write_after(row: ArticleVersion) -> str:
    moment = row.replaced_at or _EPOCH
    return f"{(moment - _EPOCH) // _MICROSECOND}.{row.pk}"


def read_after(text: str) -> tuple[datetime, int] | None:
    """Read the place of a row in the list; None for what is none."""
    moment, _, key = text.partition(".")
    try:
        return _EPOCH + int(moment) * _MICROSECOND, int(key)
    except (ValueError, OverflowError):
        return None
