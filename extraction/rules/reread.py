"""What became of the pages that a published version of rules made due again, field by field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils import timezone

from extraction.html.proposals.verdicts import FieldChange
from extraction.models import Article, Extraction, RereadPage, RuleVersion
from feeds.jobs import JOBS_PER_KIND, Job
from presentation.wording.times import stamp

LISTED_PAGES = 50  # the first that changed, for an editor to look through
# What a report counts, by the column of which the row holds what was there before.
_FIELDS = {
    "title": "title",
    "author": "authors",
    "published": "published_at",
    "modified": "modified_at",
    "section": "section",
    "text": "text_digest",
}


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """An article that its page's new reading changed."""

    article_id: int
    title: str
    changes: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class RereadReport:
    """Counts of pages; an article is emptied when its page gives no text any more.

    `fields` has the number of articles by the name of the field that changed, those without any
    left out; `pages` the first that changed.
    """

    version: RuleVersion
    n_pages: int
    n_left: int
    n_changed: int
    n_shorter: int
    n_emptied: int
    n_failed: int
    fields: Mapping[str, int]
    pages: tuple[ChangedPage, ...]

    @property
    def n_done(self) -> int:
        return self.n_pages - self.n_left


def reread_report(version: RuleVersion) -> RereadReport | None:
    """Count what a version did; None where it was published without reading pages again."""
    pages = RereadPage.objects.filter(version=version)
    n_pages = pages.count()
    if not n_pages:
        return None
    rows = Extraction.objects.filter(page__in=pages.values("page"))
    known = _compared(pages.exclude(text_digest="").filter(page__article__withdrawn_at=None))
    known = known.exclude(page__article=None)
    articles = Article.objects.filter(page__in=known.values("page"))
    changed = Q(*((f"is_{name}_new", 1) for name in _FIELDS), _connector=Q.OR)
    counts = known.aggregate(
        n_changed=Count("pk", filter=changed),
        n_shorter=Count("pk", filter=Q(page__article__n_words__lt=F("n_words"))),
        **{name: Count("pk", filter=Q(**{f"is_{name}_new": 1})) for name in _FIELDS},
    )
    return RereadReport(
        version=version,
        n_pages=n_pages,
        n_left=rows.filter(due_at__isnull=False, quarantined_at=None).count(),
        n_changed=counts["n_changed"],
        n_shorter=counts["n_shorter"],
        n_emptied=articles.filter(page__extraction__outcome="empty").count(),
        n_failed=rows.filter(quarantined_at__isnull=False).count(),
        fields={name: counts[name] for name in _FIELDS if counts[name]},
        pages=tuple(
            _changed_page(row)
            for row in known.filter(changed)
            .select_related("page__article")
            .order_by("pk")[:LISTED_PAGES]
        ),
    )


def _compared(pages: QuerySet[RereadPage]) -> QuerySet[RereadPage]:
    """Say of each page, by field, 1 where its article has another value by now, else 0."""
    return pages.annotate(
        **{
            f"is_{name}_new": Case(When(_is_kept(column), then=Value(0)), default=Value(1))
            for name, column in _FIELDS.items()
        }
    )


def _is_kept(column: str) -> Q:
    """Whether a field is what it was; where only the text was kept, others are not compared."""
    now = f"page__article__{column}"
    is_same = Q(**{column: F(now)}) | Q(**{f"{column}__isnull": True, f"{now}__isnull": True})
    return is_same if column == "text_digest" else is_same | Q(authors__isnull=True)


def _changed_page(row: RereadPage) -> ChangedPage:
    article = row.page.article
    changes = []
    for name, column in _FIELDS.items():
        if not getattr(row, f"is_{name}_new"):
            continue
        column_shown = "n_words" if name == "text" else column
        before, after = (_shown(getattr(one, column_shown)) for one in (row, article))
        changes.append(FieldChange(name, before, after))
    return ChangedPage(article.pk, article.title or article.url, tuple(changes))


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        return stamp(timezone.localtime(value))
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return f"{value} {'word' if value == 1 else 'words'}" if isinstance(value, int) else value or ""


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest versions that had stored pages read again."""
    waits = Q(page__extraction__due_at__isnull=False, page__extraction__quarantined_at=None)
    counts = {
        version: (n, n_left)
        for version, n, n_left in RereadPage.objects.order_by("-version")
        .values_list("version")
        .annotate(n=Count("*"), n_left=Count("pk", filter=waits))[:JOBS_PER_KIND]
    }
    rows = RuleVersion.objects.filter(pk__in=counts).select_related("publication", "published_by")
    for row in rows:
        n, n_left = counts[row.pk]
        yield Job(
            kind="Reading stored pages again",
            subject=f"{row.publication.name}, rules version {row.number}",
            address=reverse("rules", args=[row.publication.slug]),
            n_done=n - n_left,
            n_all=n,
            unit="page,pages",
            now=now,
            asked_by=row.published_by,
            asked_at=row.published_at,
        )
