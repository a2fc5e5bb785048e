"""Afrikaans lemmas: by table, endings and the prefix ge-.

The table holds the (form, tag) pairs of AfriBooms (Augustinus et al. 2016) and, for other forms,
the rule that most known forms with the same ending follow. A participle that is not known loses its
ge-, also after a separable particle: "gekoppel" is of "koppel", "uitgelig" of "uitlig". Diminutives
have rules of their own (`afrikaans_diminutives`), for the treebank has only a handful.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from search.engine.annotation.afrikaans_diminutives import base_of_diminutive
from search.engine.annotation.lemmatizer import CACHED_PAIRS, LemmaTable

LEMMAS_PATH = Path(__file__).parent / "data" / "lemmas_afrikaans.npz"
LONGEST_ENDING = 6  # letters; the shipped table has no longer ones

# Names, foreign words and symbols keep their letters as they are.
_UNCHANGED = frozenset({"PROPN", "SYM", "X"})
_PARTICIPLE = "ge"
_SHORTEST_STEM = 3
# The diaeresis after ge- only parts the vowels: "geëet" is of "eet".
_PARTED_VOWELS = {"ë": "e", "ï": "i", "ö": "o", "ü": "u"}
# Superlatives of place, which have no positive ("eerste" and others stand in the treebank), and
# adjectives in -er that are no comparatives.
_OWN_LEMMAS = frozenset(
    {
        *("agterste", "binneste", "boonste", "buitenste", "laaste", "middelste", "onderste"),
        *("bitter", "dapper", "donker", "helder", "honger", "lekker", "seker", "wakker"),
        "voorste",
    }
)
# Particles that stand before ge- in a participle; longer ones first, for "in" begins "insgelyks".
_PARTICLES = (
    *("bymekaar", "onder", "agter", "terug", "deur", "goed", "neer", "rond", "saam", "teen"),
    *("voor", "aan", "mee", "oor", "toe", "uit", "vas", "vol", "vry", "weg", "los"),
    *("af", "by", "in", "na", "om", "op"),
)


@lru_cache(CACHED_PAIRS)
def afrikaans_lemma(word: str, tag: str) -> str:
    """Return the dictionary form of an Afrikaans word with a universal tag.

    Parameters
    ----------
    word
        Form as it stands in the text.
    tag
        Universal tag; unknown ones leave the form in lower case.

    Returns
    -------
    str
        Never empty for a non-empty word.

    Examples
    --------
    >>> afrikaans_lemma("Huise", "NOUN"), afrikaans_lemma("ingeskakel", "VERB")
    ('huis', 'inskakel')
    """
    if tag in _UNCHANGED:
        return word
    form = word.lower().replace("’", "'")
    table = afrikaans_table()
    found = table.find(form, tag)
    if found is None and tag == "VERB":
        found = without_participle_prefix(form)
    elif found is None and tag == "NOUN":
        found = base_of_diminutive(form)
    elif found is None and tag == "ADJ" and form in _OWN_LEMMAS:
        found = form
    for length in range(min(LONGEST_ENDING, len(form) - 1), -1, -1):
        if found is not None:
            break
        found = table.find_by_ending(form, form[len(form) - length :], tag)
    return found or form


def afrikaans_lemmas(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the lemmas of a tagged sentence; see `afrikaans_lemma`."""
    return list(map(afrikaans_lemma, words, tags))


def without_participle_prefix(form: str) -> str | None:
    """Return a lower-case form without ge-, alone or after a particle; None when it has none."""
    for particle in ("", *_PARTICLES):
        rest = form.removeprefix(particle + _PARTICIPLE)
        if len(rest) < len(form) and len(rest) >= _SHORTEST_STEM:
            return particle + _PARTED_VOWELS.get(rest[0], rest[0]) + rest[1:]
    return None


@cache
def afrikaans_table() -> LemmaTable:
    """Return the process's table of Afrikaans lemmas, read at its first use."""
    return LemmaTable.load(LEMMAS_PATH)
