"""The register: entries are written here and nowhere else, and read by its page, file and API.

Ids and an order (why, who, when) → entries. An entry is never deleted; what is put back or lifted
ends it.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from extraction.models import Article, Comment, Measure, Subject, Withdrawal
from extraction.stage.withdrawn_rows import open_entries
from feeds.models import Publication
from feeds.tombstones import digest_of_address, digest_of_key

# Some 15 columns an entry: below the 32,766 variables that SQLite takes in a statement.
_ROWS_PER_INSERT = 1_000


@dataclass(frozen=True, slots=True)
class Order:
    """Why, by whom (None for a command) and when."""

    reason: str
    by: Any
    now: datetime


def enter(entries: Iterable[Withdrawal], measure: Measure, order: Order) -> None:
    """Write entries; one that is in force already stays as it is."""
    rows = list(entries)
    for row in rows:
        row.measure, row.reason = measure, order.reason
        row.by, row.at = order.by, order.now
    Withdrawal.objects.bulk_create(rows, batch_size=_ROWS_PER_INSERT, ignore_conflicts=True)


# What `of_article` asks of an article, for `select_related` and `only`.
IDENTITY = ("page", "collected")
IDENTITY_COLUMNS = ("url", "publication", "page__key", "collected__key")


def identity_of(row: Article) -> str:
    """Give the digest by which an article is known: of its page's address, or as it was given."""
    return digest_of_key(row.page.key) if row.page else row.collected.key


def of_article(row: Article) -> Withdrawal:
    """Make the entry of an article; its page, or what it was given as, must have been read."""
    return Withdrawal(
        what=Subject.ARTICLE,
        article_id=row.pk,
        publication_id=row.publication_id,
        address=row.url,
        address_digest=identity_of(row),
    )


def of_version(row: Article, number: int) -> Withdrawal:
    """Make the entry of an earlier text of an article."""
    entry = of_article(row)
    entry.what, entry.version_number = Subject.VERSION, number
    return entry


def of_comment(row: Comment) -> Withdrawal:
    """Make the entry of a comment: its address is that of its article."""
    entry = of_article(row.article)
    entry.what, entry.article_id, entry.comment_id = Subject.COMMENT, row.article_id, row.pk
    return entry


def of_publication(row: Publication) -> Withdrawal:
    """Make the entry of a publication."""
    return Withdrawal(
        what=Subject.PUBLICATION,
        publication_id=row.pk,
        address=row.home_url,
        address_digest=digest_of_address(row.home_url),
    )


def end(entries: QuerySet[Withdrawal], by: Any, now: datetime) -> int:
    """End entries that are in force: put back, or lifted."""
    return entries.filter(ended_at=None).update(ended_by=by, ended_at=now)


# Legal holds


def hold(entry: Withdrawal, order: Order) -> None:
    """Keep an article, or all of a publication, from being erased or thinned out."""
    enter([entry], Measure.HELD, order)


def held_articles(ids: Collection[int]) -> set[int]:
    """Choose the articles that may not be erased: held themselves, or their publication is."""
    own = open_entries(Subject.ARTICLE, Measure.HELD).filter(article__in=ids)
    publications = open_entries(Subject.PUBLICATION, Measure.HELD).values("publication")
    theirs = Article.objects.filter(pk__in=ids, publication__in=publications)
    return {*own.values_list("article_id", flat=True), *theirs.values_list("pk", flat=True)}


def is_held(publication_id: int) -> bool:
    """Whether a publication is on hold as a whole."""
    holds = open_entries(Subject.PUBLICATION, Measure.HELD)
    return holds.filter(publication=publication_id).exists()


# Reading

# Of its file and of the API.
COLUMNS = (
    "entry", "measure", "what", "publication", "article", "comment", "version", "address", "reason",
    "by", "at", "ended_by", "ended_at", "done_at", "address_digest",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RegisterFilter:
    """Which entries; empty values do not narrow. An address finds what was erased too."""

    measure: str = ""
    what: str = ""
    publication: str = ""
    address: str = ""
    only_open: bool = False

    def entries(self) -> QuerySet[Withdrawal]:
        rows = Withdrawal.objects.select_related("publication", "by", "ended_by")
        equal = {
            "measure": self.measure,
            "what": self.what,
            "publication__slug": self.publication,
        }
        rows = rows.filter(**{name: value for name, value in equal.items() if value})
        if self.address:
            same = Q(address_digest=digest_of_address(self.address) or "-")
            rows = rows.filter(same | Q(address__icontains=self.address))
        if self.only_open:
            rows = rows.filter(ended_at=None)
        return rows


def as_rows(entries: QuerySet[Withdrawal]) -> Iterator[dict[str, Any]]:
    """Give entries as files and the API list them, by the names of `COLUMNS`."""
    for row in entries.iterator(chunk_size=_ROWS_PER_INSERT):
        values = (
            row.pk, row.measure, row.what, row.publication.slug if row.publication else None,
            row.article_id, row.comment_id, row.version_number, row.address, row.reason,
            _name(row.by), _moment(row.at), _name(row.ended_by), _moment(row.ended_at),
            _moment(row.done_at), row.address_digest,
        )  # fmt: skip
        yield dict(zip(COLUMNS, values, strict=True))


def _name(user: Any) -> str | None:
    return str(user) if user else None


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def entry_of_article(article: Article) -> Withdrawal | None:
    """Find the entry by which an article is out: its own, else that of its publication."""
    own = Q(what=Subject.ARTICLE, article=article.pk)
    theirs = Q(what=Subject.PUBLICATION, publication=article.publication_id)
    found = Withdrawal.objects.filter(own | theirs, measure=Measure.WITHDRAWN, ended_at=None)
    return found.select_related("by").order_by("what", "-pk").first()


def hold_of_article(article: Article) -> Withdrawal | None:
    """Find the legal hold that an article is on, its own or that of its publication."""
    own = Q(what=Subject.ARTICLE, article=article.pk)
    theirs = Q(what=Subject.PUBLICATION, publication=article.publication_id)
    found = Withdrawal.objects.filter(own | theirs, measure=Measure.HELD, ended_at=None)
    return found.order_by("what", "-pk").first()


def entry_of_publication(publication: Publication) -> Withdrawal | None:
    """Find the entry by which a publication is out as a whole."""
    return open_entries(Subject.PUBLICATION).filter(publication=publication).first()


def is_erased(publication: Publication) -> bool:
    """Whether the texts of a publication were erased, or are being erased, all at once."""
    return (
        open_entries(Subject.PUBLICATION, Measure.ERASED).filter(publication=publication).exists()
    )


def withdrawn_publications(ids: Iterable[int]) -> set[int]:
    """Choose the publications that are out as a whole."""
    entries = open_entries(Subject.PUBLICATION).filter(publication__in=list(ids))
    return {pk for pk in entries.values_list("publication", flat=True) if pk is not None}
