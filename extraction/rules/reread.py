"""What became of the pages that a published version made due again."""

from dataclasses import dataclass

from django.db.models import F

from extraction.models import Article, Extraction, RereadPage, RuleVersion


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
