"""The versions of an article for its page: what was shown when, and two of them side by side.

Between the texts stand the documents that were refused, and the visits that brought none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from dedup.comparison import Comparison, compare
from extraction.models import Article
from extraction.versions import ChangeSummary, TextVersion, refused_of
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, VisitFound
from search.models import IndexedArticle

# Answers of the site that are none of a text; what is the network's trouble is on the timeline.
_REFUSING = {
    Outcome.REDIRECTED_TO_SECTION: "Led to the front page or a section",
    Outcome.NOT_FOUND: "Not found",
    Outcome.GONE: "Gone",
    Outcome.FORBIDDEN: "Access refused",
    Outcome.CHALLENGE: "A bot guard answered",
}
MAX_REFUSING = 20


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A line of the list: a text, or what came instead of one (`refusal`, without a number)."""

    at: datetime
    text: TextVersion | None = None
    is_indexed: bool = False
    refusal: str = ""
    fetch_id: int | None = None

    @property
    def change(self) -> ChangeSummary | None:
        return self.text.change if self.text else None


@dataclass(frozen=True, slots=True)
class LastVisit:
    """When the last visit came, and what it found instead of the text."""

    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class VersionPair:
    """Two versions side by side, the earlier one left."""

    left: TextVersion
    right: TextVersion
    comparison: Comparison


def last_visit(article: Article) -> LastVisit | None:
    """Say what the last visit found in the place of the text; None where the text was there.

    A text of a collection has no page. Reads the article's page; a document that was refused costs
    two queries.
    """
    page = article.page
    if page is None or page.visited_at is None:
        return None
    for outcome, words in _REFUSING.items():
        if page.outcome == outcome.value:
            return LastVisit(page.visited_at, words)
    if page.content_fetch_id in {None, article.fetch_id}:
        return None
    newest = Fetch.objects.filter(pk=page.content_fetch_id, found=VisitFound.REFUSED).first()
    refused = refused_of(article)[-1:]
    return LastVisit(newest.started_at, refused[0].words) if newest and refused else None


def version_rows(article: Article, texts: Sequence[TextVersion]) -> list[VersionRow]:
    """List texts and refusals of an article, the newest first."""
    indexed = _indexed_number(article, texts)
    rows = [
        VersionRow(one.seen_at, one, one.number == indexed, fetch_id=one.fetch_id) for one in texts
    ]
    rows += [
        VersionRow(one.seen_at, refusal=one.words, fetch_id=one.fetch_id)
        for one in refused_of(article)
    ]
    rows += _without_text(article, texts[0].seen_at)
    return sorted(rows, key=lambda row: row.at, reverse=True)


def _indexed_number(article: Article, texts: Sequence[TextVersion]) -> int | None:
    """Find the version that searches find now; none of a text outside the index."""
    row = IndexedArticle.objects.filter(article=article).first()
    if row is None or row.generation is None or not row.n_tokens:
        return None
    return next((one.number for one in reversed(texts) if _is_of(row, one)), None)


def _is_of(row: IndexedArticle, text: TextVersion) -> bool:
    return bool(text.digest) and row.done_digest.startswith(text.digest)


def _without_text(article: Article, since: datetime) -> Iterator[VersionRow]:
    """Visits after the first text that the site answered otherwise; a run of one answer is one."""
    if article.page_id is None:
        return
    fetches = Fetch.objects.filter(page=article.page_id, started_at__gt=since)
    columns = fetches.order_by("started_at").values_list("outcome", "started_at")
    refusing = {outcome.value: words for outcome, words in _REFUSING.items()}
    before = ""
    found = []
    for outcome, started_at in columns:
        if outcome in refusing and outcome != before:
            found.append(VersionRow(started_at, refusal=refusing[outcome]))
        before = outcome
    yield from found[-MAX_REFUSING:]


def chosen_pair(
    texts: Sequence[TextVersion], first: int | None, second: int | None, *, only_differences: bool
) -> VersionPair | None:
    """Put two versions side by side; the newest against the one before where none are named."""
    by_number = {one.number: one for one in texts if not one.is_withdrawn}
    numbers = sorted(by_number)
    if len(numbers) < 2:
        return None
    right = second if second in by_number else numbers[-1]
    below = [number for number in numbers if number != right]
    earlier = [number for number in below if number < right] or below
    left = first if first in by_number and first != right else earlier[-1]
    one, other = (by_number[number] for number in sorted((left, right)))
    found = compare(one.as_article, other.as_article, only_differences=only_differences)
    return VersionPair(one, other, found)
