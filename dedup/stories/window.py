"""What a pass of the stories reads: articles that wait for a place, and the window around them.

The words of a text are read once and stored; a pass loads them again, a few hundred bytes each.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import F, Min, Q

from dedup.models import (
    Detection,
    Duplicate,
    SentenceHash,
    StoryCluster,
    StoryReport,
    Verdict,
)
from dedup.similarity.events.likeness import Telling
from dedup.similarity.events.stories import Decided
from dedup.similarity.events.tfidf import lead_hashes, terms, unpacked
from dedup.stage.rows import chunks
from dedup.stage.texts import by_code_points
from feeds.work.row_updates import update_rows

# A pass of so many took some three seconds of CPU in a window that grew to ten thousand texts.
BATCH = 1000
# The newest texts of a window: bounds a pass's memory whatever the crawl brings.
MAX_TELLINGS = 100_000
_READ_AT_ONCE = 200
# Conditions of one query: SQLite takes expressions up to a depth of a thousand.
_STRETCHES_AT_ONCE = 100
# Where a text stands, in time and among the others.
_PLACE = ("article", "original", "story", "article__dated_at")


@dataclass(frozen=True, slots=True)
class PassBatch:
    """A batch of articles to place, the earliest first, by what is to be done with them."""

    texts: tuple[Detection, ...] = ()  # with a text of their own
    copies: tuple[Detection, ...] = ()  # they go where the original goes
    left_out: tuple[int, ...] = ()  # of no corpus
    asked_until: datetime | None = None  # who is put before a pass after this waits on

    @property
    def article_ids(self) -> list[int]:
        rows = [row.article_id for row in (*self.texts, *self.copies)]
        return sorted([*rows, *self.left_out])


def waiting(span: timedelta) -> PassBatch:
    """Choose the earliest articles that wait, whatever their dates.

    Only those within `span` of the first one where the years between hold too many tellings.
    """
    rows = list(
        StoryReport.objects.filter(placed_at=None)
        .order_by("article__dated_at", by_code_points("article__url"), "article_id")
        .values_list("article_id", "article__dated_at", "asked_at")[:BATCH]
    )
    ids = [article_id for article_id, _, _ in rows]
    if rows and _is_crowded(rows[0][1] - span, rows[-1][1] + span):
        ids = [article_id for article_id, dated_at, _ in rows if dated_at <= rows[0][1] + span]
    detections = Detection.objects.filter(
        article_id__in=ids, article__in_corpus=True, detected_at__isnull=False
    ).select_related("article")
    # Whole rows of so many articles take 18 MB more, and a tenth of the pass.
    read = detections.only(*_PLACE, "article__title", "article__text", "article__text_digest")
    found = list(read.order_by("article__dated_at", "article_id"))
    kept = {row.article_id for row in found}
    return PassBatch(
        texts=tuple(row for row in found if _is_original(row)),
        copies=tuple(row for row in found if not _is_original(row)),
        left_out=tuple(article_id for article_id in ids if article_id not in kept),
        asked_until=max((asked_at for _, _, asked_at in rows), default=None),
    )


def _is_crowded(first: datetime, last: datetime) -> bool:
    tellings = StoryReport.objects.filter(article__dated_at__range=(first, last))
    return tellings.order_by().values("pk")[: MAX_TELLINGS + 1].count() > MAX_TELLINGS


def _is_original(row: Detection) -> bool:
    return row.original_id in {None, row.article_id}


def read_words(rows: Sequence[Detection]) -> set[int]:
    """Store the words of texts that are new or have changed.

    Returns the articles whose text had been another one before; their former digest stays until
    the pass has placed them (`keep_digests`), so that the next one after a kill sees it as well.
    """
    known = StoryReport.objects.in_bulk([row.article_id for row in rows])
    stale = [row for row in rows if known[row.article_id].digest != row.article.text_digest]
    changed = {row.article_id for row in stale if known[row.article_id].digest}
    for start in range(0, len(stale), _READ_AT_ONCE):
        part = stale[start : start + _READ_AT_ONCE]
        hashes = {row.article_id: set(lead_hashes(row.article.text)) for row in part}
        recurring = _recurring(part, hashes)
        for row in part:
            telling = known[row.article_id]
            own = hashes[row.article_id] & recurring[row.article_id]
            telling.terms = terms(row.article.title, row.article.text, own).packed()
            telling.digest = telling.digest or row.article.text_digest
        update_rows([known[row.article_id] for row in part], ["terms", "digest"])
    return changed


def keep_digests(rows: Iterable[Detection], changed: Collection[int]) -> None:
    """Let changed texts count as read, within the transaction that places them."""
    for row in rows:
        if row.article_id in changed:
            StoryReport.objects.filter(article_id=row.article_id).update(
                digest=row.article.text_digest
            )


def _recurring(rows: Iterable[Detection], hashes: dict[int, set[int]]) -> dict[int, set[int]]:
    """Find for each article the sentences that another text has too.

    They tell nothing of its event: issues of a column have them, and what is quoted from elsewhere.
    """
    holders: defaultdict[int, set[int]] = defaultdict(set)
    for chunk in chunks(set().union(*hashes.values())):
        stored = SentenceHash.objects.filter(hash__in=chunk).values_list(
            "hash", "article__detection__original_id"
        )
        for key, original_id in stored:
            holders[key].add(original_id)
    return {
        row.article_id: {key for key in hashes[row.article_id] if holders[key] - {row.original_id}}
        for row in rows
    }


def stories_left(batch: PassBatch) -> set[int]:
    """Name the stories that articles leave without a pass's doing, or whose first was deleted."""
    found: set[int] = set()
    for chunk in chunks(batch.left_out):
        gone = Detection.objects.filter(article_id__in=chunk, story__isnull=False)
        found.update(gone.values_list("story_id", flat=True))
    copies = {row.article_id: row.story_id for row in batch.copies if row.story_id is not None}
    for chunk in chunks(copies):
        elsewhere = Detection.objects.filter(article_id__in=chunk).exclude(
            original__detection__story=F("story")
        )
        found.update(copies[pk] for pk in elsewhere.values_list("article_id", flat=True))
    for chunk in chunks({row.story_id for row in batch.texts if row.story_id is not None}):
        headless = StoryCluster.objects.filter(pk__in=chunk, first=None)
        found.update(headless.values_list("pk", flat=True))
    return found


def remaining(story_ids: Collection[int]) -> list[Detection]:
    """Load the texts that stand in stories, in order of time."""
    found: list[Detection] = []
    for chunk in chunks(story_ids):
        texts = Detection.objects.filter(story_id__in=chunk, original_id=F("article_id"))
        found += texts.select_related("article").only(*_PLACE)
    return found


def tellings_around(
    rows: Sequence[Detection],
    changed: Collection[int],
    around: Sequence[Detection],
    span: timedelta,
) -> list[Telling]:
    """Load the texts to place and all that were placed within `span` of `around`, by time.

    An article that has a story keeps it unless its text is in `changed`; the new original of a text
    comes into the story of its copies.
    """
    own_ids = {row.article_id for row in rows}
    inherited = _stories_of_copies(own_ids)
    tellings: list[Telling] = []
    urls: dict[int, str] = {}
    for pk, packed, title, site, dated_at, url, story, placed_at in _stored_around(around, span):
        if pk in own_ids:
            place = None if pk in changed else story or inherited.get(pk)
        elif placed_at is None:
            continue
        else:
            place = story or -pk
        words = unpacked(bytes(packed))
        tellings.append(Telling(pk, words, title, str(site), dated_at.timestamp(), place))
        urls[pk] = url
    tellings.sort(key=lambda telling: (telling.seconds, urls[telling.key], telling.key))
    return tellings


def _stored_around(rows: Sequence[Detection], span: timedelta) -> Iterable[tuple[Any, ...]]:
    """Read what is known of the texts within `span` of any of these, the newest of a stretch."""
    stretches = _stretches(rows, span)
    for start in range(0, len(stretches), _STRETCHES_AT_ONCE):
        part = stretches[start : start + _STRETCHES_AT_ONCE]
        within = reduce(or_, (Q(article__dated_at__range=stretch) for stretch in part))
        found = (
            StoryReport.objects.filter(
                within,
                article__in_corpus=True,
                article__detection__original_id=F("article_id"),
            )
            .exclude(digest="")
            .order_by("-article__dated_at", "-article_id")
            .values_list(
                "article_id", "terms", "article__title", "article__publication_id",
                "article__dated_at", "article__url", "article__detection__story_id", "placed_at",
            )[:MAX_TELLINGS]
        )  # fmt: skip
        yield from found.iterator()


def _stretches(rows: Sequence[Detection], span: timedelta) -> list[tuple[datetime, datetime]]:
    """Give the time around texts in order of time, in as few stretches as cover it."""
    found: list[tuple[datetime, datetime]] = []
    for row in sorted(rows, key=lambda row: row.article.dated_at):
        first, last = row.article.dated_at - span, row.article.dated_at + span
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return found


def _stories_of_copies(article_ids: Collection[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for chunk in chunks(article_ids):
        copies = Detection.objects.filter(original_id__in=chunk, story__isnull=False).order_by()
        found |= dict(copies.values_list("original_id").annotate(story=Min("story_id")))
    return found


def words_of_editors(tellings: Iterable[Telling]) -> Decided:
    """Read what editors said of pairs of these tellings; a copy's word is that of its text."""
    pairs = list(
        Duplicate.objects.filter(verdict__in=[Verdict.EVENT, Verdict.DIFFERENT])
        .order_by("pk")
        .values_list("article__detection__original_id", "other__detection__original_id", "verdict")
    )
    known = {telling.key for telling in tellings}
    inside = [pair for pair in pairs if pair[0] in known and pair[1] in known]
    return Decided(
        together=tuple((a, b) for a, b, verdict in inside if verdict == Verdict.EVENT and a != b),
        apart=tuple((a, b) for a, b, verdict in inside if verdict == Verdict.DIFFERENT and a != b),
    )


def freed(tellings: Sequence[Telling], decided: Decided) -> set[int]:
    """Name tellings that must leave their story: the later one of each pair kept apart in it."""
    by_key = {telling.key: (place, telling) for place, telling in enumerate(tellings)}
    found: set[int] = set()
    for pair in decided.apart:
        (first_place, first), (second_place, second) = (by_key[key] for key in pair)
        if first.story is not None and first.story == second.story:
            found.add(max((first_place, first.key), (second_place, second.key))[1])
    return found
