"""Posts of microblogs that leave the corpus for their age, where an admin wants it so.

By the register, as an editor's word is: withdrawn, or erased with what the archive holds of them.
So searches, counts, index and archive follow as they do for every other text.
"""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from extraction.models import Article, Measure, Subject
from extraction.stage.withdrawn_rows import open_entries
from extraction.withdrawal.erasing import ask_for_articles
from extraction.withdrawal.register import Order
from extraction.withdrawal.withdrawing import Changed, withdraw_articles
from feeds.models import PageKind
from feeds.removal.old_rows import Going, Gone, OldRows
from presentation.wording.figures import counted

_DAILY = timedelta(days=1)


def _posts(before: datetime) -> "QuerySet[Any]":
    return Article.objects.filter(page__kind=PageKind.POST, erased_at=None, dated_at__lt=before)


def _to_withdraw(before: datetime) -> "QuerySet[Any]":
    return _posts(before).filter(withdrawn_at=None)


def _to_erase(before: datetime) -> "QuerySet[Any]":
    """Choose posts that nobody holds and for which nobody asked; withdrawn ones are among them."""
    entries = open_entries(Subject.ARTICLE, Measure.ERASED).filter(article=OuterRef("pk"))
    own = open_entries(Subject.ARTICLE, Measure.HELD).filter(article=OuterRef("pk"))
    holds = open_entries(Subject.PUBLICATION, Measure.HELD)
    theirs = holds.filter(publication=OuterRef("publication"))
    return _posts(before).exclude(Exists(entries)).exclude(Exists(own)).exclude(Exists(theirs))


def _order(going: Going) -> Order:
    reason = f"Posts are kept for {counted(going.days, 'day')}; it is older."
    return Order(reason, going.by, going.now)


def _by(change: Callable[[Collection[int], Order], Changed]) -> Callable[[OldRows, Going], Gone]:
    """Let posts go that may still go, by what the register does for an editor's word."""

    def take(kind: OldRows, going: Going) -> Gone:
        ids = kind.may_go(going.before).filter(pk__in=going.ids).values_list("pk", flat=True)
        changed = change(list(ids), _order(going))
        return Gone(changed.n, {"articles": changed.articles, "comments": changed.comments})

    return take


WITHDRAWN_POSTS = OldRows(
    name="posts",
    label="Posts, withdrawn",
    unit="text,texts",
    goes="posts of microblogs leave all lists, searches and counts; the register can put them back",
    stays="their texts and archived answers, as of everything withdrawn",
    least_days=1,
    model=Article,
    may_go=_to_withdraw,
    take=_by(withdraw_articles),
    every=_DAILY,
    button=("Withdraw", ""),
)
ERASED_POSTS = OldRows(
    name="erased-posts",
    label="Posts, erased",
    unit="text,texts",
    goes="posts of microblogs, with the archived answers in which they stand; nothing brings them "
    "back",
    stays="what is on legal hold; younger posts of the same answers, without their archived page",
    least_days=1,
    model=Article,
    may_go=_to_erase,
    take=_by(ask_for_articles),
    every=_DAILY,
    button=("Erase", ""),
    confirm="erase posts",
)
OLD_POSTS = (WITHDRAWN_POSTS, ERASED_POSTS)
