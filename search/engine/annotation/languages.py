"""The table of languages whose texts get tags, by BCP 47 code without country.

English has Penn tags, Afrikaans the universal ones; an installation's own languages, learnt from a
treebank that its admin brought (`learning`), have universal tags too. Texts in other languages are
not tagged. What differs from language to language in tagging stands in its entry and nowhere else;
which words are function words says their tag, word sketches come with a grammar (`sketches`), and
the index makes stems of any language alike.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from extraction.text.language import ENGLISH
from extraction.text.language_names import language_name
from extraction.text.south_african import SOUTH_AFRICAN_PATH
from extraction.text.tokens import Span
from search.engine.annotation.afrikaans import LEMMAS_PATH, afrikaans_lemmas
from search.engine.annotation.afrikaans_tagger import EVERYDAY_PATH, afrikaans_tagger
from search.engine.annotation.afrikaans_tokens import join_afrikaans
from search.engine.annotation.lemmatizer import TABLE_PATH, lemmas
from search.engine.annotation.model import AFRIKAANS_MODEL_PATH, MODEL_PATH
from search.engine.annotation.own_languages import OwnLanguage, own_language, own_languages
from search.engine.annotation.tagger import Tagger, shared_tagger
from search.engine.annotation.tagset import TAGS, UNIVERSAL_TAGS, UNTAGGED, TagInfo

AFRIKAANS = "af"

# Raised by hand when the code changes what comes out for the same files.
CODE_VERSION = "4"

_DECIDING_FILES = (
    MODEL_PATH,
    TABLE_PATH,
    SOUTH_AFRICAN_PATH,
    AFRIKAANS_MODEL_PATH,
    LEMMAS_PATH,
    EVERYDAY_PATH,
)

# Words and tags of a sentence in, lemmas out.
Lemmatizer = Callable[[Sequence[str], Sequence[str]], list[str]]
# A text and the tokens of one of its sentences in, the language's own tokens out.
Joiner = Callable[[str, list[Span]], list[Span]]


class TagSet(NamedTuple):
    """Tags by name, what one of them is called, and those of nouns and verbs, for messages."""

    tags: Mapping[str, TagInfo]
    kind: str
    noun: str
    verb: str

    @property
    def kinds(self) -> str:
        """What several of them are called."""
        return f"{self.kind.removeprefix('a ')}s"


PENN = TagSet(
    {name: info for name, info in TAGS.items() if name != UNTAGGED}, "a Penn tag", "NN", "VB"
)
UNIVERSAL = TagSet(UNIVERSAL_TAGS, "a universal tag", "NOUN", "VERB")


@dataclass(frozen=True, slots=True)
class TaggedLanguage:
    """How texts of a language are taken apart, tagged and lemmatized.

    `tagger` gives the process's own and reads it at its first use; `version` is a digest of all
    that decides tags and lemmas but the text and what editors enter. The lexicon rules over English
    alone, for its entries have Penn tags; corrections rule everywhere.
    """

    code: str
    tag_set: TagSet
    tagger: Callable[[], Tagger]
    lemmas: Lemmatizer
    version: Callable[[], str]
    join: Joiner | None = None
    has_lexicon: bool = False

    @property
    def name(self) -> str:
        return language_name(self.code)


@cache
def _shipped_version() -> str:
    """One digest for all that ships: its files change together, with a release."""
    digest = hashlib.blake2b(CODE_VERSION.encode(), digest_size=8)
    for path in _DECIDING_FILES:
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


SHIPPED: Mapping[str, TaggedLanguage] = {
    ENGLISH: TaggedLanguage(
        ENGLISH, PENN, shared_tagger, lemmas, _shipped_version, has_lexicon=True
    ),
    AFRIKAANS: TaggedLanguage(
        AFRIKAANS, UNIVERSAL, afrikaans_tagger, afrikaans_lemmas, _shipped_version, join_afrikaans
    ),
}


def tagged_language(language: str) -> TaggedLanguage | None:
    """Return the entry of a BCP 47 code of any country, None where texts get no tags."""
    code = language.partition("-")[0]
    found = SHIPPED.get(code)
    if found is None and (own := own_language(code)):
        return _entry(own)
    return found


def tagged_languages() -> list[TaggedLanguage]:
    """Return all entries: those that ship, then the installation's own by their codes."""
    own = own_languages().values()
    return [*SHIPPED.values(), *(_entry(one) for one in own if one.code not in SHIPPED)]


def is_tagged(language: str) -> bool:
    """Whether texts of a language get tags."""
    return tagged_language(language) is not None


def has_lexicon(language: str) -> bool:
    """Whether the lexicon rules over texts of a language."""
    found = tagged_language(language)
    return found is not None and found.has_lexicon


def tags_of(language: str) -> Mapping[str, TagInfo]:
    """Return the tags that words of a language may have; none where it is not tagged."""
    found = tagged_language(language)
    return found.tag_set.tags if found else {}


def _entry(own: OwnLanguage) -> TaggedLanguage:
    def version() -> str:
        return hashlib.blake2b((CODE_VERSION + own.digest).encode(), digest_size=8).hexdigest()

    return TaggedLanguage(own.code, UNIVERSAL, own.tagger, own.lemmas, version)
