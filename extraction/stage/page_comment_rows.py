"""Comment rows of the comments that stand in an article's page, brought up to date at each visit.

They carry the system "page". A comment that changed is marked as edited. One that is gone while an
earlier and a later one still stand was deleted: its row stays as a gap, without its words, as with
Disqus; one beyond the first or the last shown may only have moved to another page of comments, so
it stays as it is.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.html import escape

from extraction.html.page import PageComment
from extraction.models import Article, Comment, CommentThread
from extraction.stage.comment_tree import link_parents
from extraction.text.digest import text_digest
from extraction.text.normalize import normalize_text
from extraction.text.other_languages import language_of_comment
from feeds.work.row_updates import update_rows

SYSTEM = "page"
_UPDATED = [
    "remote_parent_id", "text", "html", "text_digest", "language", "n_words", "likes", "points",
    "author_name", "is_edited", "is_deleted", "posted_at", "is_undated", "updated_at",
]  # fmt: skip
_CONTENT = ("text", "author_name", "remote_parent_id", "likes", "is_deleted")


@dataclass(frozen=True, slots=True)
class ShownComments:
    """The comments that a page shows of an article."""

    article_id: int
    comments: tuple[PageComment, ...]
    count: int = 0  # as the page names it; 0 where it names none


def store(pages: Sequence[ShownComments], now: datetime) -> list[int]:
    """Write the comments of a batch; returns the primary keys of rows made or changed.

    Needs a transaction. A comment without a time gets the moment it was first seen; a time counted
    from an age ("3 hours ago") is that of the first look for good.
    """
    known: dict[int, dict[str, Comment]] = defaultdict(dict)
    article_ids = [page.article_id for page in pages]
    for row in Comment.objects.filter(article__in=article_ids, system=SYSTEM):
        known[row.article_id][row.remote_id] = row
    with_comments = [page for page in pages if page.comments or page.article_id in known]
    articles = Article.objects.in_bulk([page.article_id for page in with_comments])
    written: list[int] = []
    for page in with_comments:
        article = articles[page.article_id]
        written += _store_one(article, page, known[page.article_id], now)
    return written


def _store_one(
    article: Article,
    page: ShownComments,
    known: dict[str, Comment],
    now: datetime,
) -> list[int]:
    shown = _recognised(article, page.comments, known)
    changed = [
        row
        for remote_id, comment in shown.items()
        if (row := _row(article, comment, known.get(remote_id), now)) is not None
    ]
    changed += _deleted(known, shown, now)
    Comment.objects.bulk_create([row for row in changed if row.pk is None])
    update_rows([row for row in changed if row.remote_id in known], _UPDATED)
    if changed:
        link_parents(article)
    _keep_thread(article, max(page.count, len(shown)), now)
    return [row.pk for row in changed]


def displayed(text: str) -> str:
    """Give plain words for display, a paragraph a line."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line)


def name_of(article: Article, own: str) -> str:
    """Give the name of a comment among those of all pages: numbers start anew on each site."""
    return f"{article.pk}-{own}"[:60] if own else ""


def _recognised(
    article: Article, comments: Sequence[PageComment], known: dict[str, Comment]
) -> dict[str, PageComment]:
    """Comments by the name of their row; one whose id is new has that of its own words.

    Sites without ids, or that begin to give some, would double every comment else. Of rows that say
    the same, the nearest in time is the one.
    """
    given = {comment.id: name_of(article, comment.id) for comment in comments}
    free: dict[tuple[str, str], list[Comment]] = defaultdict(list)
    taken = set(given.values())
    for remote_id, row in known.items():
        if remote_id not in taken and not row.is_deleted and row.erased_at is None:
            free[row.author_name, row.text_digest].append(row)
    for comment in comments:
        if given[comment.id] in known:
            continue
        rows = free[comment.author[:200], text_digest(normalize_text(comment.text))]
        if rows:
            row = min(rows, key=lambda one: _distance(one, comment))
            rows.remove(row)
            given[comment.id] = row.remote_id
    return {
        given[comment.id]: replace(
            comment,
            id=given[comment.id],
            parent=given.get(comment.parent, name_of(article, comment.parent)),
        )
        for comment in comments
    }


def _distance(row: Comment, comment: PageComment) -> timedelta:
    return abs(row.posted_at - comment.posted_at) if comment.posted_at else timedelta()


def _row(
    article: Article, comment: PageComment, row: Comment | None, now: datetime
) -> Comment | None:
    """Row to write; None where the comment is as it was."""
    values = _values(article, comment)
    if row is None:
        row = Comment(
            article=article,
            system=SYSTEM,
            remote_id=comment.id,
            created_at=now,
            posted_at=comment.posted_at or now,
            is_undated=comment.posted_at is None,
        )
    elif row.erased_at is not None:
        row.updated_at = now  # it does not come back; that it was seen, the records tell
        return row
    elif all(getattr(row, name) == values[name] for name in _CONTENT) and not (
        row.is_undated and comment.posted_at
    ):
        return None
    elif row.text_digest != values["text_digest"] and not row.is_deleted:
        row.is_edited = True
    for name, value in values.items():
        setattr(row, name, value)
    if comment.posted_at is not None and (row.is_undated or not comment.is_near):
        row.posted_at, row.is_undated = comment.posted_at, False
    row.updated_at = now
    return row


def _values(article: Article, comment: PageComment) -> dict[str, Any]:
    text = normalize_text(comment.text)
    return {
        "remote_parent_id": comment.parent,
        "text": text,
        "html": displayed(text),
        "text_digest": text_digest(text),
        "language": language_of_comment(text, article.language),
        "n_words": len(text.split()),
        "likes": comment.likes,
        "points": comment.likes,
        "author_name": comment.author[:200],
        "is_deleted": False,
    }


def _deleted(
    known: dict[str, Comment], shown: dict[str, PageComment], now: datetime
) -> list[Comment]:
    """Rows whose comment is gone from between two that are still shown, emptied."""
    still = [row.posted_at for remote_id, row in known.items() if remote_id in shown]
    if not still:
        return []
    first, last = min(still), max(still)
    gone = [
        row
        for remote_id, row in known.items()
        if remote_id not in shown and not row.is_deleted and first < row.posted_at < last
    ]
    for row in gone:
        empty(row, now)
    return gone


def empty(row: Comment, now: datetime) -> None:
    """Make a comment that was deleted a gap in its thread, without its words."""
    row.text = row.html = row.language = ""
    row.text_digest = text_digest("")
    row.n_words = 0
    row.is_deleted = True
    row.updated_at = now


def _keep_thread(article: Article, n_posts: int, now: datetime) -> None:
    """Note that the comments stand in the page; a comment system's thread is left as it is."""
    thread, _ = CommentThread.objects.get_or_create(article=article, defaults={"system": SYSTEM})
    if thread.system == SYSTEM:
        thread.n_posts, thread.checked_at = n_posts, now
        thread.save(update_fields=["n_posts", "checked_at"])
