"""Making articles due again though their text has not changed."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import F, QuerySet, Value
from django.db.models.functions import Concat

from dedup.chunks import chunks
from dedup.models import Detection

# Before a done digest: this text has been detected, but not in the present circumstances.
AGAIN = "~"


def detect_again(rows: QuerySet[Detection], now: datetime) -> int:
    """Make rows due, and no longer done; returns how many.

    The digest stays readable behind a mark: whether the text itself has changed decides what
    becomes of those that were joined to it.
    """
    rows = rows.filter(quarantined_at=None)
    marked = rows.filter(done_digest__startswith=AGAIN).update(due_at=now)
    return marked + rows.exclude(done_digest__startswith=AGAIN).update(
        done_digest=Concat(Value(AGAIN), F("done_digest")), due_at=now
    )


def has_same_text(done_digest: str, input_digest: str) -> bool:
    """Whether a row was detected with this very text before, in whatever circumstances."""
    return done_digest.removeprefix(AGAIN) == input_digest


def set_free(article_ids: Collection[int], now: datetime) -> None:
    """Take articles from the texts they were joined to; they are detected again."""
    for chunk in chunks(article_ids):
        rows = Detection.objects.filter(article_id__in=chunk)
        rows.update(representative=None)
        detect_again(rows, now)
