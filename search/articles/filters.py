"""Which articles a list shows: the filters of an address as rows of the table."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from extraction.models import Article, RightsSaid
from feeds.models import CrawlAddress, Publication, PublicationKind

# As searches name them; an article of which nothing was said has no word in its column.
RIGHTS_CHOICES = {
    "reserved": RightsSaid.RESERVED,
    "granted": RightsSaid.GRANTED,
    "none": RightsSaid.NOTHING,
}


# Where texts come from, as searches name it.
ORIGINS = {
    "newspapers": PublicationKind.SITE,
    "collections": PublicationKind.COLLECTION,
}

# Pages of a crawl, below which its articles are sorted; those of a larger one are met soon when all
# articles are looked through, newest first.
_FEW_PAGES = 10_000


@dataclass(frozen=True, slots=True)
class BrowseRequest:
    """Which articles, and after which row; empty values do not narrow."""

    publication: str = ""
    origin: str = ""
    kind: str = ""
    language: str = ""
    rights: str = ""
    crawl: int | None = None
    day: date | None = None
    only_copies: bool = False
    only_changed: bool = False
    after: tuple[datetime, int] | None = None

    def matches(self) -> QuerySet[Article]:
        """All articles that the filters let through."""
        rows = Article.shown.all()
        if self.publication:
            rows = rows.filter(publication__slug=self.publication)
        if self.origin:
            # By their keys, so that the few of one kind are found by the index.
            own = Publication.objects.filter(kind=PublicationKind.COLLECTION)
            keys = list(own.values_list("pk", flat=True))
            is_own = ORIGINS[self.origin] == PublicationKind.COLLECTION
            theirs = Q(publication__in=keys)
            rows = rows.filter(theirs if is_own else ~theirs)
        if self.kind:
            rows = rows.filter(kind=self.kind)
        if self.language:
            rows = rows.filter(language=self.language)
        if self.rights:
            rows = rows.filter(rights=RIGHTS_CHOICES[self.rights])
        if self.only_copies:
            rows = rows.filter(detection__original__isnull=False, in_corpus=True)
            rows = rows.exclude(detection__original=F("pk"))
        if self.only_changed:
            rows = rows.exclude(changed_at=None)
        if self.crawl is not None:
            rows = _of_crawl(rows, self.crawl)
        if self.day:
            start = timezone.make_aware(datetime.combine(self.day, time.min))
            end = timezone.make_aware(datetime.combine(self.day + timedelta(days=1), time.min))
            # What has no date is in no day, as in searches; `dated_at` is its place in orders.
            rows = rows.filter(dated_at__gte=start, dated_at__lt=end, published_at__isnull=False)
        return rows


def _of_crawl(rows: QuerySet[Article], crawl: int) -> QuerySet[Article]:
    found = CrawlAddress.objects.filter(crawl=crawl, page__isnull=False).order_by()
    if found[_FEW_PAGES : _FEW_PAGES + 1].exists():
        return rows.filter(Exists(found.filter(page=OuterRef("page"))))
    return rows.filter(page__in=found.values("page"))
