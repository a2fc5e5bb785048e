"""Lemmas by (form, tag): a shipped table, then lemminflect's classifier for unknown forms.

The table holds, as 32-bit hashes with the number of a suffix rule, the pairs of the treebanks and
lemminflect's own list (MIT); it takes 1 MB where lemminflect's dictionary takes 50. Unknown
inflected forms go to lemminflect's small classifier (Jascob 2019). Lemmas are in lower case but for
names (NNP, NNPS) and "I", which keep theirs; "38,000" is of 38000, "Sept." of September.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from lemminflect.core.LemmatizerRules import LemmatizerRules

from search.engine.annotation.features import UInt32
from search.engine.annotation.model import unpack_keys

TABLE_PATH = Path(__file__).parent / "data" / "lemmas.npz"
CACHED_PAIRS = 20_000  # (form, tag); as many as the tagger keeps types, see `type_table`
# Stands before an ending in a table's keys, for an ending may be a word as well.
ENDING_MARK = "~"

# Which list of lemminflect's answers for a tag.
CATEGORIES = {
    "NN": "noun",
    "NNS": "noun",
    "NNPS": "noun",
    "VB": "verb",
    "VBD": "verb",
    "VBG": "verb",
    "VBN": "verb",
    "VBP": "verb",
    "VBZ": "verb",
    "JJR": "adj",
    "JJS": "adj",
    "RBR": "adv",
    "RBS": "adv",
}
# Tags whose forms are not lemmas already, with the name lemminflect's classifier wants.
_INFLECTED = {
    "NNS": "NOUN",
    "NNPS": "NOUN",
    "VBD": "VERB",
    "VBG": "VERB",
    "VBN": "VERB",
    "VBZ": "VERB",
    "JJR": "ADJ",
    "JJS": "ADJ",
    "RBR": "ADV",
    "RBS": "ADV",
}
_THOUSANDS = re.compile(r"\D?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NAMES = frozenset({"NNP", "NNPS"})
# "'s" before these participles is "has" in 35 of 42 cases of the treebanks, before others "is".
_CLITIC_S = frozenset({"'s", "’s"})
_PERFECT = frozenset({"been", "got", "gotten", "had", "become"})
_BETWEEN = frozenset({"RB", "PRP"})
_UNCHANGED = frozenset({"NNP", "$", "ADD", "SYM"})


@dataclass(frozen=True, slots=True)
class LemmaTable:
    """Sorted hashes of "form/tag" and "form/category" with the rule each follows."""

    keys: UInt32
    rules: npt.NDArray[np.uint16]
    suffixes: tuple[tuple[str, str], ...]

    @classmethod
    def load(cls, path: Path = TABLE_PATH) -> "LemmaTable":
        """Read the table's file."""
        with np.load(path, allow_pickle=False) as stored:
            suffixes = tuple((str(old), str(new)) for old, new in stored["suffixes"])
            return cls(unpack_keys(stored["keys"]), stored["rules"], suffixes)

    def find(self, form: str, kind: str) -> str | None:
        """Lemma of a lower-case form of a tag or category; None when the table has none."""
        return self._apply(form, lemma_key(form, kind))

    def find_by_ending(self, form: str, ending: str, kind: str) -> str | None:
        """Lemma by the rule of the form's ending, in tables that hold endings."""
        return self._apply(form, lemma_key(ENDING_MARK + ending, kind))

    def _apply(self, form: str, key: int) -> str | None:
        place = int(np.searchsorted(self.keys, np.uint32(key)))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        old, new = self.suffixes[int(self.rules[place])]
        if not form.endswith(old):  # another form with the same hash
            return None
        return form[: len(form) - len(old)] + new


def lemma_key(form: str, kind: str) -> int:
    """Hash of a form with its tag or category."""
    return zlib.crc32(f"{form}/{kind}".encode())


@cache
def _table() -> LemmaTable:
    return LemmaTable.load()


@cache
def _rules() -> LemmatizerRules:
    return LemmatizerRules()


@lru_cache(CACHED_PAIRS)
def lemma(word: str, tag: str) -> str:
    """Return the dictionary form of a word with a Penn tag.

    Parameters
    ----------
    word
        Form as it stands in the text.
    tag
        Penn tag; unknown ones leave the form as it is.

    Returns
    -------
    str
        Never empty for a non-empty word.

    Examples
    --------
    >>> lemma("went", "VBD"), lemma("Children", "NNS"), lemma("Springboks", "NNPS")
    ('go', 'child', 'Springbok')
    """
    folded = word.lower().replace("’", "'")
    found = _table().find(folded, tag)
    if found is None and tag in _UNCHANGED:
        return word
    if found is None and tag == "CD":
        return plain_number(folded)
    category = CATEGORIES.get(tag)
    if found is None and category:
        found = _table().find(folded, category)
    if found is None and tag in _INFLECTED and folded.isalpha():
        found = guess(folded, tag)
    if not found:
        found = folded
    if tag in _NAMES:
        return word[: len(found)] if word.lower().startswith(found) else found.capitalize()
    return "I" if found == "i" and tag == "PRP" else found


def lemmas(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the lemmas of a tagged sentence: as `lemma`, but "'s been" is of have.

    Examples
    --------
    >>> lemmas(["It", "'s", "not", "been", "fun"], ["PRP", "VBZ", "RB", "VBN", "NN"])
    ['it', 'have', 'not', 'be', 'fun']
    """
    found = list(map(lemma, words, tags))
    for place, word in enumerate(words):
        if word in _CLITIC_S and tags[place] == "VBZ" and _follows_perfect(words, tags, place):
            found[place] = "have"
    return found


def _follows_perfect(words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Whether the verb behind a place, adverbs and pronouns between, is a participle of have."""
    for word, tag in zip(words[place + 1 :], tags[place + 1 :], strict=True):
        if tag not in _BETWEEN:
            return tag == "VBN" and word.lower() in _PERFECT
    return False


def plain_number(form: str) -> str:
    """Return a number without the commas between its thousands, as the treebanks have it."""
    return form.replace(",", "") if _THOUSANDS.fullmatch(form) else form


def guess(form: str, tag: str) -> str | None:
    """Lemma of an unknown inflected form by lemminflect's classifier."""
    found = _rules().lemmatize(form, _INFLECTED[tag])
    return str(found) if found else None
