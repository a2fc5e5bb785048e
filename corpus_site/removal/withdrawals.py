"""Withdrawing, putting back, erasing and holding, with all that follows: for pages and commands.

What the services below write, the stages are told of here (`pipeline.follow`).
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from corpus_site import pipeline
from extraction.models import Article, Comment
from extraction.withdrawal import erasing, withdrawing
from extraction.withdrawal.register import Order
from extraction.withdrawal.withdrawing import Changed
from feeds.models import Publication


def _follow(changed: Changed, now: datetime) -> int:
    pipeline.follow("articles", changed.articles, now)
    pipeline.follow("comments", changed.comments, now)
    return changed.n


def withdraw_articles(ids: Collection[int], order: Order) -> int:
    """Withdraw articles; returns how many were not withdrawn by themselves before."""
    return _follow(withdrawing.withdraw_articles(ids, order), order.now)


def put_back_articles(ids: Collection[int], by: Any, now: datetime) -> int:
    """Put articles back; returns how many entries ended."""
    return _follow(withdrawing.put_back_articles(ids, by, now), now)


def erase_articles(ids: Collection[int], order: Order) -> int:
    """Withdraw articles at once and ask for the rest; returns how many will be erased.

    Raises
    ------
    erasing.HeldError
        With nothing changed, where one is on legal hold.
    """
    return _follow(erasing.ask_for_articles(ids, order), order.now)


def withdraw_comment(comment: Comment, order: Order) -> int:
    """Withdraw a comment."""
    return _follow(withdrawing.withdraw_comments([comment.pk], order), order.now)


def put_back_comment(comment: Comment, by: Any, now: datetime) -> int:
    """Put a comment back."""
    return _follow(withdrawing.put_back_comments([comment.pk], by, now), now)


def erase_comment(comment: Comment, order: Order) -> int:
    """Withdraw a comment at once and ask for the rest; HeldError as for articles."""
    return _follow(erasing.ask_for_comment(comment, order), order.now)


def withdraw_version(article: Article, number: int, order: Order) -> int:
    """Withdraw an earlier text; ValueError where there is none of this number."""
    return withdrawing.withdraw_version(article, number, order).n


def put_back_version(article: Article, number: int, by: Any, now: datetime) -> int:
    """Put an earlier text back."""
    return withdrawing.put_back_version(article, number, by, now).n


def withdraw_publication(publication: Publication, order: Order) -> int:
    """Withdraw all of a publication, with what comes later."""
    return _follow(withdrawing.withdraw_publication(publication, order), order.now)


def put_back_publication(publication: Publication, by: Any, now: datetime) -> int:
    """Put a publication back, but for what is withdrawn by itself."""
    return _follow(withdrawing.put_back_publication(publication, by, now), now)


def erase_publication(publication: Publication, order: Order) -> int:
    """Withdraw a publication at once and ask for the rest; HeldError as for articles."""
    return _follow(erasing.ask_for_publication(publication, order), order.now)
