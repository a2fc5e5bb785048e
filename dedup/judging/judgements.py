"""What editors decide about twins: pairs, splits, joins, originals, hiding, and taking it back.

Each decision is one transaction under the writing turn: the history, the pairs' verdicts, and the
clusters at once. Verdicts are constraints on every later clustering (`clustering`). An article that
loses its place is detected again, so that it finds another one or is found itself.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from dedup.models import APART, Decision, DecisionKind, Detection, Duplicate, Judgement, Verdict
from dedup.similarity.clusters import UnionFind
from dedup.similarity.near import Match, compare
from dedup.stage.clustering import regroup
from dedup.stage.editors_words import same_texts
from dedup.stage.rows import chunks, detect_again, set_free, take_turn
from dedup.stage.texts import KnownText, as_row, ends_of, known_texts, pair_of
from dedup.stories import passes
from extraction.models import Article


class ContradictionError(Exception):
    """Raised by `judge` and `join`, caught by the pages that editors decide on.

    "Same" would bring together two texts that an editor keeps apart, perhaps through third ones.
    """

    def __init__(self, first_id: int, second_id: int) -> None:
        super().__init__(f"Articles {first_id} and {second_id} are kept apart by an editor's word.")
        self.first_id = first_id
        self.second_id = second_id


@dataclass(frozen=True, slots=True)
class Editor:
    """Who decides, and when; no user for decisions of commands and tests."""

    user_id: int | None
    now: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """The decision in the history, and the articles whose cluster changed: index them again."""

    decision_id: int | None
    article_ids: tuple[int, ...] = ()


def judge(pair_ids: Collection[int], verdict: Verdict, editor: Editor) -> Change:
    """Say the same of some pairs; `Verdict.OPEN` takes former words back.

    Raises
    ------
    ContradictionError
        When "same" contradicts another verdict; nothing is changed then.
    """
    with transaction.atomic():
        take_turn(editor.now)
        pairs = list(Duplicate.objects.filter(pk__in=pair_ids).order_by("pk"))
        if not pairs:
            return Change(None)
        decision = _decide(DecisionKind.JUDGE, editor, verdict=verdict)
        return _pronounce(decision, pairs)


def split(article_id: int, editor: Editor, verdict: Verdict = Verdict.DIFFERENT) -> Change:
    """Take an article out of its cluster, apart from every present member of it.

    `Verdict.EVENT` says that it tells of the same event in another text.
    """
    if verdict not in APART:
        raise ValueError(f"A split says what keeps apart, not {verdict}.")
    with transaction.atomic():
        take_turn(editor.now)
        row = Detection.objects.get(article_id=article_id)
        mates = Detection.objects.filter(
            original_id=row.original_id, article__in_corpus=True
        ).exclude(article=article_id)
        mate_ids = (
            [] if row.original_id is None else list(mates.values_list("article_id", flat=True))
        )
        if not mate_ids:
            return Change(None)
        decision = _decide(DecisionKind.SPLIT, editor, article_id, verdict)
        return _pronounce(decision, *_pairs_with(article_id, mate_ids, editor.now))


def join(article_id: int, other_id: int, verdict: Verdict, editor: Editor) -> Change:
    """Say of any two articles what they are to each other; makes the pair where there is none.

    Raises
    ------
    ContradictionError
        When "same" contradicts another verdict; nothing is changed then.
    """
    if article_id == other_id:
        raise ValueError("An article is not joined to itself.")
    with transaction.atomic():
        take_turn(editor.now)
        decision = _decide(DecisionKind.JOIN, editor, article_id, verdict)
        return _pronounce(decision, *_pairs_with(article_id, [other_id], editor.now))


def make_original(article_id: int, editor: Editor) -> Change:
    """Make an article the original of its cluster, whichever was published first."""
    with transaction.atomic():
        take_turn(editor.now)
        Detection.objects.get(article_id=article_id)
        decision = _decide(DecisionKind.ORIGINAL, editor, article_id)
        return Change(decision.pk, _regroup([article_id], editor.now))


def hide(article_id: int, editor: Editor) -> Change:
    """Hide a copy from all searches while it is one; what is none, or hidden, is left as it is."""
    with transaction.atomic():
        take_turn(editor.now)
        rows = Detection.objects.filter(article_id=article_id, is_hidden=False)
        copies = rows.filter(original__isnull=False).exclude(original=F("article"))
        if not copies.update(is_hidden=True):
            return Change(None)
        decision = _decide(DecisionKind.HIDE, editor, article_id)
        return Change(decision.pk, (article_id,))


def undo(decision_id: int, editor: Editor) -> Change:
    """Take a decision back; later ones on the same pairs stay. Once undone it stays undone.

    Raises
    ------
    ContradictionError
        When an older "same" that comes back into force contradicts another verdict.
    """
    with transaction.atomic():
        take_turn(editor.now)
        decision = Decision.objects.get(pk=decision_id)
        if decision.undone_at is not None:
            return Change(decision.pk)
        decision.undone_at, decision.undone_by_id = editor.now, editor.user_id
        decision.save(update_fields=["undone_at", "undone_by"])
        if decision.kind == DecisionKind.ORIGINAL:
            return Change(decision.pk, _regroup([decision.article_id or 0], editor.now))
        if decision.kind == DecisionKind.HIDE:
            Detection.objects.filter(article=decision.article_id).update(is_hidden=False)
            return Change(decision.pk, (decision.article_id or 0,))
        judged = decision.judgements.values_list("article_id", "other_id")
        return Change(decision.pk, _apply({frozenset(ends) for ends in judged}, editor.now))


def _decide(
    kind: DecisionKind,
    editor: Editor,
    article_id: int | None = None,
    verdict: Verdict | str = "",
) -> Decision:
    return Decision.objects.create(
        kind=kind,
        verdict=verdict,
        article_id=article_id,
        by_id=editor.user_id,
        decided_at=editor.now,
    )


def _pairs_with(
    article_id: int, other_ids: Sequence[int], now: datetime
) -> tuple[list[Duplicate], set[frozenset[int]]]:
    """Find or make the pairs of an article with others; also say which were made."""
    found = Duplicate.objects.filter(Q(article_id=article_id) | Q(other_id=article_id))
    pairs = {ends_of(pair): pair for pair in found}
    wanted = {frozenset((article_id, other_id)): other_id for other_id in other_ids}
    missing = {ends: other_id for ends, other_id in wanted.items() if ends not in pairs}
    if missing:
        texts = known_texts([article_id, *missing.values()])
        for ends, other_id in missing.items():
            pairs[ends] = _new_pair(texts, article_id, other_id, now)
        Duplicate.objects.bulk_create([pairs[ends] for ends in missing])
    return [pairs[ends] for ends in wanted], set(missing)


def _new_pair(
    texts: dict[int, KnownText], article_id: int, other_id: int, now: datetime
) -> Duplicate:
    """Compare two texts that no method had paired."""
    if not {article_id, other_id} <= texts.keys():
        raise Article.DoesNotExist(f"Article {article_id} or {other_id} is not in the corpus.")
    known, other = texts[article_id], texts[other_id]
    nothing = Match(other_id, 0.0, 0.0, is_duplicate=False, closeness=0.0)
    matches = compare(known.text.signature, {other_id: other.text.signature})
    return as_row(
        pair_of(known, other, (matches or [nothing])[0], joins=False, is_one_text=False), now
    )


def _pronounce(
    decision: Decision, pairs: Sequence[Duplicate], made: Collection[frozenset[int]] = ()
) -> Change:
    """Write a decision's judgements and let them take effect."""
    Judgement.objects.bulk_create(
        Judgement(
            decision=decision,
            article_id=pair.article_id,
            other_id=pair.other_id,
            verdict=decision.verdict,
            made_pair=ends_of(pair) in made,
        )
        for pair in pairs
    )
    return Change(decision.pk, _apply([ends_of(pair) for pair in pairs], decision.decided_at))


def _apply(all_ends: Collection[frozenset[int]], now: datetime) -> tuple[int, ...]:
    """Give pairs the verdicts of their newest judgements; clusters follow. Returns who moved."""
    article_ids = {article_id for ends in all_ends for article_id in ends}
    verdicts, made = _verdicts(article_ids)
    released: list[frozenset[int]] = []
    for pair in _pairs_among(article_ids):
        ends = ends_of(pair)
        if ends not in all_ends:
            continue
        verdict = verdicts.get(ends, Verdict.OPEN)
        if pair.verdict in APART and verdict not in APART:
            released.append(ends)
        if verdict == Verdict.OPEN and ends in made and not pair.joins:
            pair.delete()
        else:
            Duplicate.objects.filter(pk=pair.pk).update(verdict=verdict)
    _refuse_contradictions(article_ids)
    _look_again(released, now)
    moved = _regroup(article_ids, now)
    passes.register({*article_ids, *moved}, now)
    return moved


def _look_again(released: Sequence[frozenset[int]], now: datetime) -> None:
    """Let those find a place again that a verdict, now taken back, had made stand alone.

    Of two such texts the later one.
    """
    ends = {article_id for both in released for article_id in both}
    alone: set[int] = set()
    for chunk in chunks(ends):
        rows = Detection.objects.filter(article_id__in=chunk, representative=F("article"))
        alone.update(rows.values_list("article_id", flat=True))
    for chunk in chunks({max(both & alone) for both in released if both & alone}):
        detect_again(Detection.objects.filter(article_id__in=chunk), now)


def _verdicts(
    article_ids: Collection[int],
) -> tuple[dict[frozenset[int], str], set[frozenset[int]]]:
    """For pairs among articles the newest word in force, and which pairs only editors made."""
    verdicts: dict[frozenset[int], str] = {}
    made: set[frozenset[int]] = set()
    for chunk in chunks(article_ids):
        rows = Judgement.objects.filter(article_id__in=chunk).order_by("pk")
        for row in rows.select_related("decision"):
            ends = frozenset((row.article_id, row.other_id))
            if row.decision.undone_at is None:
                verdicts[ends] = row.verdict
            if row.made_pair:
                made.add(ends)
    return verdicts, made


def _pairs_among(article_ids: Collection[int]) -> Iterable[Duplicate]:
    for chunk in chunks(article_ids):
        for pair in Duplicate.objects.filter(article_id__in=chunk):
            if pair.other_id in article_ids:
                yield pair


def _refuse_contradictions(article_ids: Collection[int]) -> None:
    """Raise when two texts are the same through others by editors' words, and apart by another."""
    mates = same_texts(article_ids)
    sets = UnionFind[int]()
    apart: list[Duplicate] = []
    for pair in _pairs_among(mates):
        if pair.verdict == Verdict.SAME:
            sets.union(pair.article_id, pair.other_id)
        elif pair.verdict in APART:
            apart.append(pair)
    for pair in apart:
        if sets.find(pair.article_id) == sets.find(pair.other_id):
            raise ContradictionError(pair.article_id, pair.other_id)


def _regroup(article_ids: Collection[int], now: datetime) -> tuple[int, ...]:
    regrouping = regroup(article_ids)
    set_free(regrouping.adrift, now)
    return regrouping.moved
