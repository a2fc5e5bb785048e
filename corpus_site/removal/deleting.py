"""Deleting publications that were made by mistake: with all of their texts, by withdrawal.

One for which nothing was ever fetched goes with its rows. Any other keeps its row, out of all
lists, because its texts are withdrawn and not erased: whoever erases them does so by the register.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from corpus_site.removal import withdrawals
from extraction.models import Article
from extraction.withdrawal.register import Order
from feeds.models import Publication
from feeds.sources import publications


def n_texts(rows: Sequence[Publication]) -> int:
    """Count the articles that deleting these publications would withdraw."""
    return Article.shown.filter(publication__in=[row.pk for row in rows]).count()


def delete_publication(publication: Publication, order: Order) -> int:
    """Delete a publication; returns how many of its articles were withdrawn with it."""
    if publications.delete_unused(publication):
        return 0
    n = n_texts([publication])
    with transaction.atomic():
        publications.hide(publication, order.now)
        withdrawals.withdraw_publication(publication, order)
    return n


def restore_publication(publication: Publication, by: Any, now: datetime) -> bool:
    """Undo a deletion: the publication is paused, its texts are put back. False: it was none."""
    with transaction.atomic():
        if not publications.unhide(publication):
            return False
        withdrawals.put_back_publication(publication, by, now)
    return True
