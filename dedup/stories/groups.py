"""Writes stories: groups of a pass → `StoryCluster` rows and the articles' `story`.

The pass holds the stage's only lease; what is written here is one transaction with its end.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from dedup.models import Detection, StoryCluster
from dedup.similarity.events.stories import Story
from dedup.stage.rows import chunks
from dedup.stage.texts import by_code_points

# Copies of one text are no story.
_MIN_TEXTS = 2


def left_by(stories: Iterable[Story], former: Mapping[int, int | None]) -> set[int]:
    """Name the stories that a text had stood in and is not found in again, by `former` places."""
    names = {key: {story.name, *story.also} for story in stories for key in story.keys}
    return {
        story_id
        for key, story_id in former.items()
        if story_id is not None and story_id not in names.get(key, ())
    }


def named_as_before(stories: Iterable[Story], former: Mapping[int, int | None]) -> list[Story]:
    """Let stories that were grouped again keep their numbers: each goes to its largest part.

    A part is two texts or more that had stood in the story; other parts begin stories of their own.
    """
    found = list(stories)
    parts = [
        (-n, place, story_id)
        for place, story in enumerate(found)
        if story.name is None
        for story_id, n in Counter(former[key] for key in story.keys if key in former).items()
        if n >= _MIN_TEXTS
    ]
    given: set[int | None] = set()
    for _, place, story_id in sorted(parts, key=lambda part: part[:2]):
        if story_id not in given and found[place].name is None:
            found[place] = replace(found[place], name=story_id)
            given.add(story_id)
    return found


class StoryWriter:
    """Collects which articles change their story, and leaves no story without two texts."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self.moved: set[int] = set()
        self._touched: set[int] = set()

    def write(self, stories: Iterable[Story], loose: Iterable[int]) -> None:
        """Write groups of originals; the originals in `loose` are in no group any more."""
        for story in stories:
            names = [name for name in (story.name, *story.also) if name is not None and name > 0]
            if len(story.keys) > 1:
                self._write_one(names, story.keys)
        self.leave(loose)

    def _write_one(self, names: Sequence[int], keys: Sequence[int]) -> None:
        if names:
            kept, *taken_up = names
        else:
            kept, taken_up = StoryCluster.objects.create(created_at=self._now).pk, []
        for chunk in chunks(taken_up):
            self._move(Detection.objects.filter(story_id__in=chunk), kept)
            StoryCluster.objects.filter(Q(pk__in=chunk) | Q(continued_in_id__in=chunk)).update(
                continued_in=kept
            )
        for chunk in chunks(keys):
            self._move(Detection.objects.filter(original_id__in=chunk), kept)

    def leave(self, article_ids: Iterable[int]) -> None:
        """Take articles, and the copies of their texts, out of their stories."""
        for chunk in chunks(article_ids):
            self._move(
                Detection.objects.filter(Q(original_id__in=chunk) | Q(article_id__in=chunk)), None
            )

    def follow(self, copies: Sequence[Detection]) -> None:
        """Put copies where their original is."""
        originals = {row.original_id for row in copies if row.original_id is not None}
        story_of = dict(
            Detection.objects.filter(article_id__in=originals).values_list("article_id", "story_id")
        )
        for row in copies:
            story_id = story_of.get(row.original_id or 0)
            self._move(Detection.objects.filter(article_id=row.article_id), story_id)

    def visit(self, rows: Iterable[Detection]) -> None:
        """Let `close` look at the stories of articles that stay: their texts may be one by now."""
        self._touched |= {row.story_id for row in rows if row.story_id is not None}

    def _move(self, rows: QuerySet[Detection], story_id: int | None) -> None:
        here = Q(story_id=story_id) if story_id else Q(story_id=None)
        found = list(rows.exclude(here).values_list("article_id", "story_id"))
        if found:
            ids = [article_id for article_id, _ in found]
            self._touched |= {story for _, story in found if story is not None}
            self._touched |= {story_id} if story_id else set()
            self.moved.update(ids)
            for chunk in chunks(ids):
                Detection.objects.filter(article_id__in=chunk).update(story=story_id)

    def close(self) -> None:
        """Dissolve stories that are left with one text, and name the earliest article of others."""
        for chunk in chunks(self._touched):
            n_texts = dict(
                Detection.objects.filter(story_id__in=chunk)
                .order_by()
                .values_list("story_id")
                .annotate(n=Count("original_id", distinct=True))
            )
            poor = [story_id for story_id in chunk if n_texts.get(story_id, 0) < _MIN_TEXTS]
            self._move(Detection.objects.filter(story_id__in=poor), None)
            StoryCluster.objects.filter(pk__in=poor, continued_in=None).delete()
            earliest = (
                Detection.objects.filter(story_id=OuterRef("pk"))
                .order_by("article__dated_at", by_code_points("article__url"), "article_id")
                .values("article_id")[:1]
            )
            StoryCluster.objects.filter(pk__in=chunk).exclude(
                first_id=Subquery(earliest), first_id__isnull=False
            ).update(first_id=Subquery(earliest))
