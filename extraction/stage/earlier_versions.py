"""A text that a page has shown before those that are known: put among the versions by its time."""

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from extraction.models import Article, ArticleVersion, CaptureFound
from extraction.revisions.changes import Change, change_of
from extraction.revisions.noise import version_digest
from extraction.revisions.packing import PackedText, pack, stands_alone, unpack
from extraction.revisions.refusals import ShownText, refusal
from extraction.stage.read_articles import ReadArticle
from extraction.stage.versioning import first_seen, packed_read, packed_row
from extraction.text.digest import text_digest
from feeds.models import Fetch


@dataclass(slots=True)
class _Shown:
    """A text with the time since when the page showed it; the newest is the article's own."""

    text: PackedText
    seen_at: datetime
    fetch_id: int | None
    withdrawn_at: datetime | None = None

    def says(self, other: PackedText) -> bool:
        """Whether it is the same text, noise and the cut of paragraphs aside."""
        own = self.text
        if version_digest(own.title, own.text) == version_digest(other.title, other.text):
            return True
        return text_digest(own.text) == text_digest(other.text)


def insert(article: Article, read: ReadArticle, fetch: Fetch, newest: Fetch | None) -> CaptureFound:
    """Put a text where the page showed it; the article's row must be locked.

    All versions are written anew: their numbers follow their time, and each is packed with the
    next.
    """
    shown, at = packed_read(read), fetch.document_at
    current = packed_row(article)
    if refusal(_shown(article, current), _shown(article, shown)) is not None:
        return CaptureFound.NO_TEXT
    chain = [*_former(article), _Shown(current, _current_since(article), article.fetch_id)]
    place = sum(one.seen_at <= at for one in chain)
    if place and chain[place - 1].says(shown):
        return CaptureFound.SAME
    found = CaptureFound.VERSION
    if place < len(chain) and chain[place].says(shown):
        chain[place].seen_at, found = at, CaptureFound.SAME
    elif place < len(chain):
        chain.insert(place, _Shown(shown, at, fetch.pk))
    else:  # shown between two documents of the newest text
        again = newest.document_at if newest else at
        chain += [_Shown(shown, at, fetch.pk), _Shown(current, again, article.fetch_id)]
    _write(article, chain)
    return found


def date_back(article: Article | None, fetch: Fetch, now: datetime) -> bool:
    """Give an article without a date of its own the day of its first capture; whether it did."""
    if article is None or article.published_at is not None or article.dated_at <= fetch.document_at:
        return False
    Article.objects.filter(pk=article.pk).update(dated_at=fetch.document_at, updated_at=now)
    return True


def _current_since(article: Article) -> datetime:
    return article.changed_at or first_seen(article)


def _former(article: Article) -> list[_Shown]:
    rows = ArticleVersion.objects.filter(article=article, number__isnull=False)
    following, found = article.text, []
    for row in rows.order_by("-number"):
        text = unpack(bytes(row.body), "" if stands_alone(row.number or 0) else following)
        found.append(_Shown(text, row.seen_at, row.fetch_id, row.withdrawn_at))
        following = text.text
    return found[::-1]


def _write(article: Article, chain: list[_Shown]) -> None:
    ArticleVersion.objects.filter(article=article, number__isnull=False).delete()
    rows = []
    for number, (one, following) in enumerate(pairwise(chain), start=1):
        change = _change(one.text, following.text)
        alone = stands_alone(number)
        rows.append(
            ArticleVersion(
                article=article,
                number=number,
                seen_at=one.seen_at,
                replaced_at=following.seen_at,
                fetch_id=one.fetch_id,
                withdrawn_at=one.withdrawn_at,
                n_words=len(one.text.text.split()),
                n_words_changed=change.n_words,
                fields_changed=" ".join(change.fields),
                body=pack(one.text, "" if alone else following.text.text),
            )
        )
    ArticleVersion.objects.bulk_create(rows)
    article.n_versions = len(chain)
    article.changed_at = chain[-1].seen_at
    # One text alone was never changed; when it was first seen follows from its captures.
    Article.objects.filter(pk=article.pk).update(
        n_versions=article.n_versions,
        changed_at=article.changed_at if len(chain) > 1 else None,
    )


def _change(before: PackedText, after: PackedText) -> Change:
    def fields(one: PackedText) -> dict[str, object]:
        return {
            "title": one.title,
            "standfirst": one.standfirst,
            "authors": one.authors,
            "section": one.section,
            "published_at": one.published_at,
        }

    return change_of(before.text, after.text, fields(before), fields(after))


def _shown(article: Article, text: PackedText) -> ShownText:
    return ShownText(
        title=text.title,
        text=text.text,
        language=text.language,
        url=article.url,
        canonical_url="",
        is_paywalled=False,
    )
