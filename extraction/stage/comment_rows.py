"""Comment rows: one answer of a comment system → comments made or brought up to date, as a tree.

`raw_message` is kept for the corpus and `message`, sanitised, for display. A comment that was
deleted keeps its row, so that the thread shows a gap.
"""

from datetime import datetime
from typing import Any

import nh3
from django.utils.html import escape

from extraction.models import Article, Comment, CommentThread
from extraction.text.digest import text_digest
from extraction.text.language import identify
from extraction.text.normalize import normalize_text
from feeds.crawler.documents.disqus_answers import DisqusPost, DisqusThread
from feeds.models import Page
from feeds.row_updates import update_rows

SYSTEM = "disqus"
_MAX_DEPTH = 32_767  # what the column holds
_TAGS = {"p", "br", "b", "strong", "i", "em", "u", "s", "blockquote", "code", "a", "span"}
_ATTRIBUTES = {"a": {"href"}}
_KEY_FIELDS = {"article_id", "system", "remote_id", "created_at"}
# Written by editors' words alone: what was read before one came must not undo it.
_EDITORS_FIELDS = {"withdrawn_at", "erased_at"}


def displayed(text: str) -> str:
    """Give plain words for display, a paragraph a line."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line)


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
        update_rows(old, [name for name in names if name not in _KEY_FIELDS | _EDITORS_FIELDS])
    link_parents(article)
    _update_thread(article, answer, now)
    return [row.pk for row in rows.values()]


def _row(article: Article, post: DisqusPost, row: Comment | None, now: datetime) -> Comment:
    if row is None:
        row = Comment(article=article, system=SYSTEM, remote_id=post.id, created_at=now)
    elif row.erased_at is not None:
        return row  # it does not come back
    for name, value in (_content(article, post) | _counts(post) | _author(post)).items():
        setattr(row, name, value)
    row.updated_at = now
    return row


def _content(article: Article, post: DisqusPost) -> dict[str, Any]:
    text = "" if post.is_deleted else normalize_text(post.raw_message)
    return {
        "remote_parent_id": post.parent,
        "remote_thread_id": post.thread,
        "forum": post.forum[:100],
        "depth": min(max(post.depth, 0), _MAX_DEPTH),
        "posted_at": post.created_at,
        "text": text,
        "html": nh3.clean(post.message, tags=_TAGS, attributes=_ATTRIBUTES),
        "text_digest": text_digest(text),
        "language": identify(text, expected=(article.language,)).language if text else "",
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


def link_parents(article: Article) -> None:
    """Point replies to their parents: a parent may have come with an earlier or a later page."""
    rows = list(
        Comment.objects.filter(article=article).only(
            "remote_id", "remote_parent_id", "parent", "depth"
        )
    )
    by_remote = {row.remote_id: row for row in rows}
    parents = {row.remote_id: row.remote_parent_id for row in rows}
    depths = _open_circles(parents)
    changed: list[Comment] = []
    for row in rows:
        parent = by_remote.get(parents[row.remote_id])
        place = (parent.pk if parent else None, min(depths[row.remote_id], _MAX_DEPTH))
        if (row.parent_id, row.depth) != place:
            row.parent_id, row.depth = place
            changed.append(row)
    update_rows(changed, ["parent", "depth"])


def _open_circles(parents: dict[str, str]) -> dict[str, int]:
    """Count the depths of comments by their parents; linear in their number.

    Parents in a circle are a mistake of the sender: the first comment of it loses its parent.
    """
    order = {name: number for number, name in enumerate(parents)}
    depths: dict[str, int] = {}
    for start in order:
        line: dict[str, None] = {}
        name = start
        while name in order and name not in depths and name not in line:
            line[name] = None
            name = parents[name]
        way = list(line)
        if name in line:
            circle = way[way.index(name) :]
            first = min(circle, key=order.__getitem__)
            parents[first] = ""
            place = len(way) - len(circle) + circle.index(first)
            # From the comment that stands at the top now, round the circle, then down the way.
            way = (
                way[: len(way) - len(circle)]
                + way[place + 1 :]
                + way[len(way) - len(circle) : place + 1]
            )
        for below in reversed(way):
            depths[below] = depths.get(parents[below], -1) + 1
    return depths


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
        n_posts=max(n_posts, 0),
    )
