"""Posts and what they answer: readings of a batch → rows of `PostReply`; who answers a post."""

from collections.abc import Mapping
from dataclasses import dataclass

from extraction.models import Article, PostReply

# Shown below a post; of a thread that goes on for ever the first ones.
MOST_ANSWERS = 50


@dataclass(frozen=True, slots=True)
class Answered:
    """Keys of the pages of the post that is answered, and of the first one of its thread."""

    key: str
    thread_key: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a post: the one it answers, if it is known, and those that answer it."""

    answers: bool = False
    answered: Article | None = None
    replies: tuple[Article, ...] = ()


def store(answered: Mapping[int, Answered]) -> None:
    """Write what posts answer, by the keys of their pages. Needs a transaction.

    Who answers what does not change: rows that are there stay.
    """
    if not answered:
        return
    articles = Article.objects.filter(page__in=answered, reply=None)
    PostReply.objects.bulk_create(
        [
            PostReply(
                article_id=pk,
                answered_key=answered[page_id].key,
                thread_key=answered[page_id].thread_key,
            )
            for pk, page_id in articles.values_list("pk", "page_id")
        ],
        ignore_conflicts=True,
    )


def surroundings(article: Article) -> Surroundings:
    """Find what stands around a post; nothing for a text that is none. Some three queries."""
    if article.page is None:
        return Surroundings()
    own = PostReply.objects.filter(article=article).first()
    shown = Article.shown.select_related("publication")
    answered = shown.filter(page__key=own.answered_key).first() if own else None
    replies = shown.filter(reply__answered_key=article.page.key).order_by("dated_at", "pk")
    return Surroundings(own is not None, answered, tuple(replies[:MOST_ANSWERS]))
