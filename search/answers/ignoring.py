"""Words that editors want to see no more among the new ones: who said so, and since when."""

from typing import Any

from search.models import IgnoredWord


def ignored_forms() -> frozenset[str]:
    """Return the words to leave out, in small letters."""
    return frozenset(IgnoredWord.objects.values_list("word", flat=True))


def ignore(word: str, user: Any) -> bool:
    """Leave a word out from now on; False if it was left out before."""
    _, is_new = IgnoredWord.objects.get_or_create(word=word, defaults={"ignored_by": user})
    return is_new


def take_back(row: IgnoredWord) -> None:
    """Let a word be among the new ones again."""
    row.delete()
