"""The versions of a text, read: oldest first, the newest among them, and what was refused.

The newest text is the article itself; what it was before is unpacked from `ArticleVersion`. Written
by `stage/versioning.py`.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from propcache.api import cached_property

from extraction.models import Article, ArticleVersion, VersionOutcome
from extraction.revisions.changes import TITLE, in_words
from extraction.revisions.packing import FollowingTextError, PackedText, unpack
from extraction.stage.versioning import first_seen

# A page that changes at each of its visits has some hundred; more are not shown at once.
MAX_SHOWN = 200
_NO_TEXT = PackedText("", "", "", [], "", [], "", None, None, "")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """What became of a text when a version followed it."""

    at: datetime
    after: timedelta  # since the text before was first seen
    n_words: int
    fields: tuple[str, ...]

    @property
    def words(self) -> str:
        """Write it for people: "headline, 41 words"."""
        return in_words(self.n_words, self.fields)

    @property
    def is_headline_changed(self) -> bool:
        return TITLE in self.fields


@dataclass(frozen=True)
class FormerTexts:
    """The former texts of an article by their number, read when the first one is asked for."""

    article_id: int

    @cached_property
    def by_number(self) -> dict[int, PackedText]:
        return former_texts([self.article_id]).get(self.article_id, {})


@dataclass(frozen=True)
class TextVersion:
    """A text that a page has shown; `row` is empty for the newest, which is the article itself.

    `change` says what it changed of the version before; the first one has none.
    """

    article: Article
    number: int
    seen_at: datetime
    row: ArticleVersion | None = None
    change: ChangeSummary | None = None
    texts: FormerTexts = field(default=FormerTexts(0), repr=False, compare=False)

    @property
    def is_newest(self) -> bool:
        return self.row is None

    @property
    def is_withdrawn(self) -> bool:
        return self.row is not None and self.row.withdrawn_at is not None

    @property
    def fetch_id(self) -> int | None:
        return self.article.fetch_id if self.row is None else self.row.fetch_id

    @property
    def n_words(self) -> int:
        return self.article.n_words if self.row is None else self.row.n_words

    @cached_property
    def as_article(self) -> Article:
        """The article as it was; an object that is not stored. One withdrawn has no text."""
        if self.row is None:
            return self.article
        is_hidden = self.is_withdrawn
        shown = _NO_TEXT if is_hidden else self.texts.by_number.get(self.number, _NO_TEXT)
        return as_it_was(self.article, self.row, shown)

    @property
    def title(self) -> str:
        return self.as_article.title

    @property
    def digest(self) -> str:
        return self.as_article.text_digest


@dataclass(frozen=True, slots=True)
class RefusedVersion:
    """A document that was no version of the text, and why."""

    seen_at: datetime
    outcome: str
    words: str
    fetch_id: int | None


def versions_of(article: Article) -> list[TextVersion]:
    """Give all texts of an article, oldest first; the newest `MAX_SHOWN` of very many."""
    rows = list(
        article.versions.filter(outcome=VersionOutcome.TAKEN)
        .defer("body")
        .order_by("-number")[:MAX_SHOWN]
    )
    rows.reverse()
    found: list[TextVersion] = []
    before: ArticleVersion | None = None
    texts = FormerTexts(article.pk)
    for row in rows:
        number = row.number or 1
        found.append(TextVersion(article, number, row.seen_at, row, _change(before), texts))
        before = row
    seen_at = article.changed_at or first_seen(article)
    newest = TextVersion(article, article.n_versions, seen_at, None, _change(before))
    return [*found, newest]


def former_versions(article: Article) -> list[TextVersion]:
    """Give the texts before the newest one that may be read, oldest first."""
    return [one for one in versions_of(article) if not one.is_newest and not one.is_withdrawn]


def refused_of(article: Article) -> list[RefusedVersion]:
    """Give the documents of an article that were refused, oldest first."""
    rows = article.versions.filter(number=None).order_by("seen_at", "pk")[:MAX_SHOWN]
    return [
        RefusedVersion(row.seen_at, row.outcome, row.get_outcome_display(), row.fetch_id)
        for row in rows
    ]


def former_texts(article_ids: Iterable[int]) -> dict[int, dict[int, PackedText]]:
    """Unpack the former texts of articles, by article and number; also those that are withdrawn.

    One statement reads them with the newest texts, so that no version comes between the two.
    """
    rows = ArticleVersion.objects.filter(article__in=list(article_ids), number__isnull=False)
    columns = ("article_id", "number", "body", "article__text")
    pieces: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    newest: dict[int, str] = {}
    for pk, number, body, text in rows.order_by("-number").values_list(*columns).iterator():
        pieces[pk].append((number, bytes(body)))
        newest[pk] = text
    return {pk: dict(_unpacked(pk, own, newest[pk])) for pk, own in pieces.items()}


def _unpacked(
    article_id: int, pieces: Iterable[tuple[int, bytes]], following: str
) -> Iterator[tuple[int, PackedText]]:
    """Unpack the texts of an article, the latest first: each is needed for the one before."""
    for number, body in pieces:
        shown = _NO_TEXT
        if body:
            try:
                shown = unpack(body, following)
            except FollowingTextError:
                _log.exception("version %s of article %s cannot be unpacked", number, article_id)
        yield number, shown
        following = shown.text


def titles_of(rows: Iterable[ArticleVersion]) -> Mapping[int, str]:
    """Give the headlines of former texts by the rows' keys; withdrawn ones have none."""
    asked = [row for row in rows if row.withdrawn_at is None]
    texts = former_texts({row.article_id for row in asked})
    return {row.pk: texts[row.article_id][row.number or 0].title for row in asked}


def as_it_was(article: Article, row: ArticleVersion, shown: PackedText) -> Article:
    """Make the article as it was with a former text; never to be saved."""
    return Article(
        pk=article.pk,
        page=article.page,
        publication=article.publication,
        url=article.url,
        title=shown.title,
        standfirst=shown.standfirst,
        authors=shown.authors,
        agencies=article.agencies,
        section=shown.section,
        published_at=shown.published_at,
        modified_at=shown.modified_at,
        dated_at=row.seen_at,
        text=shown.text,
        captions=shown.captions,
        blocks=shown.blocks,
        text_digest=shown.text_digest,
        n_words=row.n_words,
        language=shown.language,
        fetch_id=row.fetch_id,
        created_at=row.seen_at,
        updated_at=row.seen_at,
    )


def changes() -> QuerySet[ArticleVersion]:
    """All changes of texts, the latest first: the rows of the texts that were replaced."""
    return ArticleVersion.objects.exclude(replaced_at=None).order_by("-replaced_at", "-pk")


def headline_changed() -> Q:
    """Condition on `changes`: the headline is another."""
    return Q(fields_changed__contains=TITLE)


def latest_changes(articles: Iterable[Article]) -> dict[int, ChangeSummary]:
    """Give by article what its newest text changed; articles that never changed are absent."""
    ids = [article.pk for article in articles if article.n_versions > 1]
    rows = ArticleVersion.objects.filter(article__in=ids, number__isnull=False).defer("body")
    found = {}
    for row in rows.order_by("number"):
        if (change := _change(row)) is not None:
            found[row.article_id] = change
    return found


def change_by(row: ArticleVersion) -> ChangeSummary:
    """Say what replaced a former text; only of rows from `changes`."""
    change = _change(row)
    if change is None:
        raise ValueError(row)
    return change


def _change(row: ArticleVersion | None) -> ChangeSummary | None:
    """Say what became of a former text."""
    if row is None or row.replaced_at is None:
        return None
    return ChangeSummary(
        at=row.replaced_at,
        after=row.replaced_at - row.seen_at,
        n_words=row.n_words_changed,
        fields=tuple(row.fields_changed.split()),
    )
