"""An article as it is read: head, blocks, texts cut at marks, where each field came from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dedup.twins import n_twins, original_of
from extraction.correcting import left_out_because
from extraction.models import Article, ArticleKind, Comment
from extraction.text.language_names import language_name
from extraction.versions import ChangeSummary, latest_changes
from feeds.models import Feed, FeedItem
from search.articles.versions import LastVisit, last_visit

# Fields whose origin is shown, with the words for them.
_FIELD_WORDS = {
    "title": "Title",
    "standfirst": "Standfirst",
    "description": "Standfirst",
    "authors": "Author",
    "author": "Author",
    "published_at": "Date",
    "date": "Date",
    "modified_at": "Changed",
    "section": "Section",
    "text": "Text",
    "body": "Text",
    "language": "Language",
}


@dataclass(frozen=True, slots=True)
class TextMark:
    """A stretch of a text to be marked, in code points; `anchor` is its name in the page."""

    start: int
    end: int
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str
    is_marked: bool = False
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """Where a field of the article was found: JSON-LD, the feed, a site rule."""

    field: str
    source: str


@dataclass(frozen=True, slots=True)
class ArticleHead:
    """What stands above all tabs of an article."""

    article: Article
    feed: Feed | None
    language: str
    n_comments: int
    n_twins: int
    original: Article | None  # of which this one is a copy
    sources: tuple[FieldOrigin, ...]
    change: ChangeSummary | None = None  # by which the text came that stands there now
    last_visit: LastVisit | None = None  # where it did not find the text any more

    @property
    def title(self) -> str:
        """The headline; of a post, which has none, whose it is."""
        if self.article.kind == ArticleKind.POST:
            return f"Post by {self.byline}"
        return self.article.title or "Untitled article"

    @property
    def byline(self) -> str:
        return ", ".join(map(str, [*self.article.authors, *self.article.agencies]))

    @property
    def left_out_because(self) -> str:
        """What would keep the article out of the corpus without an editor's word."""
        return left_out_because(self.article)

    @property
    def standfirst(self) -> str:
        """The standfirst, but where the text begins with it: it would stand there twice."""
        words = " ".join(self.article.standfirst.split())
        begin = " ".join(self.article.text[: 2 * len(words)].split())
        return "" if begin.startswith(words) else self.article.standfirst


def article_head(article_id: int) -> ArticleHead:
    """Load an article with what its head shows, in five queries, one more if it changed.

    Raises
    ------
    Article.DoesNotExist
        When there is no such article.
    """
    article = Article.objects.select_related(
        "publication",
        "page",
        "collected",
        "fetch",
        "slug_twin",
        "detection",
        "correction__changed_by",
    ).get(pk=article_id)
    listing = (
        FeedItem.objects.filter(page=article.page_id)
        .select_related("feed__page")
        .order_by("first_seen_at")
        .first()
    )
    return ArticleHead(
        article=article,
        feed=listing.feed if listing else None,
        language=language_name(article.language),
        n_comments=Comment.shown.filter(article=article).count(),
        n_twins=n_twins(article),
        original=original_of(article),
        sources=tuple(field_sources(article)),
        change=latest_changes([article]).get(article.pk),
        last_visit=last_visit(article),
    )


def field_sources(article: Article) -> Iterator[FieldOrigin]:
    for name, source in article.sources.items():
        yield FieldOrigin(_FIELD_WORDS.get(name, name.replace("_", " ").capitalize()), str(source))


def cut(text: str, start: int, end: int, marks: Iterable[TextMark]) -> Iterator[TextPiece]:
    """Cut a stretch of a text into marked and unmarked pieces.

    A mark that begins before the stretch is marked in it too, without its anchor, so that no
    anchor stands twice in a page.
    """
    at = start
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        if mark.end <= at or mark.start >= end:
            continue
        begin = max(mark.start, at)
        if begin > at:
            yield TextPiece(text[at:begin])
        stop = min(mark.end, end)
        yield TextPiece(
            text[begin:stop], is_marked=True, anchor=mark.anchor if begin == mark.start else ""
        )
        at = stop
    if at < end:
        yield TextPiece(text[at:end])
