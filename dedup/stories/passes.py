"""The story stage: detected articles → which of them tell of the same event.

A central pass works through all articles that wait, in order of time, some minutes after the
one before; while the window is small it follows at once. Effects and the end of the pass's lease
are one transaction, so a killed pass changes nothing, and a story keeps its number.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic

from django.db import transaction
from django.db.models import F, Q

from dedup.models import Detection, StoryCluster, StoryPass, StoryReport
from dedup.similarity.events.likeness import Telling
from dedup.similarity.events.stories import Story, find_stories, lone
from dedup.stage.rows import chunks
from dedup.stories import window
from dedup.stories.groups import StoryWriter, left_by, named_as_before
from dedup.stories.settling import settle
from dedup.stories.window import PassBatch
from feeds.parameters.values import value
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from feeds.work.rounds import Question, find

# Up to so many texts in the window a pass takes about a second and need not be saved up for.
AT_ONCE_UP_TO = 2000
_ONLY_ROW = 1


_IS_DETECTED = Q(detected_at__isnull=False, due_at=None)
_IS_UNKNOWN = Q(article__in_corpus=True, article__story_report=None)
_HAS_CHANGED = Q(
    article__in_corpus=True, article__story_report__placed_at__lt=F("detected_at")
) & ~Q(article__story_report__digest=F("article__text_digest"))
# Those that wait for a pass are known: a pass of a large window comes minutes later.
_WAITS = Q(article__story_report__isnull=False, article__story_report__placed_at=None)
_WAS_LEFT_OUT = Q(article__in_corpus=False, story__isnull=False) & ~_WAITS
_NOT_AS_DETECTED = Question(
    "stories",
    Detection,
    _IS_DETECTED & (_IS_UNKNOWN | _HAS_CHANGED | _WAS_LEFT_OUT),
    "article_id",
)


def register(article_ids: Collection[int], now: datetime) -> None:
    """Let articles wait for the next pass: new ones, and those whose text or cluster changed."""
    if not article_ids:
        return
    StoryReport.objects.bulk_create(
        [StoryReport(article_id=article_id, asked_at=now) for article_id in article_ids],
        ignore_conflicts=True,
    )
    for chunk in chunks(article_ids):
        StoryReport.objects.filter(article_id__in=chunk).update(placed_at=None, asked_at=now)
    _call_pass(now)


def pending(limit: int, now: datetime) -> int:
    """Register detected articles that no pass has heard of, and call a pass for those that wait.

    Of a large corpus only a part is looked at, see `feeds.work.rounds`.
    """
    ids = find(limit, _NOT_AS_DETECTED)
    ids += _of_headless(limit - len(ids))
    register(ids, now)
    settle(now)
    resting = StoryPass.objects.filter(due_at=None)
    if not ids and resting.exists() and StoryReport.objects.filter(placed_at=None).exists():
        _call_pass(now)
    return len(ids)


def _of_headless(limit: int) -> list[int]:
    """List articles whose story lost its first, and perhaps what held the others together."""
    headless = list(
        StoryCluster.objects.filter(first=None, continued_in=None).values_list("pk", flat=True)[
            :limit
        ]
    )
    if not headless:
        return []
    orphaned = Detection.objects.filter(
        _IS_DETECTED, story__in=headless, article__story_report__placed_at__isnull=False
    )
    return list(orphaned.values_list("article_id", flat=True)[:limit])


def _call_pass(now: datetime) -> None:
    row, _ = StoryPass.objects.get_or_create(pk=_ONLY_ROW)
    due_at = now
    # One that is under way has read its articles, and its time counts from now on.
    last_run_at = now if row.lease_owner else row.last_run_at
    if last_run_at is not None and row.n_reports > AT_ONCE_UP_TO:
        due_at = max(now, last_run_at + timedelta(minutes=value("STORY_MINUTES")))
    StoryPass.objects.filter(pk=row.pk).at_rest_or_held().reschedule(due_at)


def run(limit: int, terms: Claim) -> Report:
    """Make a pass when one is due: one batch of the articles that wait.

    Articles that have another story now go on, to be indexed again.
    """
    return run_each(StoryPass.objects.all(), limit, terms, _pass)


def _pass(row: StoryPass, terms: Claim) -> Report:
    began = monotonic()
    span = timedelta(days=value("STORY_WINDOW_DAYS"))
    batch = window.waiting(span)
    changed = window.read_words(batch.texts)
    tellings, stories = _stories_of(batch, changed, span)
    with transaction.atomic():
        writer = StoryWriter(terms.now)
        new = {telling.key: telling for telling in tellings if telling.story is None}
        writer.write(_changed(stories, tellings, batch), lone(stories, new))
        writer.follow(batch.copies)
        writer.leave(batch.left_out)
        writer.visit([*batch.texts, *batch.copies])
        writer.close()
        window.keep_digests(batch.texts, changed)
        _mark_placed(batch, terms.now)
        is_more = StoryReport.objects.filter(placed_at=None).exists()
        leases.complete_or_undo(
            row,
            terms.owner,
            due_at=terms.now if is_more else None,
            last_run_at=terms.now,
            n_reports=len(tellings),
            n_placed=len(batch.article_ids),
            elapsed_ms=round((monotonic() - began) * 1000),
        )
    placed = Counter(placed=len(batch.article_ids))
    return Report(done=placed, next_ids={"articles": tuple(sorted(writer.moved))})


def _stories_of(
    batch: PassBatch, changed: Collection[int], span: timedelta
) -> tuple[list[Telling], list[Story]]:
    left = window.stories_left(batch)
    around = (*batch.texts, *window.remaining(left))
    if not around:
        return [], []
    tellings = window.tellings_around(batch.texts, changed, around, span)
    decided = window.words_of_editors(tellings)
    free = window.freed(tellings, decided)
    tellings = [
        replace(telling, story=None) if telling.key in free else telling for telling in tellings
    ]
    stories = find_stories(tellings, decided, window_seconds=span.total_seconds())
    was = {row.article_id: row.story_id for row in batch.texts}
    left |= left_by(stories, was)
    stood = {telling.key: telling.story for telling in tellings if telling.story in left}
    if stood:
        # Who left may have been all that held the others together.
        tellings = [replace(row, story=None) if row.key in stood else row for row in tellings]
        stories = find_stories(tellings, decided, window_seconds=span.total_seconds())
    former = {key: story_id for key, story_id in was.items() if story_id in left}
    return tellings, named_as_before(stories, former | stood)


def _changed(
    stories: Iterable[Story], tellings: Iterable[Telling], batch: PassBatch
) -> list[Story]:
    """Keep the stories that are not what is stored; most of a window stays."""
    was = {telling.key: telling.story for telling in tellings}
    was |= {row.article_id: row.story_id for row in batch.texts}
    return [
        story
        for story in stories
        if story.name is None or {was[key] for key in story.keys} != {story.name}
    ]


def _mark_placed(batch: PassBatch, now: datetime) -> None:
    """Let the batch wait no longer, save those who were put before a pass again meanwhile."""
    for chunk in chunks(batch.article_ids):
        StoryReport.objects.filter(article_id__in=chunk, asked_at__lte=batch.asked_until).update(
            placed_at=now
        )
    StoryReport.objects.filter(article_id__in=batch.left_out).update(digest="", terms=b"")
