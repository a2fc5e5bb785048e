"""The way of one URL: seen in a feed → queued → fetched → archived → extracted → … → searchable.

Every step says whether it was done, refused or not reached, when, and why.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils import timezone

from dedup.models import Detection
from extraction.comment_status import thread_facts
from extraction.models import Article, Extraction
from feeds.crawler.outcomes import Outcome
from feeds.models import FeedItem, Fetch, Page, Work
from presentation.wording.figures import counted
from presentation.wording.times import stamp
from search.models import IndexedArticle
from search.wording.value_words import language_name

# A page visited for years has thousands of fetches; the newest tell enough.
FETCH_LIMIT = 20
LISTING_LIMIT = 10


class StepState(StrEnum):
    DONE = "done"
    REFUSED = "no"
    WAITING = "not reached"


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One decision on the way; `details` are facts in words, `article` the row they point to."""

    name: str
    state: StepState
    at: datetime | None = None
    details: tuple[str, ...] = ()
    took_ms: int | None = None
    fetch: Fetch | None = None
    article: Article | None = None


def timeline(article: Article) -> list[TimelineStep]:
    """All steps of an article's page in their order, in twelve queries."""
    page = article.page
    return [
        *_seen(page),
        TimelineStep("Queued", StepState.DONE, page.found_at, _words(page.due_reason)),
        *_fetched(page),
        _extracted(article),
        _language(article),
        _detected(article),
        _indexed(article),
        *_comments(article),
    ]


def _words(*facts: str | None) -> tuple[str, ...]:
    return tuple(fact.rstrip(".") for fact in facts if fact)


def _seen(page: Page) -> Iterator[TimelineStep]:
    listings = (
        FeedItem.objects.filter(page=page)
        .select_related("feed__page")
        .order_by("first_seen_at")[:LISTING_LIMIT]
    )
    for listing in listings:
        yield TimelineStep(
            "Seen in a feed",
            StepState.DONE,
            listing.first_seen_at,
            _words(f"feed “{listing.feed}”", page.feed_headline and f"as “{page.feed_headline}”"),
        )


def _fetched(page: Page) -> Iterator[TimelineStep]:
    newest = list(
        Fetch.objects.filter(page=page).select_related("host").order_by("-started_at")[:FETCH_LIMIT]
    )
    if not newest:
        yield TimelineStep("Fetched", StepState.WAITING, details=("not visited yet",))
    for fetch in reversed(newest):
        yield _fetch_step(fetch)
        if fetch.final_url and fetch.final_url != fetch.url:
            yield TimelineStep("Redirected", StepState.DONE, details=(f"to {fetch.final_url}",))
        if fetch.archive_offset is not None:
            place = f"{fetch.archive_file}, record at byte {fetch.archive_offset}"
            yield TimelineStep("Archived", StepState.DONE, details=(place,), fetch=fetch)


def _fetch_step(fetch: Fetch) -> TimelineStep:
    answered = Outcome(fetch.outcome).is_answer
    return TimelineStep(
        "Fetched",
        StepState.DONE if answered else StepState.REFUSED,
        fetch.started_at,
        _words(
            f"status {fetch.status}" if fetch.status else None,
            fetch.outcome.replace("_", " ") if fetch.outcome != Outcome.OK else None,
            fetch.error,
            fetch.next_visit_reason and f"next visit: {fetch.next_visit_reason}",
        ),
        fetch.elapsed_ms,
        fetch,
    )


def _troubles(row: Work) -> tuple[str, ...]:
    """Say what stands in the way of a stage's row."""
    if row.quarantined_at:
        return _words("put aside after repeated errors", row.last_error.strip().splitlines()[-1])
    return _words(row.last_error and f"last error: {row.last_error.strip().splitlines()[-1]}")


def _extracted(article: Article) -> TimelineStep:
    row = Extraction.objects.filter(page=article.page_id).first()
    if row is None or row.extracted_at is None:
        # The article is there, so its text was made; only the stage's own row is not.
        return TimelineStep(
            "Extracted", StepState.DONE, article.updated_at, _words(article.extractor)
        )
    confidence = article.confidence
    return TimelineStep(
        "Extracted",
        StepState.REFUSED if row.quarantined_at else StepState.DONE,
        row.extracted_at,
        _words(
            row.outcome,
            row.outcome_detail,
            article.extractor and f"by {article.extractor}",
            None if confidence is None else f"confidence {confidence:.2f}",
            f"{counted(article.n_words, 'word')}",
            *_troubles(row),
        ),
        row.elapsed_ms,
    )


def _language(article: Article) -> TimelineStep:
    if not article.language and not article.language_reason:
        return TimelineStep("Language", StepState.WAITING)
    return TimelineStep(
        "Language",
        StepState.DONE if article.in_corpus else StepState.REFUSED,
        None,
        _words(
            language_name(article.language),
            article.language_reason,
            None if article.in_corpus else f"left out of the corpus: {article.reason}",
        ),
    )


def _detected(article: Article) -> TimelineStep:
    row = Detection.objects.filter(article=article).select_related("original").first()
    if row is None or row.detected_at is None:
        return TimelineStep("Duplicate", StepState.WAITING, details=_troubles(row) if row else ())
    is_copy = row.original_id is not None and row.original_id != article.pk
    return TimelineStep(
        "Duplicate",
        StepState.DONE,
        row.detected_at,
        _words(
            "the same text as an earlier article"
            if is_copy
            else "no earlier article has this text",
            "told elsewhere too" if row.story_id else None,
            f"{counted(row.n_sentences, 'sentence')} compared",
        ),
        article=row.original if is_copy else None,
    )


def _indexed(article: Article) -> TimelineStep:
    row = IndexedArticle.objects.filter(article=article).first()
    if row is None or row.indexed_at is None:
        return TimelineStep("Searchable", StepState.WAITING, details=_troubles(row) if row else ())
    is_in = row.generation is not None and row.n_tokens > 0
    return TimelineStep(
        "Searchable" if is_in else "Not in the index",
        StepState.DONE if is_in else StepState.REFUSED,
        row.indexed_at,
        _words(
            row.outcome if not is_in else None,
            None if row.generation is None else f"since generation {row.generation}",
            f"{counted(row.n_tokens, 'token')}" if is_in else None,
            *_troubles(row),
        ),
    )


def _comments(article: Article) -> Iterator[TimelineStep]:
    """Tell of the thread of readers' comments: the last look at it, and the next."""
    facts = thread_facts(article)
    if facts is None or facts.is_in_page:
        return
    if facts.is_named_only:
        yield TimelineStep("Comments", StepState.REFUSED, details=(facts.named,))
        return
    ahead = None
    if facts.next_look_at is not None:
        which = "first look" if facts.is_first_look_ahead else "next look"
        ahead = f"{which} {stamp(timezone.localtime(facts.next_look_at))}: {facts.next_reason}"
    yield TimelineStep(
        "Comments",
        StepState.DONE if facts.thread.checked_at else StepState.WAITING,
        facts.last_look_at,
        _words(
            f"at {facts.name}",
            facts.share if facts.is_incomplete else None,
            facts.end,
            ahead,
        ),
    )
