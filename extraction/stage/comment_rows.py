"""Comment rows: one answer of a comment system → comments made or brought up to date, as a tree.

`raw_message` is kept for the corpus and `message`, sanitised, for display. A comment that was
deleted keeps its row, so that the thread shows a gap; one that a later answer words otherwise is
marked as edited. Comments that were read from the page itself become those of the system that
keeps them, once it answers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import nh3
from django.db.models import QuerySet

from extraction.models import Article, Comment
from extraction.stage import comment_threads
from extraction.stage.comment_tree import MAX_DEPTH, link_parents
from extraction.stage.page_comment_rows import SYSTEM as IN_PAGE
from extraction.stage.page_comment_rows import empty, name_of
from extraction.text.digest import text_digest
from extraction.text.normalize import normalize_text
from extraction.text.other_languages import language_of_comment
from feeds.crawler.comment_systems.systems import CommentSystem, system_of
from feeds.crawler.comment_systems.threads import Post, Thread
from feeds.models import Page
from feeds.work.row_updates import update_rows

_MAX_REMOTE_ID = 60  # what the columns hold
_MAX_SERVER = 253
_TAGS = {"p", "br", "b", "strong", "i", "em", "u", "s", "blockquote", "code", "a", "span"}
_ATTRIBUTES = {"a": {"href"}}
_KEY_FIELDS = {"article_id", "created_at"}
# Written by editors' words alone: what was read before one came must not undo it.
_EDITORS_FIELDS = {"withdrawn_at", "erased_at"}


@dataclass(frozen=True, slots=True)
class _Target:
    """Where an answer's posts go, and when."""

    article: Article
    system: CommentSystem
    server: str
    now: datetime

    def name(self, post_id: str) -> str:
        """Name of a post among those of all sites; empty for none."""
        if self.system.has_global_ids or not post_id:
            return post_id
        return name_of(self.article, post_id)


def article_of(page: Page) -> Article | None:
    """Find the article whose comments a page holds; further pages hang below the first."""
    while page.parent is not None:
        page = page.parent
    return Article.objects.filter(page=page).first()


def store(article: Article, url: str, answer: Thread, now: datetime) -> list[int]:
    """Write what came from an address: posts, and what it says of the thread.

    Returns the comments' primary keys. Needs a transaction.
    """
    system = system_of(url)
    if system is None:
        return []
    to = _Target(article, system, urlsplit(url).netloc[:_MAX_SERVER], now)
    posts = {to.name(post.id): post for post in answer.posts}
    known = _known(to, posts)
    rows = {name: _row(to, post, known.get(name)) for name, post in posts.items()}
    gone = _gone(to, answer, known.keys() & posts.keys(), posts)
    fresh = [row for row in rows.values() if row.pk is None]
    Comment.objects.bulk_create(fresh)
    old = [row for name, row in rows.items() if name in known] + gone
    if old:
        names = [field.attname for field in Comment._meta.concrete_fields if not field.primary_key]
        update_rows(old, [name for name in names if name not in _KEY_FIELDS | _EDITORS_FIELDS])
    link_parents(article)
    comment_threads.answered(article, url, answer, now)
    return [row.pk for row in [*rows.values(), *gone]]


def _known(to: _Target, posts: dict[str, Post]) -> dict[str, Comment]:
    """Rows of these posts by name: the system's own, or such as were read from the page before.

    Only rows of this article and this server: who answers for one paper says nothing of another's.
    """
    rows = _own(to).filter(remote_id__in=list(posts)).order_by("server")
    known = {row.remote_id: row for row in rows}
    if not to.system.holds_page_comments or len(known) == len(posts):
        return known
    shown = list(Comment.objects.filter(article=to.article, system=IN_PAGE))
    by_name = {row.remote_id: row for row in shown}
    by_text = {row.text_digest: row for row in shown if row.text and row.remote_id not in posts}
    for name, post in posts.items():
        if name not in known:
            digest = text_digest(normalize_text(post.raw_message))
            row = by_name.get(name) or by_text.pop(digest, None)
            if row is not None:
                known[name] = row
    return known


def _own(to: _Target) -> QuerySet[Comment]:
    """Rows that this server's answers are about; rows from before servers were noted are too."""
    return Comment.objects.filter(
        article=to.article, system=to.system.key, server__in={"", to.server}
    )


def _gone(
    to: _Target, answer: Thread, again: Collection[str], posts: dict[str, Post]
) -> list[Comment]:
    """Rows of comments that an answer ought to show and does not, emptied.

    One that shows none of those that are known says nothing of them.
    """
    if not again or not (answer.is_whole or answer.is_in_order):
        return []
    rows = _own(to).filter(is_deleted=False)
    if not answer.is_whole:
        times = [post.created_at for post in posts.values()]
        rows = rows.filter(posted_at__gt=min(times), posted_at__lt=max(times))
    gone = [row for row in rows if row.remote_id not in posts]
    for row in gone:
        empty(row, to.now)
    return gone


def _row(to: _Target, post: Post, row: Comment | None) -> Comment:
    before = ""
    if row is None:
        row = Comment(article=to.article, created_at=to.now)
    elif row.erased_at is not None:
        row.updated_at = to.now  # it does not come back; that it was seen, the records tell
        return row
    elif row.system == to.system.key and not row.is_deleted:
        before = row.text_digest
    was_edited = row.is_edited
    row.system, row.server = to.system.key, to.server
    row.remote_id = to.name(post.id)[:_MAX_REMOTE_ID]
    for name, value in (_content(to, post) | _counts(post) | _author(post)).items():
        setattr(row, name, value)
    is_reworded = bool(before) and before != row.text_digest and not row.is_deleted
    row.is_edited = post.is_edited or was_edited or is_reworded
    row.updated_at = to.now
    return row


def _content(to: _Target, post: Post) -> dict[str, Any]:
    text = "" if post.is_deleted else normalize_text(post.raw_message)
    return {
        "remote_parent_id": to.name(post.parent)[:_MAX_REMOTE_ID],
        "remote_thread_id": post.thread,
        "forum": post.forum[:100],
        "depth": min(max(post.depth, 0), MAX_DEPTH),
        "posted_at": post.created_at,
        "text": text,
        "html": nh3.clean(post.message, tags=_TAGS, attributes=_ATTRIBUTES),
        "text_digest": text_digest(text),
        "language": language_of_comment(text, to.article.language),
        "n_words": len(text.split()),
        "media": list(post.media),
    }


def _counts(post: Post) -> dict[str, Any]:
    names = (
        "likes", "dislikes", "points", "n_reports", "is_flagged", "is_deleted", "is_approved",
        "is_edited", "is_spam", "is_highlighted",
    )  # fmt: skip
    return {name: getattr(post, name) for name in names}


def _author(post: Post) -> dict[str, Any]:
    author = post.author
    return {
        "author_id_remote": author.id[:60],
        "author_username": author.username[:200],
        "author_name": author.name[:200],
        "author_url": author.url[:2048],
        "author_profile_url": author.profile_url[:2048],
        "author_reputation": author.reputation,
        "author_reputation_label": author.reputation_label[:40],
        "author_is_anonymous": author.is_anonymous,
        "author_is_private": author.is_private,
        "author_is_primary": author.is_primary,
        "author_joined_at": author.joined_at,
        "author_location": author.location[:300],
        "author_about": author.about,
    }
