"""What became of the pages that a published version of rules made due again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q
from django.urls import reverse

from extraction.models import Article, Extraction, RereadPage, RuleVersion
from feeds.jobs import JOBS_PER_KIND, Job


@dataclass(frozen=True, slots=True)
class RereadReport:
    """Counts of pages; an article is emptied when its page gives no text any more."""

    version: RuleVersion
    n_pages: int
    n_left: int
    n_changed: int
    n_shorter: int
    n_emptied: int
    n_failed: int

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
    known = pages.exclude(text_digest="")
    articles = Article.objects.filter(page__in=known.values("page"))
    joined = known.annotate(
        digest_now=F("page__article__text_digest"), words_now=F("page__article__n_words")
    )
    return RereadReport(
        version=version,
        n_pages=n_pages,
        n_left=rows.filter(due_at__isnull=False, quarantined_at=None).count(),
        n_changed=joined.exclude(digest_now=F("text_digest")).count(),
        n_shorter=joined.filter(words_now__lt=F("n_words")).count(),
        n_emptied=articles.filter(page__extraction__outcome="empty").count(),
        n_failed=rows.filter(quarantined_at__isnull=False).count(),
    )


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest versions that had stored pages read again."""
    waits = Q(page__extraction__due_at__isnull=False, page__extraction__quarantined_at=None)
    counts = {
        version: (n, n_left)
        for version, n, n_left in RereadPage.objects.order_by("-version")
        .values_list("version")
        .annotate(n=Count("pk"), n_left=Count("pk", filter=waits))[:JOBS_PER_KIND]
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
