"""What the search keeps of a text beside the index, forgotten when it is erased."""

from collections.abc import Collection

from search.models import LeavingText, TagCorrection


def forget(article_ids: Collection[int]) -> None:
    """Delete the corrections of tags: each quotes its text. Needs a transaction."""
    TagCorrection.objects.filter(article__in=article_ids).delete()


def is_waiting() -> bool:
    """Whether the index has still to drop withdrawn or erased texts."""
    return LeavingText.objects.exists()
