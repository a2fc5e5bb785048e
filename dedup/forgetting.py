"""What the detection of duplicates and stories knows of a text, forgotten when it is erased."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q

from dedup.models import Duplicate, Judgement, SentenceHash, StoryReport
from dedup.stage import fingerprints
from dedup.stage.rows import take_turn


def forget(article_ids: Collection[int], now: datetime) -> None:
    """Delete sentence hashes, fingerprints, pairs, what editors said of them, and story terms.

    Needs a transaction. The articles' own rows stay and are detected again, without a text.
    """
    take_turn(now)
    ids = list(article_ids)
    fingerprints.remove(ids)
    SentenceHash.objects.filter(article_id__in=ids).delete()
    Duplicate.objects.filter(Q(article_id__in=ids) | Q(other_id__in=ids)).delete()
    Judgement.objects.filter(Q(article_id__in=ids) | Q(other_id__in=ids)).delete()
    StoryReport.objects.filter(article_id__in=ids).delete()
