"""The detect stage: articles → sentence hashes, pairs of like articles, originals and stories.

Marks, never deletes (COR-88). The heavy part, splitting and hashing, is done before the
transaction. Inside it, one batch at a time has the writing turn (a locked row on PostgreSQL, an
immediate transaction on SQLite), so of two copies in the hands of two workers the second always
finds the first. Detecting an article again replaces what its former text brought.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, Max, Q, Value, When
from django.db.models.functions import Concat

from dedup.clustering import regroup
from dedup.models import Detection, Duplicate, SentenceHash, Verdict
from dedup.similarity.sentences import sentence_hashes
from dedup.twins import Pair, Text, find_pairs
from extraction.models import Article
from extraction.text.sentences import split_sentences
from feeds import leases
from feeds.leases import Claim
from feeds.models import Lock, Page, PageKind

logger = logging.getLogger(__name__)

# A sweep looks at pages visited in the last day of the crawl's life; older ones were swept then.
SWEEP_WINDOW = timedelta(days=1)
_TURN = "detect"
_LEFT_OUT = "-out"
_ROWS_PER_INSERT = 2000


@dataclass(frozen=True, slots=True)
class DetectReport:
    """What a batch came to: `article_ids` go on, those whose cluster changed among them."""

    n_claimed: int = 0
    article_ids: tuple[int, ...] = ()
    duplicates: int = 0  # articles that turned out to be copies
    quarantined: int = 0


@dataclass(frozen=True, slots=True)
class _Reading:
    """A claimed row with its article, read and hashed before the transaction."""

    row: Detection
    text: Text
    is_in_corpus: bool

    @property
    def input_digest(self) -> str:
        """What the row holds when this reading has been stored; see `_is_stale`."""
        return self.text.digest + ("" if self.is_in_corpus else _LEFT_OUT)


def register(article_ids: Collection[int], now: datetime) -> None:
    """Make articles due whose present text has not been detected."""
    Detection.objects.bulk_create(
        [Detection(article_id=article_id, due_at=now) for article_id in article_ids],
        ignore_conflicts=True,
    )
    known = Detection.objects.filter(article_id__in=article_ids)
    known.filter(_is_stale(), due_at=None, quarantined_at=None).update(due_at=now)


def pending(limit: int, now: datetime) -> int:
    """Register up to `limit` articles whose text is new or has changed; returns how many."""
    pages = Page.objects.filter(kind=PageKind.ARTICLE)
    newest = pages.aggregate(at=Max("visited_at"))["at"]
    if newest is None:
        return 0
    recent = pages.filter(visited_at__gte=newest - SWEEP_WINDOW)
    # In order of arrival: of two twins the earlier one must be there first.
    unknown = Article.objects.filter(page__in=recent, detection=None).order_by("pk")
    stale = Detection.objects.filter(
        _is_stale(), article__page__in=recent, due_at=None, quarantined_at=None
    )
    new_ids = unknown.values_list("pk", flat=True)[:limit]
    changed_ids = stale.values_list("article_id", flat=True)[:limit]
    article_ids = [*new_ids, *changed_ids][:limit]
    if article_ids:
        register(article_ids, now)
    return len(article_ids)


def run(limit: int, terms: Claim) -> DetectReport:
    """Claim up to `limit` articles and detect them."""
    ids = leases.claim(Detection.objects.all(), limit, terms)
    if not ids:
        return DetectReport()
    rows = list(Detection.objects.filter(pk__in=ids))
    articles = Article.objects.only("text", "text_digest", "in_corpus", "dated_at").in_bulk(
        [row.article_id for row in rows]
    )
    readings, n_quarantined = [], 0
    for row in rows:
        try:
            readings.append(_read(row, articles[row.article_id]))
        except Exception as error:
            logger.exception("detection of article %s failed", row.article_id)
            n_quarantined += leases.fail(row, terms.owner, repr(error), terms.now)
    report = _store(readings, terms)
    return replace(report, n_claimed=len(ids), quarantined=n_quarantined)


def judge(pair_ids: Collection[int], verdict: Verdict, now: datetime) -> int:
    """Write an editor's verdict on pairs and regroup their articles; returns how many pairs."""
    pairs = Duplicate.objects.filter(pk__in=pair_ids)
    with transaction.atomic():
        _take_turn(now)
        n_pairs = pairs.update(verdict=verdict)
        ends = pairs.order_by().values_list("article_id", "other_id")
        regroup({article_id for both in ends for article_id in both}, now)
    return n_pairs


def _is_stale() -> Q:
    """Whether a row is not (or no longer) that of its article's text and place in the corpus."""
    place = Case(When(article__in_corpus=True, then=Value("")), default=Value(_LEFT_OUT))
    return ~Q(done_digest=Concat(F("article__text_digest"), place))


def _read(row: Detection, article: Article) -> _Reading:
    """Split and hash one article; what is left out of the corpus has no sentences here."""
    spans = split_sentences(article.text) if article.in_corpus else []
    keys = tuple(sentence_hashes(article.text, spans))
    text = Text(article.pk, article.dated_at, article.text_digest, keys)
    return _Reading(row, text, article.in_corpus)


def _store(readings: Sequence[_Reading], terms: Claim) -> DetectReport:
    """Write a batch's findings, clusters and closed leases in one transaction."""
    with transaction.atomic():
        _take_turn(terms.now)
        ours = set(
            Detection.objects.select_for_update()
            .filter(pk__in=[reading.row.pk for reading in readings], lease_owner=terms.owner)
            .values_list("pk", flat=True)
        )
        readings = [reading for reading in readings if reading.row.pk in ours]
        again = [r.text.article_id for r in readings if r.row.detected_at is not None]
        kept = _forget(again) if again else set()
        findings = find_pairs([reading.text for reading in readings if reading.is_in_corpus])
        SentenceHash.objects.bulk_create(findings.rows, batch_size=_ROWS_PER_INSERT)
        new_pairs = [
            _as_row(pair, terms.now)
            for pair in findings.pairs
            if frozenset((pair.article_id, pair.other_id)) not in kept
        ]
        Duplicate.objects.bulk_create(new_pairs, batch_size=_ROWS_PER_INSERT)
        _close(readings, terms)
        regrouping = regroup([reading.text.article_id for reading in readings], terms.now)
    article_ids = {reading.text.article_id for reading in readings} | set(regrouping.moved)
    return DetectReport(
        article_ids=tuple(sorted(article_ids)), duplicates=len(regrouping.new_copies)
    )


def _take_turn(now: datetime) -> None:
    """Wait until no other batch is being written; the turn ends with the transaction."""
    Lock.objects.select_for_update().get_or_create(
        name=_TURN, defaults={"lease_owner": _TURN, "lease_until": now}
    )


def _forget(article_ids: list[int]) -> set[frozenset[int]]:
    """Take away what the articles' former texts brought.

    Returns the pairs that stay, since an editor has judged them.
    """
    SentenceHash.objects.filter(article_id__in=article_ids).delete()
    pairs = Duplicate.objects.filter(Q(article_id__in=article_ids) | Q(other_id__in=article_ids))
    pairs.filter(verdict=Verdict.OPEN).delete()
    return {frozenset(ends) for ends in pairs.values_list("article_id", "other_id")}


def _as_row(pair: Pair, now: datetime) -> Duplicate:
    return Duplicate(
        article_id=pair.article_id,
        other_id=pair.other_id,
        relation=pair.relation.value,
        similarity=pair.similarity,
        n_shared=pair.n_shared,
        detected_at=now,
    )


def _close(readings: Sequence[_Reading], terms: Claim) -> None:
    for reading in readings:
        row = reading.row
        row.done_digest = reading.input_digest
        row.n_sentences = len(reading.text.keys)
        row.detected_at = terms.now
    rows = [reading.row for reading in readings]
    # One insert that updates on conflict: a third of the time of bulk_update's CASE expressions.
    Detection.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["done_digest", "n_sentences", "detected_at"],
    )
    leases.complete_many(Detection, [row.pk for row in rows], terms.owner)
