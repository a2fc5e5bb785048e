"""What the search keeps of a text beside the index, forgotten when it is erased."""

from collections.abc import Collection

from django.conf import settings

from search.engine.index.building import fading
from search.engine.index.manifest import is_following
from search.marking import markings
from search.models import LeavingText, TagCorrection
from search.opened_index import current_snapshot, is_missing


def forget(article_ids: Collection[int], comment_ids: Collection[int]) -> None:
    """Delete corrections of tags and marked lines: each quotes its text. Needs a transaction."""
    markings.forget(article_ids, comment_ids)
    TagCorrection.objects.filter(article__in=article_ids).delete()


def fade() -> int | None:
    """Take words that only erased texts held out of the index's lexicon; returns how many.

    None on a machine that has no index, or a copy: the one that writes it has to do this.
    """
    if is_missing(current_snapshot()) or is_following(settings.INDEX_DIR):
        return None
    return fading.fade(settings.INDEX_DIR)


def is_waiting() -> bool:
    """Whether the index has still to drop withdrawn or erased texts."""
    return LeavingText.objects.exists()
