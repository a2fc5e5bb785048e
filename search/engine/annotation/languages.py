"""Which languages get tags, by BCP 47 code, and the tags of each.

English has Penn tags, Afrikaans the universal ones; texts in other languages are not tagged.
"""

from collections.abc import Mapping

from extraction.text.language import ENGLISH
from search.engine.annotation.tagset import TAGS, UNIVERSAL_TAGS, UNTAGGED, TagInfo

AFRIKAANS = "af"

# Codes, without country, of the languages whose texts get tags.
TAGGED_LANGUAGES = (ENGLISH, AFRIKAANS)

_PENN_TAGS = {name: info for name, info in TAGS.items() if name != UNTAGGED}


def is_english(language: str) -> bool:
    """Whether a BCP 47 code is English of any country."""
    return language == ENGLISH or language.startswith(f"{ENGLISH}-")


def is_afrikaans(language: str) -> bool:
    """Whether a BCP 47 code is Afrikaans of any country."""
    return language == AFRIKAANS or language.startswith(f"{AFRIKAANS}-")


def is_tagged(language: str) -> bool:
    """Whether texts of a language get tags."""
    return is_english(language) or is_afrikaans(language)


def tags_of(language: str) -> Mapping[str, TagInfo]:
    """Return the tags that words of a language may have; none where it is not tagged."""
    if is_english(language):
        return _PENN_TAGS
    return UNIVERSAL_TAGS if is_afrikaans(language) else {}
