"""What a batch of articles brings, written in one transaction: rows, pairs, clusters, leases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from dedup.models import Detection, Duplicate, SentenceHash, Verdict
from dedup.similarity.near import entries
from dedup.stage import fingerprints
from dedup.stage.clustering import Places, Regrouping, place_newcomers, regroup
from dedup.stage.detect_methods import SHINGLES, Method
from dedup.stage.editors_words import EditorsWords
from dedup.stage.hash_tables import add_sentences, sentence_holders
from dedup.stage.near_duplicates import find_near
from dedup.stage.order import Disorder, disorder
from dedup.stage.rows import (
    AGAIN,
    NEVER_DETECTED,
    FoundRow,
    RowState,
    detect_again,
    has_same_text,
    held_rows,
    set_free,
    take_turn,
    write_rows,
)
from dedup.stage.sentence_pairs import find_pairs
from dedup.stage.texts import (
    FOUND_FIELDS,
    KnownText,
    Pair,
    Text,
    as_row,
    ends_of,
    known_texts,
)
from feeds.work import leases
from feeds.work.batches import Report
from feeds.work.leases import Claim

# Twelve columns a pair: below the 32,766 variables that SQLite takes in a statement.
_ROWS_PER_INSERT = 2000


@dataclass(frozen=True, slots=True)
class ReadText:
    """An article of a claimed row, read and hashed before the transaction; `was` is read in it."""

    row_id: int
    text: Text
    is_in_corpus: bool
    input_digest: str  # what the row holds when this item has been stored
    was: RowState = NEVER_DETECTED

    @property
    def has_same_text(self) -> bool:
        """Whether the row was detected with this very text before."""
        return has_same_text(self.was.done_digest, self.input_digest)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What is judged together: claimed rows, and texts that they put out of order."""

    fresh: Sequence[ReadText]
    others: Sequence[KnownText]
    moved: Disorder

    @property
    def texts(self) -> list[Text]:
        return [*(item.text for item in self.fresh), *(other.text for other in self.others)]

    @property
    def article_ids(self) -> set[int]:
        return {text.article_id for text in self.texts}


@dataclass(frozen=True, slots=True)
class _Findings:
    """What a method found for the articles of a batch."""

    pairs: Sequence[Pair]
    representatives: dict[int, int]
    linked: frozenset[int] = frozenset()  # articles that pairs of many may join
    crowded: frozenset[int] = frozenset()  # to be detected again: found by too common fingerprints
    entries: dict[int, list[int]] = field(default_factory=dict)


def store(texts_read: Sequence[ReadText], method: Method, terms: Claim) -> Report:
    """Write a batch's findings, clusters and closed leases; rows that others took are left out.

    Reports how many became copies; articles go on, those whose cluster changed among them.
    """
    with transaction.atomic():
        take_turn(terms.now)
        ours = _still_ours(texts_read, terms)
        fresh = [item for item in ours if not _is_done(item)]
        changed = [item for item in fresh if item.was.detected_at is not None]
        moved = _disorder(fresh, changed) if method.name == SHINGLES else Disorder()
        _forget(changed)
        others = _taken_out(moved)
        batch = _Batch(fresh, others, moved)
        words = EditorsWords(batch.article_ids)
        found = _find(batch, method, words)
        _drop_pairs(batch, found)
        _add(found, words, terms.now)
        left = _leave(batch, found, terms.now)
        places = _close(batch, found, words, terms.now)
        _join_anew(moved, found)
        regrouping = regroup({*places.unsettled, *left, *moved.others})
        _settle_adrift(batch.texts, regrouping, method, terms.now)
        detect_again(Detection.objects.filter(article_id__in=found.crowded), terms.now)
        leases.complete_many(Detection, [item.row_id for item in ours], terms.owner)
    article_ids = {item.text.article_id for item in ours} | set(regrouping.moved)
    return Report(
        done=Counter(duplicates=places.n_copies + len(regrouping.new_copies)),
        next_ids={"articles": tuple(sorted(article_ids))},
    )


def _still_ours(texts_read: Sequence[ReadText], terms: Claim) -> list[ReadText]:
    """Keep the texts whose lease still holds, with what their rows say now."""
    held = held_rows([item.row_id for item in texts_read], terms.owner)
    return [
        replace(item, was=held[item.row_id])
        for item in sorted(texts_read, key=lambda item: item.text.article_id)
        if item.row_id in held
    ]


def _is_done(item: ReadText) -> bool:
    was = item.was
    is_placed = was.representative_id is not None and was.original_id is not None
    return is_placed and was.detected_at is not None and was.done_digest == item.input_digest


def _forget(texts_read: Sequence[ReadText]) -> None:
    """Take away what the articles' former texts brought.

    Judged pairs stay, and with an unchanged text the pairs of those that were joined to it.
    """
    if not texts_read:
        return
    ids = {item.text.article_id for item in texts_read}
    fingerprints.remove(ids)
    SentenceHash.objects.filter(article_id__in=ids).delete()
    unchanged = {item.text.article_id for item in texts_read if item.has_same_text}
    joined = Detection.objects.filter(representative_id__in=unchanged).exclude(article_id__in=ids)
    theirs = {frozenset(ends) for ends in joined.values_list("article_id", "representative_id")}
    pairs = Duplicate.objects.filter(Q(article_id__in=ids) | Q(other_id__in=ids))
    gone = [
        pk
        for pk, *ends in pairs.values_list("pk", "article_id", "other_id")
        if frozenset(ends) not in theirs
    ]
    _end_pairs(gone)


def _end_pairs(pair_ids: Sequence[int]) -> None:
    """Take pairs away; those that an editor judged stay, and join nothing."""
    ended = Duplicate.objects.filter(pk__in=pair_ids)
    ended.filter(verdict=Verdict.OPEN).delete()
    ended.update(joins=False)


def _disorder(fresh: Sequence[ReadText], changed: Sequence[ReadText]) -> Disorder:
    texts = [item.text for item in fresh if item.is_in_corpus]
    return disorder(texts, {item.text.article_id for item in changed})


def _taken_out(moved: Disorder) -> list[KnownText]:
    """Take texts that are judged again out of the tables."""
    fingerprints.remove(moved.others)
    found = known_texts(moved.others).values()
    return [KnownText(known.text, -known.text.article_id, known.body) for known in found]


def _drop_pairs(batch: _Batch, found: _Findings) -> None:
    """Take away the pairs of texts that were judged again and are no pairs any more."""
    if not batch.others:
        return
    present = {(pair.article_id, pair.other_id) for pair in found.pairs}
    ids = batch.article_ids
    # A pair was found when its later text was judged; the earlier one may stand where it stood.
    stored = Duplicate.objects.filter(
        Q(article_id__in=batch.moved.others) | Q(article_id__in=ids, other_id__in=ids)
    )
    gone = [
        pk
        for pk, *ends in stored.values_list("pk", "article_id", "other_id")
        if tuple(ends) not in present
    ]
    _end_pairs(gone)


def _join_anew(moved: Disorder, found: _Findings) -> None:
    """Write which texts those were joined to that were judged again."""
    for article_id, standing in moved.others.items():
        name = found.representatives.get(article_id, standing.representative_id)
        if name != standing.representative_id:
            Detection.objects.filter(article_id=article_id).update(representative=name)


def _find(batch: _Batch, method: Method, words: EditorsWords) -> _Findings:
    """Enter the sentences, whatever the method, and find pairs by it."""
    texts = [item.text for item in batch.fresh if item.is_in_corpus]
    alone = {item.text.article_id: item.text.article_id for item in batch.fresh}
    holders = sentence_holders({key for text in texts for key in text.hashes})
    add_sentences({text.article_id: text.keys for text in texts}, holders)
    if method.name == SHINGLES:
        news = [*(KnownText(text, -text.article_id) for text in texts), *batch.others]
        near = find_near(news, method.limit, words, batch.moved)
        return _Findings(
            near.pairs,
            alone | near.representatives,
            linked=near.bridges | batch.moved.ours,
            entries=near.entries,
            crowded=near.crowded,
        )
    pairs = find_pairs(texts, holders, method.limit)
    linked = frozenset(end for pair in pairs if pair.joins for end in ends_of(pair))
    return _Findings(pairs, alone, linked)


def _add(found: _Findings, words: EditorsWords, now: datetime) -> None:
    """Write fingerprints and pairs; judged pairs get the new figures."""
    fingerprints.add((keys, article_id) for article_id, keys in found.entries.items())
    if not found.pairs:
        return
    rows = [as_row(pair, now) for pair in {ends_of(pair): pair for pair in found.pairs}.values()]
    for row in rows:  # a date has changed since the pair was judged
        if row.article_id in words.judged or row.other_id in words.judged:
            turned = Duplicate.objects.filter(article_id=row.other_id, other_id=row.article_id)
            turned.update(article_id=row.article_id, other_id=row.other_id)
    Duplicate.objects.bulk_create(
        rows,
        batch_size=_ROWS_PER_INSERT,
        update_conflicts=True,
        unique_fields=["article", "other"],
        update_fields=FOUND_FIELDS,
    )


def _close(batch: _Batch, found: _Findings, words: EditorsWords, now: datetime) -> Places:
    """Write the rows; where a newcomer's cluster is plain it is written with them."""
    texts_read = batch.fresh
    again = {item.text.article_id for item in texts_read if item.was.original_id is not None}
    newcomers = [item.text for item in texts_read if item.text.article_id not in again]
    ours = {item.text.article_id for item in texts_read}
    unsettled = again | ((words.judged | found.linked) & ours)
    places = place_newcomers(newcomers, found.representatives, unsettled)
    write_rows(
        [
            FoundRow(
                item.row_id,
                AGAIN + item.input_digest if item.was.is_again else item.input_digest,
                len(item.text.keys),
                found.representatives[item.text.article_id],
                places.originals.get(item.text.article_id, item.was.original_id),
            )
            for item in texts_read
        ],
        now,
    )
    return places


def _leave(batch: _Batch, found: _Findings, now: datetime) -> list[int]:
    """Set free who was joined to a text that is gone or that has itself been joined to another."""
    ids = batch.article_ids
    changed = {item.text.article_id for item in batch.fresh if not item.has_same_text}
    gone = [key for key in ids if key in changed or found.representatives[key] != key]
    left = Detection.objects.filter(representative_id__in=gone).exclude(article_id__in=ids)
    article_ids = list(left.values_list("article_id", flat=True))
    if article_ids:
        set_free(article_ids, now)
    return article_ids


def _settle_adrift(
    texts: Sequence[Text], regrouping: Regrouping, method: Method, now: datetime
) -> None:
    """Give those a place whom an editor's word parts from the text that they were joined to.

    Of this batch: each becomes a representative itself. Others are detected again.
    """
    by_id = {text.article_id: text for text in texts}
    ours = [by_id[article_id] for article_id in regrouping.adrift if article_id in by_id]
    if ours and method.name == SHINGLES:
        Detection.objects.filter(article_id__in=[text.article_id for text in ours]).update(
            representative=F("article")
        )
        fingerprints.remove([text.article_id for text in ours])
        for text in sorted(ours, key=lambda text: text.age):
            holders = fingerprints.holders(text.signature.fingerprints)
            fingerprints.add([(entries(text.signature, holders), text.article_id)])
    set_free([article_id for article_id in regrouping.adrift if article_id not in by_id], now)
