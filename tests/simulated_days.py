"""Days of crawling in minutes: demo newspapers and all stages on a clock that is set forward."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from corpus_site import pipeline
from corpus_site.newsstand.edition import Edition, PublishedPiece
from corpus_site.newsstand.papers import PAPER_KEYS, read_paper
from corpus_site.newsstand.pieces import Flag
from corpus_site.newsstand.revisions import Fate, Revision
from corpus_site.newsstand.server import Newsstand
from extraction.models import ArticleVersion, Comment
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch
from feeds.sources.publications import NewFeed, NewPublication, activate, create_publication
from feeds.work.leases import Claim

# Between two looks for work: no visit is later than this by the clock's fault.
STEP = timedelta(minutes=10)
# Between two turns of the stages, so that hosts with a delay are asked page after page.
TURN = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class PlantedChange:
    """One revision of a piece, and what the corpus made of it; `after` is None for nothing yet."""

    slug: str
    age: timedelta
    planted: str
    after: timedelta | None
    noticed: str


class SimulatedDays:
    """A clock, papers that follow it, and the crawl of these papers.

    Use it as a context: the papers are served as long as it lasts.
    """

    def __init__(self, start: datetime) -> None:
        self.start = self.now = start
        self._newsstand = Newsstand(lambda: self.now)
        self._editions = [Edition(key, start) for key in PAPER_KEYS]

    def __enter__(self) -> Self:
        self._newsstand.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._newsstand.stop()

    def add_papers(self) -> None:
        """Watch all papers by the feed that each has."""
        for key, home in zip(PAPER_KEYS, self._newsstand.home_urls, strict=True):
            paper = read_paper(key)
            feed = NewFeed(f"{home}{paper.feed_path.lstrip('/')}", paper.name)
            new = NewPublication(paper.name, home, (feed,), language=paper.language)
            activate(create_publication(new, self.now), self.now)

    def pass_to(self, until: datetime) -> None:
        """Let time go by until a moment, and do all work whose time comes."""
        while self.now < until:
            step_end = min(self.now + STEP, until)
            pipeline.sweep(self.now)
            while self._has_due() and self.now < step_end:
                for stage in pipeline.STAGES:
                    stage.run(Claim.make("simulated", self.now))
                self.now += TURN
            self.now = max(self.now, step_end)

    def _has_due(self) -> bool:
        return any(pipeline.has_due(stage, self.now) for stage in pipeline.STAGES)

    # ------------------------------------------------------------------ what became of it

    def comments(self) -> tuple[int, int]:
        """Count the comments that readers have written by now, and those that are kept."""
        written = sum(
            not post.is_deleted
            for article in self._articles()
            if not article.has(Flag.PREMIUM)
            for post in article.posts(self.now)
        )
        return written, Comment.objects.filter(is_deleted=False).count()

    def planted(self) -> list[PlantedChange]:
        """List the revisions that pages have had since the start, in order of their moments."""
        found = [
            (article.published_at + revision.delay, article, revision)
            for article in self._articles()
            for revision in article.piece.revisions
            if self.start <= article.published_at + revision.delay < self.now
        ]
        return [
            _change(article, revision) for _, article, revision in sorted(found, key=lambda x: x[0])
        ]

    def _articles(self) -> Iterator[PublishedPiece]:
        for edition in self._editions:
            yield from (item for item in edition.by_number.values() if item.published_at < self.now)


def _change(article: PublishedPiece, revision: Revision) -> PlantedChange:
    moment = article.published_at + revision.delay
    found = _noticed(article, revision, moment)
    heads = [place for place, _ in revision.changes if place == "title"]
    planted = "headline, text" if heads else "text"
    return PlantedChange(
        slug=article.piece.slug,
        age=revision.delay,
        planted=planted if revision.fate is Fate.SHOWN else revision.fate.value,
        after=None if found is None else found[0] - moment,
        noticed="" if found is None else found[1],
    )


def _noticed(
    article: PublishedPiece, revision: Revision, moment: datetime
) -> tuple[datetime, str] | None:
    """Say when and as what a change was noticed: a version, a refused document, an outcome."""
    if revision.fate is Fate.GONE:
        gone = Fetch.objects.filter(
            page__url__endswith=article.path, outcome=Outcome.GONE, started_at__gte=moment
        )
        first = gone.order_by("started_at").first()
        return None if first is None else (first.started_at, "gone, the text is kept")
    versions = ArticleVersion.objects.filter(article__page__url__endswith=article.path)
    if revision.fate is not Fate.SHOWN:
        refused = versions.exclude(outcome="").filter(seen_at__gte=moment).order_by("seen_at")
        row = refused.first()
        return None if row is None else (row.seen_at, row.get_outcome_display())
    row = versions.filter(replaced_at__gte=moment).order_by("replaced_at").first()
    if row is not None and row.replaced_at is not None:
        changed = [*row.fields_changed.split(), f"{row.n_words_changed} words"]
        return row.replaced_at, f"version {(row.number or 0) + 1}: {', '.join(changed)}"
    first = Fetch.objects.filter(page__url__endswith=article.path).order_by("started_at").first()
    if first is not None and first.started_at >= moment:
        return moment, "there at the first visit"
    return None
