"""Read side of threads of readers' comments: what is kept of them, what is not, and when next.

An article's thread, and those of a publication by system. What cannot be read is named.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, Sum

from extraction.models import Article, Comment, CommentThread
from extraction.stage.page_comment_rows import SYSTEM as IN_PAGE
from feeds.crawler.comment_systems.systems import BY_KEY, system_name
from feeds.models import Page, PageKind, Publication
from feeds.watching.tallies import tally
from presentation.wording.figures import counted, grouped

UNREADABLE = "cannot be read without a key"
THREADS = "threads"  # name of the figures that are kept; ":" and the publication follow


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """An article's thread: what is kept of it, its last and its next look."""

    thread: CommentThread
    n_kept: int
    last_look_at: datetime | None = None
    next_look_at: datetime | None = None
    next_reason: str = ""

    @property
    def name(self) -> str:
        return system_name(self.thread.system)

    @property
    def is_in_page(self) -> bool:
        return self.thread.system == IN_PAGE

    @property
    def is_named_only(self) -> bool:
        """Whether its system answers nobody without a key."""
        return is_named_only(self.thread)

    @property
    def is_first_look_ahead(self) -> bool:
        return self.last_look_at is None and self.next_look_at is not None

    @property
    def is_closing_awaited(self) -> bool:
        """Whether comments come once the thread has closed."""
        system = BY_KEY.get(self.thread.system)
        return system is not None and system.tells_state and not self.thread.checked_at

    @property
    def is_incomplete(self) -> bool:
        """Whether the system counts more comments than are kept."""
        is_answered = self.thread.checked_at is not None and not self.is_in_page
        return is_answered and self.n_kept < self.thread.n_posts

    @property
    def share(self) -> str:
        """How much of it is kept, such as “50 of 312 kept”."""
        return f"{grouped(self.n_kept)} of {grouped(self.thread.n_posts)} kept"

    @property
    def named(self) -> str:
        """What is said of a thread that cannot be read."""
        return named_words(self.thread)

    @property
    def end(self) -> str:
        """Why there is no further look, where that is not plain."""
        page = self.thread.page
        is_over = page is not None and self.next_look_at is None and self.last_look_at is not None
        return page.due_reason if page is not None and is_over else ""


def is_unread(system_key: str) -> bool:
    """Whether threads of a system may be such as can only be named."""
    system = BY_KEY.get(system_key)
    return system is not None and (system.reader is None or system.may_lack_place)


def is_named_only(thread: CommentThread) -> bool:
    """Whether a thread's system answers nobody without a key, or its page says too little."""
    return thread.page_id is None and is_unread(thread.system)


def named_words(thread: CommentThread) -> str:
    """Name a thread that cannot be read, with its number where the page says it."""
    number = f", {grouped(thread.n_posts)}" if thread.n_posts else ""
    return f"{system_name(thread.system)}{number}, {UNREADABLE}"


def thread_facts(article: Article) -> ThreadFacts | None:
    """Look up an article's thread in four queries; None where its page names none."""
    thread = CommentThread.objects.filter(article=article).select_related("page").first()
    if thread is None:
        return None
    n_kept = Comment.objects.filter(article=article, is_deleted=False).count()
    pages = Page.objects.filter(kind=PageKind.COMMENTS, parent_id=article.page_id)
    ahead = pages.waiting().order_by("due_at").first()
    visited = pages.exclude(visited_at=None).order_by("-visited_at")
    return ThreadFacts(
        thread,
        n_kept,
        visited.values_list("visited_at", flat=True).first(),
        ahead.due_at if ahead else None,
        ahead.due_reason if ahead else "",
    )


@dataclass(frozen=True, slots=True)
class SystemThreads:
    """A publication's threads at one system.

    `n_posts` is what the system, or the page, counts; `n_cut` threads have more comments than could
    be asked for, `n_cut_posts` in all, of which `n_cut_kept` are kept.
    """

    key: str
    n_threads: int
    n_closed: int
    n_posts: int
    n_named: int
    n_cut: int
    n_cut_posts: int
    n_cut_kept: int = 0

    @property
    def words(self) -> str:
        """Say what is there, and what cannot be had."""
        name = "In the page" if self.key == IN_PAGE else system_name(self.key)
        if self.n_named == self.n_threads and is_unread(self.key):
            posts = f", {grouped(self.n_posts)}" if self.n_posts else ""
            return f"{name}{posts}, {UNREADABLE}: {counted(self.n_threads, 'article')}"
        parts = [f"{name}: {counted(self.n_threads, 'thread')}"]
        if self.n_closed:
            parts.append(f"{grouped(self.n_closed)} closed")
        if self.n_cut:
            share = f"{grouped(self.n_cut_kept)} of {grouped(self.n_cut_posts)} kept"
            parts.append(f"{counted(self.n_cut, 'thread')} cut for want of a key, {share}")
        return ", ".join(parts)


def threads_by_system(publication: Publication, now: datetime) -> list[SystemThreads]:
    """Count a publication's threads by system, the most frequent first, or give what is kept."""
    found = tally(f"{THREADS}:{publication.pk}", lambda _: _count_threads(publication.pk), now)
    return [SystemThreads(**row) for row in found.figures]


def count_named(name: str) -> Callable[[datetime], Any] | None:
    """Give what counts the figures of a name; None for names that are not of this module."""
    head, _, key = name.partition(":")
    if head != THREADS or not key.isdigit():
        return None
    return lambda _: _count_threads(int(key))


def _count_threads(publication_id: int) -> list[dict[str, Any]]:
    threads = CommentThread.objects.filter(article__publication=publication_id)
    is_cut = Q(is_cut=True)
    rows = (
        threads.order_by()
        .values_list("system")
        .annotate(
            threads=Count("*"),
            closed=Count("pk", filter=Q(is_closed=True)),
            posts=Sum("n_posts"),
            named=Count("pk", filter=Q(page=None)),
            cut=Count("pk", filter=is_cut),
            cut_posts=Sum("n_posts", filter=is_cut),
        )
    )
    kept = dict(
        Comment.objects.filter(article__in=threads.filter(is_cut).values("article"))
        .filter(is_deleted=False)
        .order_by()
        .values_list("system")
        .annotate(Count("pk"))
    )
    found = [
        SystemThreads(
            system, n, n_closed, n_posts or 0, n_named, n_cut, n_cut_posts or 0, kept.get(system, 0)
        )
        for system, n, n_closed, n_posts, n_named, n_cut, n_cut_posts in rows
    ]
    return [asdict(item) for item in sorted(found, key=lambda item: -item.n_threads)]
