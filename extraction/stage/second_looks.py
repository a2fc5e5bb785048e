"""What a reading says of its page's next visits: its date, its readers, and that it held little.

A page without a text, or with a short one, may be what its paper wrote; where several in a row are,
the site was broken, shut or drawn by scripts. When it brings texts again, those pages are visited
again: at once if no text came for as long as they were known, else each after it has waited as
long as it was known. So a dozen times in a month at most.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from extraction.models import Article, ArticleKind, Comment, Extraction
from extraction.stage.read_articles import ReadArticle
from feeds import revisits
from feeds.models import Page, PageKind
from presentation.wording.figures import counted

# Readers write in the first days; later a look is worth a tenth of the age, as with threads.
COMMENTED_DAYS = timedelta(days=7)
AGE_SHARE = 0.1
# So many pages in a row without a text are no accident, so many texts after them no exception.
BROKEN_RUN, WELL_RUN = 3, 2
REMEMBERED = timedelta(days=30)
_DATES_APART = timedelta(days=1)
_READ_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class _Thin:
    """A page that held little: when it was found, read and visited last."""

    row_id: int
    page_id: int
    found_at: datetime
    at: datetime
    visited_at: datetime

    def again_at(self, stored: Sequence[datetime]) -> datetime:
        """Say from when on it is visited again; `stored`: when texts of its paper came, sorted."""
        if bisect_left(stored, self.found_at) == bisect_left(stored, self.visited_at):
            return self.visited_at  # its site was broken at every visit
        return self.visited_at + (self.visited_at - self.found_at)


def plan_visits(
    articles: Sequence[ReadArticle], comment_ids: Collection[int], now: datetime
) -> None:
    """Tell the plan of visits what pages of a batch said; `comment_ids`: new or changed ones."""
    _correct_dates(articles, now)
    commented = [article for article in articles if article.extracted.comments]
    if not commented:
        return
    rows = Comment.objects.filter(pk__in=comment_ids).order_by()
    new = set(rows.values_list("article__page", flat=True).distinct())
    for article in commented:
        _look_for_comments(article, now, has_new=article.page.pk in new)


def _correct_dates(articles: Sequence[ReadArticle], now: datetime) -> None:
    dates = {
        article.page.pk: article.extracted.published_at
        for article in articles
        if article.extracted.published_at
        and article.extracted.published_at < article.page.found_at - _DATES_APART
    }
    if dates:
        revisits.correct_dates(dates, now)


def _look_for_comments(article: ReadArticle, now: datetime, *, has_new: bool) -> None:
    page = article.page
    published_at = article.extracted.published_at or page.feed_published_at or page.found_at
    age = now - min(published_at, page.found_at)
    words = f"its page shows {counted(len(article.extracted.comments), 'comment')} of readers"
    if age < COMMENTED_DAYS:
        reason = f"planned: {words}, so it is looked at daily in its first week"
        revisits.keep_looking([page.pk], now + COMMENTED_DAYS - age, now, reason)
    elif has_new:
        reason = f"planned: {words}, some of them new, so after another tenth of its age"
        revisits.look_again([page.pk], now + age * AGE_SHARE, reason)


def look_where_sites_are_well(now: datetime) -> int:
    """Plan visits to pages that held little while their site was broken; returns how many."""
    by_publication = _thin_pages(now)
    return sum(_look(publication_id, thin, now) for publication_id, thin in by_publication.items())


def _thin_pages(now: datetime) -> dict[int, list[_Thin]]:
    """List pages by publication, in the order of their reading."""
    # Asked row by row: SQLite would begin with all articles' pages.
    is_article = Exists(Page.objects.filter(pk=OuterRef("page"), kind=PageKind.ARTICLE))
    rows = Extraction.objects.filter(
        is_article, thin_at__gte=now - REMEMBERED, due_at=None
    ).order_by("-thin_at")
    found: dict[int, list[_Thin]] = defaultdict(list)
    columns = ("page__publication", "pk", "page", "page__found_at", "thin_at", "page__visited_at")
    for publication_id, pk, page_id, found_at, at, visited_at in rows.values_list(*columns)[
        :_READ_AT_ONCE
    ]:
        found[publication_id].insert(0, _Thin(pk, page_id, found_at, at, visited_at or at))
    return found


def _look(publication_id: int, thin: Sequence[_Thin], now: datetime) -> int:
    """Judge the pages after which the site brought texts: a run of them is visited again."""
    texts = Article.objects.filter(publication=publication_id).exclude(kind=ArticleKind.SHORT)
    newest = list(texts.order_by("-pk").values_list("created_at", flat=True)[:WELL_RUN])
    ready = [page for page in thin if len(newest) == WELL_RUN and page.at < newest[-1]]
    if not ready:
        return 0
    first = max(min(page.found_at for page in ready), now - 2 * REMEMBERED)
    since = texts.filter(dated_at__gte=now - 2 * REMEMBERED, created_at__gte=first)
    stored = sorted(since.values_list("created_at", flat=True))
    runs = Counter(bisect_left(stored, page.at) for page in thin)
    broken = [page for page in ready if runs[bisect_left(stored, page.at)] >= BROKEN_RUN]
    single = {page.row_id for page in ready} - {page.row_id for page in broken}
    Extraction.objects.filter(pk__in=single).update(thin_at=None)
    reason = "planned: it held little while its site was broken, which brings texts again"
    return sum(
        revisits.look_again([page.page_id], max(now, page.again_at(stored)), reason)
        for page in broken
    )
