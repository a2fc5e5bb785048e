"""Stories as pages show them: tellings of one event in time, who was first, and their copies."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Min, Q

from dedup.models import Detection, Duplicate, StoryCluster, Verdict
from extraction.models import Article
from feeds.models import Publication
from search.articles.summary import ArticleSummary, summary_and_own

STORIES_PER_PAGE = 50
# The earliest of a story; an event that shakes a country has thousands.
TELLING_LIMIT = 200
# In the margin of an article's page.
ASIDE_LIMIT = 5
# The home page chooses among the youngest; which of all is the latest would be a sort of them all.
_YOUNGEST = 50


# Until the next pass a story still has what was withdrawn from it.
_IS_TOLD = Q(story__isnull=False, article__withdrawn_at=None)


@dataclass(frozen=True, slots=True)
class StoryFigures:
    """Counts of a story; `n_texts` takes copies of one text once."""

    n_articles: int
    n_texts: int
    n_publications: int
    first_at: datetime
    last_at: datetime

    @property
    def lasted_seconds(self) -> float:
        return (self.last_at - self.first_at).total_seconds()


@dataclass(frozen=True, slots=True)
class StoryRow:
    """A story in the list."""

    story: StoryCluster
    first: Article
    figures: StoryFigures


@dataclass(frozen=True, slots=True)
class ShownTelling:
    """A text on the event, at its first place, with how many articles copied it."""

    article: Article
    lag: timedelta
    n_copies: int
    own: tuple[str, ...] = ()  # sentences that say what no other telling says
    is_parted: bool = False  # an editor parted it from the first; the next pass takes it out

    @property
    def lag_seconds(self) -> float:
        return self.lag.total_seconds()


@dataclass(frozen=True, slots=True)
class StoryReading:
    """A story's page."""

    story: StoryCluster
    figures: StoryFigures
    reports: tuple[ShownTelling, ...]
    summary: ArticleSummary
    n_unread: int  # later articles, copies among them, that the page leaves out

    @property
    def n_read(self) -> int:
        return self.figures.n_articles - self.n_unread


@dataclass(frozen=True, slots=True)
class OtherTellings:
    """What stands beside an article: other texts on its event, and how many there are."""

    story_id: int
    n_others: int
    articles: tuple[Article, ...]


def publications_with_stories() -> list[Publication]:
    """Publications that have a telling in any story."""
    told = Detection.objects.filter(_IS_TOLD).order_by().values("article__publication")
    return list(Publication.objects.filter(pk__in=told).order_by("name"))


def story_page(number: str | None, publication: str = "") -> Page[StoryCluster]:
    """One page of the stories, that of the latest event first."""
    stories = StoryCluster.objects.filter(continued_in=None, first__isnull=False)
    if publication:
        stories = stories.filter(detections__article__publication__slug=publication).distinct()
    ordered = stories.select_related("first__publication").order_by("-first__dated_at", "-pk")
    return Paginator(ordered, STORIES_PER_PAGE).get_page(number)


def story_rows(stories: Iterable[StoryCluster]) -> list[StoryRow]:
    """Count what belongs to some stories, in one query."""
    stories = list(stories)
    figures = _figures([story.pk for story in stories])
    return [
        StoryRow(story, story.first, figures[story.pk])
        for story in stories
        if story.first is not None and story.first.withdrawn_at is None and story.pk in figures
    ]


def told_by_several(limit: int) -> list[StoryRow]:
    """Choose young stories that two or more publications tell, by their latest telling."""
    youngest = (
        StoryCluster.objects.filter(continued_in=None, first__isnull=False)
        .select_related("first__publication")
        .defer("first__text", "first__blocks", "first__captions")
        .order_by("-pk")[:_YOUNGEST]
    )
    rows = [row for row in story_rows(youngest) if row.figures.n_publications > 1]
    rows.sort(key=lambda row: (row.figures.last_at, row.story.pk), reverse=True)
    return rows[:limit]


def _figures(story_ids: Sequence[int]) -> dict[int, StoryFigures]:
    rows = (
        Detection.objects.filter(_IS_TOLD, story_id__in=story_ids)
        .order_by()
        .values_list("story_id")
        .annotate(
            n_articles=Count("*"),
            n_texts=Count("original", distinct=True),
            n_publications=Count("article__publication", distinct=True),
            first_at=Min("article__dated_at"),
            last_at=Max("article__dated_at"),
        )
    )
    return {story_id: StoryFigures(*counts) for story_id, *counts in rows}


def standing_story(story_id: int) -> StoryCluster | None:
    """Find a story by number, or the one that took it up."""
    story = StoryCluster.objects.select_related("continued_in").filter(pk=story_id).first()
    return story.continued_in or story if story else None


def read_story(story: StoryCluster, length: int) -> StoryReading | None:
    """Read a story with its tellings in time and a summary; None when nobody belongs to it."""
    figures = _figures([story.pk]).get(story.pk)
    if figures is None:
        return None
    rows = list(
        Detection.objects.filter(_IS_TOLD, story=story)
        .select_related("article__publication")
        .defer("article__blocks", "article__captions")
        .order_by("article__dated_at", "article_id")[:TELLING_LIMIT]
    )
    n_articles = Counter(row.original_id for row in rows)
    firsts: dict[int | None, Detection] = {}
    for row in rows:
        firsts.setdefault(row.original_id, row)
    summary, own = summary_and_own([row.article for row in firsts.values()], length)
    if story.first is None or story.first.withdrawn_at:  # the next pass names another
        story.first = rows[0].article
    parted = _parted_from(story.first_id)
    tellings = tuple(
        ShownTelling(
            article=row.article,
            lag=row.article.dated_at - figures.first_at,
            n_copies=n_articles[row.original_id] - 1,
            own=own.get(row.article_id, ()),
            is_parted=row.article_id in parted,
        )
        for row in firsts.values()
    )
    n_unread = max(0, figures.n_articles - len(rows))
    return StoryReading(story, figures, tellings, summary, n_unread)


def _parted_from(article_id: int | None) -> set[int]:
    """Find the articles that an editor parted from this one."""
    pairs = Duplicate.objects.filter(
        Q(article_id=article_id) | Q(other_id=article_id), verdict=Verdict.DIFFERENT
    )
    return {pk for pair in pairs.values_list("article_id", "other_id") for pk in pair} - {
        article_id
    }


def other_tellings(article: Article) -> OtherTellings | None:
    """Find other texts on an article's event, the earliest first; None when it has no story."""
    own = Detection.objects.filter(_IS_TOLD, article=article).first()
    if own is None or own.story_id is None:
        return None
    rows = Detection.objects.filter(_IS_TOLD, story=own.story_id).exclude(original=own.original_id)
    n_others = rows.aggregate(n=Count("original", distinct=True))["n"]
    firsts = rows.order_by().values("original").annotate(first=Min("article_id"))
    articles = (
        Article.objects.filter(pk__in=firsts.values("first"))
        .select_related("publication")
        .defer("text", "blocks", "captions")
        .order_by("dated_at", "pk")[:ASIDE_LIMIT]
    )
    return OtherTellings(own.story_id, n_others, tuple(articles)) if n_others else None
