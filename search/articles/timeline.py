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
from extraction.models import Article, CollectedText, CorrectionChange, Extraction
from extraction.text.language_names import language_name
from extraction.versions import refused_of, versions_of
from feeds.archive.outside import is_outside
from feeds.crawler.outcomes import Outcome
from feeds.models import FeedItem, Fetch, Page, VisitFound, Work
from presentation.wording.figures import counted, percent
from presentation.wording.times import span, stamp
from search.articles.fields import FIELD_WORDS
from search.models import IndexedArticle

# A page visited for years has thousands of fetches; the newest tell enough.
FETCH_LIMIT = 20
LISTING_LIMIT = 10
VERSION_LIMIT = 20


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
    """All steps of an article in their order, in some fifteen queries."""
    page = article.page
    return [
        *([_given(article)] if page is None else _visited(page)),
        *_versions(article),
        *([] if page is None else [_extracted(article)]),
        *_twin(article),
        *_worded(article),
        _language(article),
        _detected(article),
        _indexed(article),
        *_comments(article),
        *([] if page is None else _next_visit(page)),
    ]


def _visited(page: Page) -> Iterator[TimelineStep]:
    yield from _seen(page)
    yield _queued(page)
    yield from _fetched(page)


def _given(article: Article) -> TimelineStep:
    """Tell of a text of a collection when it came, and out of which file."""
    given = CollectedText.objects.filter(article=article).first()
    return TimelineStep(
        "Given",
        StepState.DONE,
        article.created_at,
        _words(
            f"to the collection “{article.publication}”",
            f"as “{given.name}”" if given and given.name else None,
            f"in the file {given.file_name}" if given and given.file_name else None,
            f"{counted(article.n_words, 'word')}",
        ),
    )


def _words(*facts: str | None) -> tuple[str, ...]:
    return tuple(fact.rstrip(".") for fact in facts if fact)


def _seen(page: Page) -> Iterator[TimelineStep]:
    listings = (
        FeedItem.objects.filter(page=page)
        .select_related("feed__page")
        .order_by("first_seen_at")[:LISTING_LIMIT]
    )
    is_shown = not Article.objects.filter(page=page, withdrawn_at__isnull=False).exists()
    headline = page.feed_headline if is_shown else ""
    for listing in listings:
        yield TimelineStep(
            "Seen in a feed",
            StepState.DONE,
            listing.first_seen_at,
            _words(f"feed “{listing.feed}”", headline and f"as “{headline}”"),
        )


def _queued(page: Page) -> TimelineStep:
    """Say why the page was queued, as long as no visit has given it another reason."""
    reason = "" if page.visited_at else page.due_reason
    return TimelineStep("Queued", StepState.DONE, page.found_at, _words(reason))


def _next_visit(page: Page) -> Iterator[TimelineStep]:
    """Tell the visit to come of a page that is known."""
    if page.visited_at and page.due_at and not page.quarantined_at:
        reason = _words(page.due_reason)
        yield TimelineStep("Next visit", StepState.WAITING, page.due_at, reason)


def _fetched(page: Page) -> Iterator[TimelineStep]:
    newest = list(
        Fetch.objects.filter(page=page).select_related("host").order_by("-started_at")[:FETCH_LIMIT]
    )
    if not newest:
        yield TimelineStep("Fetched", StepState.WAITING, details=("not visited yet",))
    known = set() if len(newest) < FETCH_LIMIT else {""}
    for fetch in reversed(newest):
        yield _fetch_step(fetch, is_first=not known)
        known.add(fetch.digest)
        if fetch.final_url and fetch.final_url != fetch.url:
            yield TimelineStep("Redirected", StepState.DONE, details=(f"to {fetch.final_url}",))
        if fetch.archive_offset is not None:
            is_ours = not is_outside(fetch.archive_file)
            file = fetch.archive_file if is_ours else "in the file that was imported, by reference"
            place = f"{file}, record at byte {fetch.archive_offset}"
            yield TimelineStep("Archived", StepState.DONE, details=(place,), fetch=fetch)


# What a later visit found, beside what its outcome says.
_FOUND = {
    VisitFound.SAME_BYTES: "the same document",
    VisitFound.SAME_TEXT: "the same text",
    VisitFound.CHANGED: "a version: another text",
    VisitFound.REFUSED: "not the article’s text",
}


def _fetch_step(fetch: Fetch, *, is_first: bool) -> TimelineStep:
    answered = Outcome(fetch.outcome).is_answer
    return TimelineStep(
        "Fetched" if is_first else "Visited again",
        StepState.DONE if answered else StepState.REFUSED,
        fetch.started_at,
        _words(
            f"status {fetch.status}" if fetch.status else None,
            _copy_words(fetch),
            fetch.outcome.replace("_", " ") if fetch.outcome != Outcome.OK else None,
            fetch.error,
            None if is_first else _FOUND.get(VisitFound(fetch.found)),
            None if is_first else fetch.visit_reason,
            fetch.next_visit_reason and f"next visit: {fetch.next_visit_reason}",
        ),
        fetch.elapsed_ms,
        fetch,
    )


def _copy_words(fetch: Fetch) -> str:
    """Say of a copy which archive gave it, and when that had seen the page."""
    if fetch.seen_at is None:
        return ""
    return f"a copy that {fetch.archive_host} had seen {stamp(timezone.localtime(fetch.seen_at))}"


def _versions(article: Article) -> Iterator[TimelineStep]:
    """Tell what later visits brought: versions, and documents that were refused."""
    steps = [
        TimelineStep(
            f"Version {one.number}",
            StepState.DONE,
            one.seen_at,
            _words(f"changed after {span(one.change.after.total_seconds())}", one.change.words),
        )
        for one in versions_of(article)
        if one.change is not None
    ]
    steps += [
        TimelineStep(
            "Refused as a version", StepState.REFUSED, one.seen_at,
            (one.words, "the text before was kept"),
        )
        for one in refused_of(article)
    ]  # fmt: skip
    newest = sorted(steps, key=lambda step: step.at or article.created_at)[-VERSION_LIMIT:]
    yield from newest


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
            article.extractor and f"by {article.extractor.replace('_', ' ')}",
            None if confidence is None else f"confidence {percent(confidence)}",
            f"{counted(article.n_words, 'word')}",
            *_troubles(row),
        ),
        row.elapsed_ms,
    )


def _twin(article: Article) -> Iterator[TimelineStep]:
    """Name the earlier article under the same last part of an address, where there is one."""
    if article.slug_twin is not None:
        yield TimelineStep(
            "Same story at another address",
            StepState.DONE if article.in_corpus else StepState.REFUSED,
            details=_words("an earlier article has the same last part of its address"),
            article=article.slug_twin,
        )


def _worded(article: Article) -> Iterator[TimelineStep]:
    """Tell what editors said of the article, oldest first."""
    changes = CorrectionChange.objects.filter(article=article).select_related("made_by")
    for change in reversed(changes[:FETCH_LIMIT]):
        what = FIELD_WORDS.get(change.field, change.field).lower()
        yield TimelineStep(
            f"{what} {change.get_kind_display()}".strip().capitalize(),
            StepState.DONE,
            change.made_at,
            _words(
                f"by {change.made_by}" if change.made_by else "by somebody who is gone",
                f"“{change.before}” → “{change.after}”" if change.field else change.before,
            ),
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
