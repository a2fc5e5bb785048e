"""Clusters: the links that a method found and the words of editors → the original of each article.

"Same" joins whatever the method says, "different" and "same event" keep apart whatever stands
between, also through third texts. The links of the method come after them, closest first, and one
that would bring together what an editor holds apart is left out. Only the clusters that a batch
touches are computed again, so an article whose text has changed also leaves what it no longer
belongs to. What is left out of the corpus stands alone, whatever was said of it.

Nearly every article is alone, or later than the original of the cluster it joins: such a newcomer's
place is plain (`place_newcomers`). Anything else (earlier than the original, judged by an editor,
joined to several) is regrouped with all members.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F, Q

from dedup.models import APART, Decision, DecisionKind, Detection, Duplicate, Verdict
from dedup.similarity.clusters import UnionFind, joined_but_apart
from dedup.stage.rows import chunks
from dedup.stage.texts import Age, Text

Ends = tuple[int, int]

_RELEVANT = Q(joins=True) | ~Q(verdict=Verdict.OPEN)


@dataclass(frozen=True, slots=True)
class Regrouping:
    """What became of the clusters.

    `adrift` are articles that are no longer with the text they were joined to: they are to be
    detected anew.
    """

    moved: tuple[int, ...] = ()
    new_copies: tuple[int, ...] = ()
    adrift: tuple[int, ...] = ()


def regroup(article_ids: Collection[int]) -> Regrouping:
    """Write the originals of the given articles and of all that hang together with them.

    The caller holds the writing turn.
    """
    if not article_ids:
        return Regrouping()
    rows = _members(article_ids)
    ages: dict[int, Age] = {
        row.article_id: (row.article.dated_at, row.article.url, row.article_id)
        for row in rows.values()
    }
    in_corpus = {row.article_id for row in rows.values() if row.article.in_corpus}
    sets = _joined(ages, _pairs_within(in_corpus))
    originals: dict[int, int] = {}
    chosen = _chosen_originals(ages)
    for first, members in sets.groups().items():
        ids = [article_id for _, _, article_id in members]
        by_editor = [article_id for article_id in chosen if article_id in set(ids)]
        originals |= dict.fromkeys(ids, by_editor[-1] if by_editor else first[-1])
    return _write(rows, originals)


def _members(article_ids: Collection[int]) -> dict[int, Detection]:
    """Read the rows of the articles, of their pairs' other ends, and of all these clusters."""
    near = set(article_ids)
    for chunk in chunks(article_ids):
        touching = _RELEVANT & (Q(article_id__in=chunk) | Q(other_id__in=chunk))
        for ends in Duplicate.objects.filter(touching).values_list("article_id", "other_id"):
            near.update(ends)
    rows = Detection.objects.select_related("article").only(
        "article_id", "original_id", "representative_id",
        "article__dated_at", "article__url", "article__in_corpus",
    )  # fmt: skip
    found: dict[int, Detection] = {}
    for chunk in chunks(near):
        found |= {row.article_id: row for row in rows.filter(article_id__in=chunk)}
    originals = {row.original_id for row in found.values() if row.original_id is not None}
    for chunk in chunks(originals):
        found |= {row.article_id: row for row in rows.filter(original_id__in=chunk)}
    return found


def _pairs_within(article_ids: Collection[int]) -> list[Duplicate]:
    """Read the pairs that say something of the clusters and have both ends among the articles."""
    found: list[Duplicate] = []
    for chunk in chunks(article_ids):
        pairs = Duplicate.objects.filter(_RELEVANT, article_id__in=chunk)
        found += [pair for pair in pairs if pair.other_id in article_ids]
    return found


def _joined(ages: dict[int, Age], pairs: Sequence[Duplicate]) -> UnionFind[Age]:
    """Join by editors' words, then by links; never what is to stay apart."""
    apart = [pair for pair in pairs if pair.verdict in APART]
    same = [pair for pair in pairs if pair.verdict == Verdict.SAME]
    links = [pair for pair in pairs if pair.verdict == Verdict.OPEN]
    same.sort(key=lambda pair: pair.pk)
    links.sort(key=lambda pair: (-(pair.closeness or pair.similarity), _ends(pair)))

    def ends(pair: Duplicate) -> tuple[Age, Age]:
        return ages[pair.article_id], ages[pair.other_id]

    return joined_but_apart(ages.values(), map(ends, [*same, *links]), map(ends, apart))


def _ends(pair: Duplicate) -> Ends:
    return pair.article_id, pair.other_id


def _chosen_originals(article_ids: Collection[int]) -> list[int]:
    """Articles that editors made originals, the newest choice last."""
    made: list[tuple[int, int]] = []
    for chunk in chunks(article_ids):
        choices = Decision.objects.filter(
            kind=DecisionKind.ORIGINAL, undone_at=None, article_id__in=chunk
        )
        made += [
            (pk, article) for pk, article in choices.values_list("pk", "article_id") if article
        ]
    return [article_id for _, article_id in sorted(made)]


def _write(rows: dict[int, Detection], originals: dict[int, int]) -> Regrouping:
    """Store what changed."""
    moved: list[Detection] = []
    new_copies: list[int] = []
    adrift: list[int] = []
    for article_id, row in rows.items():
        original_id, former_id = originals[article_id], row.original_id
        representative_id = row.representative_id or article_id
        if originals.get(representative_id) != original_id:
            adrift.append(article_id)
        if former_id == original_id:
            continue
        if original_id != article_id and former_id in {None, article_id}:
            new_copies.append(article_id)
        row.original_id = original_id
        moved.append(row)
    _store(moved)
    return Regrouping(
        tuple(row.article_id for row in moved), tuple(sorted(new_copies)), tuple(sorted(adrift))
    )


def _store(moved: Sequence[Detection]) -> None:
    """Write the new originals: one statement for those alone, one for each cluster."""
    by_original: dict[int | None, list[int]] = defaultdict(list)
    for row in moved:
        is_alone = row.original_id == row.article_id
        by_original[None if is_alone else row.original_id].append(row.pk)
    for original_id, ids in by_original.items():
        for chunk in chunks(ids):
            rows = Detection.objects.filter(pk__in=chunk)
            if original_id is None:
                rows.update(original=F("article"))
            else:
                rows.update(original_id=original_id)


@dataclass(slots=True)
class Places:
    """The originals of newcomers; `unsettled` are to be regrouped."""

    originals: dict[int, int] = field(default_factory=dict)
    unsettled: set[int] = field(default_factory=set)
    n_copies: int = 0


def place_newcomers(
    texts: Sequence[Text], representatives: Mapping[int, int], unsettled: Collection[int]
) -> Places:
    """Place articles of a batch, the earliest first, with the texts they were joined to."""
    places = Places(unsettled=set(unsettled))
    names = {representatives[text.article_id] for text in texts}
    clusters = _clusters(names - {text.article_id for text in texts})
    for text in sorted(texts, key=lambda text: text.age):
        article_id = text.article_id
        first = clusters.get(representatives[article_id], text.age)
        clusters[article_id] = min(first, text.age)
        if article_id in places.unsettled or text.age < first:
            places.unsettled.add(article_id)
            places.originals[article_id] = article_id
        else:
            places.originals[article_id] = first[-1]
            places.n_copies += first[-1] != article_id
    return places


def _clusters(article_ids: Collection[int]) -> dict[int, Age]:
    """For stored articles the original of their cluster, with its age."""
    rows = Detection.objects.filter(article_id__in=article_ids, original__isnull=False)
    columns = ("article_id", "original__dated_at", "original__url", "original_id")
    return {article_id: (*age, name) for article_id, *age, name in rows.values_list(*columns)}
