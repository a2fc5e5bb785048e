"""Threads of readers' comments: the row that says where an article's comments are.

One that can be read is put into the frontier; any other is named with its system, and with the
number of comments where the page says it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from extraction.models import Article, CommentThread
from feeds import comments
from feeds.crawler.comment_systems.systems import BY_KEY
from feeds.crawler.comment_systems.threads import Thread, ThreadReference
from feeds.models import Page
from feeds.threads.registering import ArticleThread
from feeds.threads.registering import register as register_threads

# Threads that a sweep completes; the next one takes the rest.
COMPLETED_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class FoundThread:
    """What an article's page says of its readers' comments."""

    article: Article
    page: Page
    reference: ThreadReference
    n_named: int | None = None


def register(found: Sequence[FoundThread], now: datetime) -> None:
    """Make or bring up to date the threads of a batch; one in the frontier is left alone."""
    ids = [item.article.pk for item in found]
    known = CommentThread.objects.in_bulk(ids, field_name="article_id") if ids else {}
    open_ones = [
        (item, thread)
        for item in found
        if (thread := known.get(item.article.pk)) is None or thread.page_id is None
    ]
    asked = [
        ArticleThread(item.page, item.reference, item.article.dated_at) for item, _ in open_ones
    ]
    new = []
    for (item, thread), page_id in zip(open_ones, register_threads(asked, now), strict=True):
        row = _brought_up_to_date(item, thread, page_id)
        if thread is None:
            new.append(row)
        else:
            row.save()
    CommentThread.objects.bulk_create(new)


def _brought_up_to_date(
    item: FoundThread, thread: CommentThread | None, page_id: int | None
) -> CommentThread:
    reference = item.reference
    row = thread or CommentThread(article=item.article)
    row.page_id = page_id
    row.system = reference.system
    row.forum = reference.forum[:100]
    row.identifier = reference.identifier[:500]
    if item.n_named is not None and row.checked_at is None:
        row.n_posts = max(item.n_named, 0)
    return row


def answered(article: Article, url: str, answer: Thread, now: datetime) -> None:
    """Note what an answer says of its thread."""
    thread = CommentThread.objects.filter(article=article)
    if answer.problem:
        return
    if answer.is_further:
        changes = {} if answer.has_more else {"is_cut": False}
        thread.update(checked_at=now, **changes)
        return
    n_posts = answer.n_posts if answer.n_posts is not None else len(answer.posts)
    thread.update(
        checked_at=now,
        remote_id=answer.id[:60],
        is_closed=bool(answer.is_closed),
        closed_seen_at=now if answer.is_closed else None,
        n_posts=max(n_posts, 0),
        is_cut=comments.is_cut(url, answer),
    )


def with_comments_elsewhere(article_ids: Collection[int]) -> set[int]:
    """Choose articles whose comments in the page are copies of what a system gives.

    Of a thread that holds the page's own comments this is so once it has answered.
    """
    threads = CommentThread.objects.filter(article__in=article_ids, page__isnull=False)
    own = {system.key for system in BY_KEY.values() if system.holds_page_comments}
    return {
        article_id
        for article_id, system, checked_at in threads.values_list(
            "article_id", "system", "checked_at"
        )
        if system not in own or checked_at is not None
    }


def complete_cut(now: datetime) -> int:
    """Ask for the rest of threads that were cut, once a key is set; returns how many."""
    if not comments.can_complete():
        return 0
    cut = CommentThread.objects.filter(is_cut=True).order_by("pk")
    return complete(list(cut[:COMPLETED_AT_ONCE]), now)


def complete(threads: Collection[CommentThread], now: datetime) -> int:
    """Ask for the rest of these threads; returns how many there is a rest to ask for of."""
    page_ids = [thread.page_id for thread in threads if thread.page_id is not None]
    n_asked = comments.complete(page_ids, now)
    CommentThread.objects.filter(pk__in=[thread.pk for thread in threads]).update(is_cut=False)
    return n_asked
