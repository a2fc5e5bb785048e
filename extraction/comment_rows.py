"""Comment rows: one answer of a comment system → comments made or brought up to date, as a tree.

`raw_message` is kept for the corpus and `message`, sanitised, for display (COR-32). A comment that
was deleted keeps its row, so that the thread shows a gap (COR-30).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import nh3

from extraction.models import Article, Comment, CommentThread
from extraction.text.digest import text_digest
from extraction.text.language import identify
from extraction.text.normalize import normalize_text
from feeds.crawler.comment_systems import DisqusPost, DisqusThread
from feeds.models import Page

SYSTEM = "disqus"
_TAGS = {"p", "br", "b", "strong", "i", "em", "u", "s", "blockquote", "code", "a", "span"}
_ATTRIBUTES = {"a": {"href"}}
_KEY_FIELDS = {"article_id", "system", "remote_id", "created_at"}


def article_of(page: Page) -> Article | None:
    """Find the article whose comments a page holds; further pages hang below the first."""
    while page.parent is not None:
        page = page.parent
    return Article.objects.filter(page=page).first()


def store(article: Article, answer: DisqusThread, now: datetime) -> list[int]:
    """Write an answer's posts and what it says of the thread; returns the comments' primary keys.

    Needs a transaction.
    """
    ids = [post.id for post in answer.posts]
    known = {row.remote_id: row for row in Comment.objects.filter(system=SYSTEM, remote_id__in=ids)}
    rows = {post.id: _row(article, post, known.get(post.id), now) for post in answer.posts}
    fresh = [row for row in rows.values() if row.pk is None]
    Comment.objects.bulk_create(fresh)
    old = [row for row in rows.values() if row.remote_id in known]
    if old:
        names = [field.attname for field in Comment._meta.concrete_fields if not field.primary_key]
        Comment.objects.bulk_update(old, [name for name in names if name not in _KEY_FIELDS])
    _link_parents(article)
    _update_thread(article, answer, now)
    return [row.pk for row in rows.values()]


def _row(article: Article, post: DisqusPost, row: Comment | None, now: datetime) -> Comment:
    if row is None:
        row = Comment(article=article, system=SYSTEM, remote_id=post.id, created_at=now)
    for name, value in (_content(post) | _counts(post) | _author(post)).items():
        setattr(row, name, value)
    row.updated_at = now
    return row


def _content(post: DisqusPost) -> dict[str, Any]:
    text = "" if post.is_deleted else normalize_text(post.raw_message)
    return {
        "remote_parent_id": post.parent,
        "remote_thread_id": post.thread,
        "forum": post.forum[:100],
        "depth": post.depth,
        "posted_at": post.created_at,
        "text": text,
        "html": nh3.clean(post.message, tags=_TAGS, attributes=_ATTRIBUTES),
        "text_digest": text_digest(text),
        "language": identify(text).language if text else "",
        "n_words": len(text.split()),
        "media": list(post.media),
    }


def _counts(post: DisqusPost) -> dict[str, Any]:
    names = (
        "likes", "dislikes", "points", "n_reports", "is_flagged", "is_deleted", "is_approved",
        "is_edited", "is_spam", "is_highlighted",
    )  # fmt: skip
    return {name: getattr(post, name) for name in names}


def _author(post: DisqusPost) -> dict[str, Any]:
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


def _link_parents(article: Article) -> None:
    """Point replies to their parents: a parent may have come with an earlier or a later page."""
    rows = list(
        Comment.objects.filter(article=article).only(
            "remote_id", "remote_parent_id", "parent", "depth"
        )
    )
    by_remote = {row.remote_id: row for row in rows}
    changed: list[Comment] = []
    for row in rows:
        parent = by_remote.get(row.remote_parent_id)
        if parent is not None and parent.pk != row.parent_id and parent is not row:
            row.parent = parent
            changed.append(row)
    _set_depths(rows, by_remote)
    Comment.objects.bulk_update(rows if changed else changed, ["parent", "depth"])


def _set_depths(rows: Sequence[Comment], by_remote: dict[str, Comment]) -> None:
    for row in rows:
        depth, above, seen = 0, by_remote.get(row.remote_parent_id), {row.remote_id}
        while above is not None and above.remote_id not in seen:
            seen.add(above.remote_id)
            depth, above = depth + 1, by_remote.get(above.remote_parent_id)
        row.depth = depth


def _update_thread(article: Article, answer: DisqusThread, now: datetime) -> None:
    thread = CommentThread.objects.filter(article=article)
    if answer.is_closed is None:
        thread.update(checked_at=now)
        return
    n_posts = answer.n_posts if answer.n_posts is not None else len(answer.posts)
    thread.update(
        checked_at=now,
        remote_id=answer.id[:60],
        is_closed=answer.is_closed,
        closed_seen_at=now if answer.is_closed else None,
        n_posts=n_posts,
    )
