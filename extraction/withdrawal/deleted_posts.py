"""Posts that their authors deleted are withdrawn, and put back where a timeline shows them again.

By the register, as an editor's word is: their texts leave all lists, searches and counts, and who
wants nothing of them left erases them.
"""

from collections.abc import Sequence
from datetime import datetime

from extraction.models import Article
from extraction.stage.withdrawn_rows import reason_of
from extraction.withdrawal.register import Order
from extraction.withdrawal.withdrawing import put_back_articles, withdraw_articles

DELETED = "Deleted by its author: its server has no such post any more."


def withdraw(page_ids: Sequence[int], now: datetime) -> tuple[int, ...]:
    """Withdraw the texts of posts that are gone; returns the articles that were changed."""
    if not page_ids:
        return ()
    rows = Article.objects.filter(page__in=page_ids, withdrawn_at=None)
    ids = list(rows.order_by().values_list("pk", flat=True))
    return withdraw_articles(ids, Order(DELETED, None, now)).articles if ids else ()


def put_back(articles: Sequence[Article], now: datetime) -> tuple[int, ...]:
    """Put posts back that were read again though they had been withdrawn as deleted."""
    back = [row.pk for row in articles if row.withdrawn_at and row.reason == reason_of(DELETED)]
    return put_back_articles(back, None, now).articles if back else ()
