"""Originals and stories: pairs → for each article the earliest one of its text, and its story.

Twins (exact and near-duplicates) share an original, the earliest of them (ALG-5, step 6). Articles
that are joined by any pair, similar ones too, share a story when they are more than one text. Only
the clusters that a batch touches are computed again, from their pairs, so an article whose text has
changed also leaves what it no longer belongs to.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from dedup.models import Detection, Duplicate, Relation, StoryCluster, Verdict
from dedup.similarity.clusters import UnionFind

Age = tuple[datetime, int]


@dataclass(frozen=True, slots=True)
class Regrouping:
    """What became of the clusters: articles that changed theirs, and those that became copies."""

    moved: tuple[int, ...]
    new_copies: tuple[int, ...]


def regroup(article_ids: Collection[int], now: datetime) -> Regrouping:
    """Write original and story of the given articles and of all that hang together with them.

    The caller holds the stage's writing turn.
    """
    rows = _members(article_ids)
    ages: dict[int, Age] = {
        row.article_id: (row.article.dated_at, row.article_id) for row in rows.values()
    }
    twins, stories = UnionFind[Age](), UnionFind[Age]()
    for age in ages.values():
        twins.add(age)
        stories.add(age)
    for pair in _pairs(ages):
        if pair.article_id in ages and pair.other_id in ages:
            ends = ages[pair.article_id], ages[pair.other_id]
            if _are_twins(pair):
                twins.union(*ends)
            stories.union(*ends)
    originals = {age[1]: twins.find(age)[1] for age in ages.values()}
    return _write(rows, originals, _story_ids(rows, originals, stories.groups(), now))


def _members(article_ids: Collection[int]) -> dict[int, Detection]:
    """Read the rows of the articles, of their pairs' other ends, and of all these clusters."""
    near = set(article_ids)
    for pair in _pairs(article_ids):
        near |= {pair.article_id, pair.other_id}
    rows = Detection.objects.filter(article_id__in=near)
    clusters = set(rows.values_list("original_id", "story_id"))
    originals = {original for original, _ in clusters if original is not None}
    stories = {story for _, story in clusters if story is not None}
    found = (
        Detection.objects.filter(
            Q(article_id__in=near) | Q(original_id__in=originals) | Q(story_id__in=stories)
        )
        .select_related("article")
        .only("article_id", "original_id", "story_id", "article__dated_at")
    )
    return {row.article_id: row for row in found}


def _pairs(article_ids: Iterable[int]) -> Iterable[Duplicate]:
    ends = list(article_ids)
    return Duplicate.objects.filter(Q(article_id__in=ends) | Q(other_id__in=ends)).exclude(
        verdict=Verdict.DIFFERENT
    )


def _are_twins(pair: Duplicate) -> bool:
    """Whether a pair is one text; an editor's word counts more than the similarity."""
    if pair.verdict == Verdict.OPEN:
        return pair.relation != Relation.SIMILAR
    return pair.verdict == Verdict.SAME


def _story_ids(
    rows: dict[int, Detection],
    originals: dict[int, int],
    groups: dict[Age, list[Age]],
    now: datetime,
) -> dict[int, int | None]:
    """Give each group of more than one text a story: its oldest one, else a new one."""
    story_ids: dict[int, int | None] = dict.fromkeys(rows)
    taken: set[int] = set()
    for (_, first_id), members in groups.items():
        ids = [member_id for _, member_id in members]
        if len({originals[member_id] for member_id in ids}) == 1:
            continue
        old = {story for member_id in ids if (story := rows[member_id].story_id) is not None}
        story_id = min(old - taken, default=None)
        if story_id is None:
            story_id = StoryCluster.objects.create(first_id=first_id, created_at=now).pk
        else:
            StoryCluster.objects.filter(pk=story_id).exclude(first_id=first_id).update(
                first_id=first_id
            )
        taken.add(story_id)
        story_ids |= dict.fromkeys(ids, story_id)
    return story_ids


def _write(
    rows: dict[int, Detection], originals: dict[int, int], story_ids: dict[int, int | None]
) -> Regrouping:
    """Store what changed; stories that nobody belongs to any more are taken away."""
    moved: list[Detection] = []
    new_copies: list[int] = []
    left_stories: set[int] = set()
    for article_id, row in rows.items():
        original_id, story_id = originals[article_id], story_ids[article_id]
        if (row.original_id, row.story_id) == (original_id, story_id):
            continue
        if original_id != article_id and row.original_id in {None, article_id}:
            new_copies.append(article_id)
        if row.story_id not in {None, story_id}:
            left_stories.add(row.story_id)
        row.original_id, row.story_id = original_id, story_id
        moved.append(row)
    alone = [row.pk for row in moved if (row.original_id, row.story_id) == (row.article_id, None)]
    Detection.objects.filter(pk__in=alone).update(original=F("article"), story=None)
    clustered = [row for row in moved if row.pk not in set(alone)]
    Detection.objects.bulk_update(clustered, ["original", "story"])
    StoryCluster.objects.filter(pk__in=left_stories, detections=None).delete()
    return Regrouping(tuple(row.article_id for row in moved), tuple(new_copies))
