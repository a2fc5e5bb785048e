"""The detect stage: articles → fingerprints, sentence hashes, pairs of like articles, originals.

Marks, never deletes: another method or limit must find all texts again. The heavy part, splitting
and hashing, is done before the transaction. Inside it, one batch at a time has the writing turn, so
of two copies in the hands of two workers the second always finds the first, and a killed worker
leaves all or nothing. Detecting an article again replaces what its former text brought; texts that
were joined to it are detected again too. An article whose row holds the digest of its present text
is only closed.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Case, F, Max, Q, Value, When
from django.db.models.functions import Concat, Length

from dedup.models import Detection
from dedup.stage import detect_methods
from dedup.stage.detect_methods import SHINGLES, Method
from dedup.stage.rows import detect_again
from dedup.stage.storing import ReadText, store
from dedup.stage.texts import NO_SIGNATURE, Text, keyed, signature_of
from extraction.models import Article
from feeds.models import IS_HELD, Page, PageKind
from feeds.work import leases
from feeds.work.batches import Failures, Report, each
from feeds.work.leases import Claim

# A sweep looks at pages visited in the last day of the crawl's life; older ones were swept then.
SWEEP_WINDOW = timedelta(days=1)
_TEXT_KINDS = (PageKind.ARTICLE, PageKind.POST)
# A hundred and fifty bytes of arrays a word: a piece takes some 150 MB at most, or one text.
PIECE_CHARACTERS = 5_000_000
_LEFT_OUT = "-out"


class _ClaimedText(NamedTuple):
    """A claimed row with what is read of its article."""

    row_id: int
    article_id: int
    body: str
    text_digest: str
    in_corpus: bool
    dated_at: datetime
    url: str


def register(article_ids: Collection[int], now: datetime) -> None:
    """Make articles due whose present text has not been detected."""
    Detection.objects.bulk_create(
        [Detection(article_id=article_id, due_at=now) for article_id in article_ids],
        ignore_conflicts=True,
    )
    known = Detection.objects.filter(article_id__in=article_ids)
    known.filter(IS_HELD | _is_stale()).at_rest_or_held().reschedule(now)


def pending(limit: int, now: datetime) -> int:
    """Register up to `limit` articles whose text is new or has changed; returns how many."""
    n_lost = _register_lost(limit, now)
    newest = max(filter(None, map(_last_visit, _TEXT_KINDS)), default=None)
    if newest is None:
        return n_lost
    recent = Page.objects.filter(kind__in=_TEXT_KINDS, visited_at__gte=newest - SWEEP_WINDOW)
    # New and changed ones at once: reading the pages of a day is what it costs.
    resting = Q(detection__due_at=None, detection__quarantined_at=None)
    is_wanted = Q(detection=None) | (resting & ~Q(detection__done_digest=_digest("")))
    wanted = Article.objects.filter(is_wanted, page__in=recent)
    # In order of arrival: of two twins the earlier one must be there first.
    article_ids = list(wanted.order_by("pk").values_list("pk", flat=True)[:limit])
    if article_ids:
        register(article_ids, now)
    return n_lost + len(article_ids)


def _last_visit(kind: PageKind) -> datetime | None:
    """When a page of a kind was last visited: the end of an index, kind by kind."""
    last: datetime | None = Page.objects.filter(kind=kind).aggregate(at=Max("visited_at"))["at"]
    return last


def run(limit: int, terms: Claim) -> Report:
    """Claim up to `limit` articles and detect them, as many at once as fit into memory."""
    ids = leases.claim(Detection.objects.all(), limit, terms)
    if not ids:
        return Report()
    method = detect_methods.settle(terms.now)
    failures = Failures(terms)
    reports = [_detect(some, method, failures) for some in _pieces(ids)]
    return sum(reports, Report(len(ids), quarantined=failures.n_quarantined))


def _pieces(row_ids: Collection[int]) -> Iterator[list[int]]:
    """Cut claimed rows where their texts would take too much memory at once; nearly always one."""
    rows = Detection.objects.filter(pk__in=row_ids).order_by("article_id")
    piece: list[int] = []
    n_characters = 0
    for row_id, length in rows.values_list("pk", Length("article__text")):
        if piece and n_characters + length > PIECE_CHARACTERS:
            yield piece
            piece, n_characters = [], 0
        piece.append(row_id)
        n_characters += length
    if piece:
        yield piece


def _detect(row_ids: Collection[int], method: Method, failures: Failures) -> Report:
    texts_read = each(
        _claimed(row_ids),
        lambda row: _read(row, method.name),
        lambda row, error: failures.add(Detection(pk=row.row_id), error),
    )
    return store(texts_read, method, failures.terms)


def _register_lost(limit: int, now: datetime) -> int:
    """Make articles due whose cluster lost its name or its representative with another article."""
    lost = Detection.objects.filter(
        Q(original=None) | Q(representative=None),
        detected_at__isnull=False,
        due_at=None,
        quarantined_at=None,
    ).values_list("pk", flat=True)[:limit]
    return detect_again(Detection.objects.filter(pk__in=list(lost)), now)


def _is_stale() -> Q:
    """Whether a row is not (or no longer) that of its article's text and place in the corpus."""
    return ~Q(done_digest=_digest("article__"))


def _digest(prefix: str) -> Concat:
    """Give the digest of a row that is done, by columns of its article at `prefix`."""
    is_in = When(**{f"{prefix}in_corpus": True}, then=Value(""))
    return Concat(F(f"{prefix}text_digest"), Case(is_in, default=Value(_LEFT_OUT)))


def _claimed(row_ids: Collection[int]) -> list[_ClaimedText]:
    columns = ("text", "text_digest", "in_corpus", "dated_at", "url")
    rows = Detection.objects.filter(pk__in=row_ids).values_list(
        "pk", "article_id", *(f"article__{column}" for column in columns)
    )
    return [_ClaimedText(*row) for row in rows]


def _read(row: _ClaimedText, method: str) -> ReadText:
    """Split and hash one article; what is left out of the corpus has no text here."""
    body = row.body if row.in_corpus else ""
    text = Text(
        row.article_id,
        row.dated_at,
        row.url,
        row.text_digest if row.in_corpus else "",
        keyed(body),
        signature_of(body) if method == SHINGLES else NO_SIGNATURE,
    )
    digest = row.text_digest + ("" if row.in_corpus else _LEFT_OUT)
    return ReadText(row.row_id, text, row.in_corpus, digest)
