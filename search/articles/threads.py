"""The comments of an article as a tree: three levels, then a link that goes on.

Deleted comments are a counted gap; one that has replies keeps its place above them.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import nh3

from extraction.comment_status import ThreadFacts, thread_facts
from extraction.models import Article, Comment
from search.articles.reading import TextMark, TextPiece, cut

LEVELS = 3
THREADS_PER_PAGE = 50
# What a comment's markup may show; links are words here, as their addresses are readers' own.
_MARKUP = nh3.Cleaner(
    tags={
        "p",
        "br",
        "b",
        "strong",
        "i",
        "em",
        "u",
        "s",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
    },
    attributes={},
    link_rel=None,
)
SORTS = {"thread": "thread", "new": "newest first", "likes": "most liked first"}


@dataclass(frozen=True, slots=True)
class ThreadRequest:
    """How the comments are to be shown: order, page of top comments, or one branch."""

    article: Article
    sort: str = "thread"
    page: int = 1
    root: int | None = None
    words: str = ""
    # A comment that must be on the page: its thread's page, or its branch when it lies deep.
    focus: int | None = None


@dataclass(slots=True)
class Branch:
    """A comment with its replies; `n_deleted` tells of gone comments right before it."""

    comment: Comment | None
    markup: str = ""
    pieces: tuple[TextPiece, ...] = ()
    replies: list["Branch"] = field(default_factory=list)
    n_hidden: int = 0
    n_deleted: int = 0
    withdrawn: Comment | None = None  # a gap that editors can close again


@dataclass(frozen=True, slots=True)
class ThreadPage:
    facts: ThreadFacts | None
    branches: tuple[Branch, ...]
    total: int
    n_deleted: int
    n_found: int
    page: int
    n_pages: int
    root: Comment | None


def thread_page(request: ThreadRequest, marks: dict[int, list[TextMark]]) -> ThreadPage:
    """Comments of an article in six queries; `marks` are the hits by comment id."""
    rows = Comment.objects.filter(article=request.article)
    everything = list(rows.order_by(*_order(request.sort)))
    found = _containing(everything, request.words)
    children: dict[int | None, list[Comment]] = defaultdict(list)
    known = {comment.pk for comment in everything}
    for comment in everything:
        # A comment whose parent is not stored stands at the top.
        children[comment.parent_id if comment.parent_id in known else None].append(comment)
    line = _line_to(everything, request.focus)
    wanted = line[-LEVELS].pk if len(line) > LEVELS else request.root
    root = next((comment for comment in everything if comment.pk == wanted), None)
    if request.words:
        top, children = found, defaultdict(list)
    else:
        top = [root] if root else children[None]
    n_pages = max(1, -(-len(top) // THREADS_PER_PAGE))
    page = min(request.page, n_pages)
    if line and line[0] in top:
        page = top.index(line[0]) // THREADS_PER_PAGE + 1
    shown = top[(page - 1) * THREADS_PER_PAGE : page * THREADS_PER_PAGE]
    return ThreadPage(
        facts=thread_facts(request.article),
        branches=tuple(_branches(shown, children, marks, LEVELS)),
        total=sum(comment.withdrawn_at is None for comment in everything),
        n_deleted=sum(comment.is_deleted for comment in everything),
        n_found=len(found),
        page=page,
        n_pages=n_pages,
        root=root,
    )


def is_gone(comment: Comment) -> bool:
    """Whether a comment stands as a gap: deleted on its site, or withdrawn here."""
    return comment.is_deleted or comment.withdrawn_at is not None


def _line_to(comments: list[Comment], key: int | None) -> list[Comment]:
    """Ancestors of a comment from the top down to itself; empty when it is not among these."""
    by_key = {comment.pk: comment for comment in comments}
    line: list[Comment] = []
    comment = by_key.get(key) if key else None
    while comment is not None and len(line) <= len(comments):
        line.append(comment)
        comment = by_key.get(comment.parent_id) if comment.parent_id else None
    return line[::-1]


def _order(sort: str) -> tuple[str, ...]:
    return {"new": ("-posted_at", "-pk"), "likes": ("-likes", "posted_at", "pk")}.get(
        sort, ("posted_at", "pk")
    )


def _containing(comments: list[Comment], words: str) -> list[Comment]:
    wanted = words.casefold()
    if not wanted:
        return []
    return [
        comment
        for comment in comments
        if not is_gone(comment)
        and (wanted in comment.text.casefold() or wanted in comment.author_name.casefold())
    ]


def _branches(
    comments: Iterable[Comment],
    children: dict[int | None, list[Comment]],
    marks: dict[int, list[TextMark]],
    levels: int,
) -> list[Branch]:
    """Build the tree from the top; runs of deleted comments without replies become one gap."""
    branches: list[Branch] = []
    for comment in comments:
        below = children.get(comment.pk, [])
        if comment.withdrawn_at is None and comment.is_deleted and not below:
            if branches and branches[-1].n_deleted and not branches[-1].replies:
                branches[-1].n_deleted += 1
            else:
                branches.append(Branch(None, n_deleted=1))
            continue
        branch = _branch(comment, marks.get(comment.pk, []))
        if levels > 1:
            branch.replies = _branches(below, children, marks, levels - 1)
        else:
            branch.n_hidden = _size(below, children)
        branches.append(branch)
    return branches


def _branch(comment: Comment, marks: list[TextMark]) -> Branch:
    if comment.withdrawn_at is not None:
        return Branch(None, withdrawn=comment)
    if comment.is_deleted:
        return Branch(None, n_deleted=1)
    if marks or not comment.html:
        return Branch(comment, pieces=tuple(cut(comment.text, 0, len(comment.text), marks)))
    return Branch(comment, markup=_MARKUP.clean(comment.html))


def _size(comments: list[Comment], children: dict[int | None, list[Comment]]) -> int:
    """Count the comments of these branches."""
    total, waiting = 0, list(comments)
    while waiting:
        comment = waiting.pop()
        total += 1
        waiting.extend(children.get(comment.pk, []))
    return total
