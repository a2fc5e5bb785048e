"""Diminutives of Afrikaans nouns: "katjie" is of "kat", "stoeltjie" of "stoel".

The ending is -tjie after long vowels, l, n and r, -etjie after short stressed ones, -pie after m,
-kie for -ng, and -(j)ie elsewhere, so "-tjie" alone does not say whose t it is. Sound tells most:
a short stressed vowel would have taken -etjie ("balletjie"), hence the t of "hartjie" belongs to
the noun. What sound leaves open ("kaart", but "uur") is listed.
"""

import re

_PLURAL = "s"
_WITH_T = "tjie"

# Words that are no longer the small form of another, or never were.
_OWN_WORDS = frozenset(
    {
        *("ertjie", "bietjie", "entjie", "kleintjie", "koekie", "mannetjie", "wyfie", "muggie"),
        *("koppie", "hokkie", "jokkie", "tekkie", "donkie", "snoepie", "beskuitjie", "nooientjie"),
        *("geitjie", "sprokie", "pappie", "hippie", "junkie", "rookie", "rooikappie"),
    }
)
# The same, also as the last part of a compound ("polisiebakkie").
_OWN_PARTS = (
    *("baadjie", "bakkie", "boontjie", "broodjie", "kiekie", "liedjie", "mandjie", "meisie"),
    "partytjie",
)
# Vowels that grow long before the ending, and stems whose last sounds say another thing.
_IRREGULAR_PARTS = {
    "blaadjie": "blad",
    "blompie": "blom",
    "gaatjie": "gat",
    "paadjie": "pad",
    "piesankie": "piesang",
    "vaatjie": "vat",
}

# Nouns without and with a final t that sound alike, by the last letters before "tjie".
_T_OF_NOUN = re.compile(
    r"(kaar|taar|har|soor|(?<!s)poor|buur|beur|hou|fou|sou|kry|spy|satellie|ka|kra|po|slo|vlo|kno"
    r"|gro|\brie)$"
)
_T_OF_ENDING = re.compile(r"(eeu|idee|komitee|fee|see|tee|vee|\bui|bui|teken|deken|molen|oven)$")
# In order: the first that fits says whether the t is the noun's.
_T_BY_SOUND = (
    (re.compile(r"[^aeiouyáéêëîïôöûlnr]$"), True),
    (re.compile(r"(aa|oo|uu|ee|oe|eu|ui)$"), True),
    (re.compile(r"\b[^aeiouyêëôû]+[aeiou][lnr]?$"), True),
    (re.compile(r"[^aeiouyêëîïôöû][eiu]$"), True),
    (re.compile(r"[aeiouyáéêëîïôöû]$"), False),
    (re.compile(r"[aeiouyêëîïôöû][aeiouyêëîïôöû][lnr]$|[yêëîïôöû][lnr]$"), False),
    (re.compile(r"en$"), True),
    (re.compile(r"([eo][lnr]|ar)$"), False),
    (re.compile(r""), True),
)

_LONG = r"(?:aa|ee|oo|uu|ie|oe|eu|ui|ou)"
# Endings and what stands in their place. -ie alone ends too many words that are no diminutives
# ("kwessie", "terapie"), so what stands before it must be a doubled letter or a long vowel.
_ENDINGS = (
    (re.compile(r"([bdfgklmnprs])\1etjie$"), r"\1"),
    (re.compile(r"ngetjie$"), "ng"),
    (re.compile(r"djie$"), "d"),
    (re.compile(r"\b([^aeiouyêëôû]+[aeiou])mpie$"), r"\1mp"),
    (re.compile(r"mpie$"), "m"),
    (re.compile(r"([aeiouyêëôû].*)inkie$"), r"\1ing"),
    (re.compile(r"([gkp])\1ie$"), r"\1"),
    (re.compile(rf"({_LONG})([fgkp])ie$"), r"\1\2"),
    (re.compile(r"([lr])([kp])ie$"), r"\1\2"),
    (re.compile(r"nkie$"), "nk"),
    (re.compile(r"(aa|ee|oo|oe|ui)sie$"), r"\1s"),
)
# Of a base; "tjie" and "kie" alone are of nothing.
_SHORTEST_BASE = 2


def base_of_diminutive(form: str) -> str | None:
    """Find the noun a diminutive is of.

    Parameters
    ----------
    form
        A noun in lower case, singular or plural.

    Returns
    -------
    str or None
        The noun; the singular for words that only look like diminutives; None for anything else.

    Examples
    --------
    >>> base_of_diminutive("vuurhoutjies"), base_of_diminutive("seuntjie")
    ('vuurhout', 'seun')
    >>> base_of_diminutive("bakkies"), base_of_diminutive("kommissie")
    ('bakkie', None)
    """
    word = form.removesuffix(_PLURAL)
    if word in _OWN_WORDS or word.endswith(_OWN_PARTS):
        return word
    base = _base(word)
    return base if base and len(base) >= _SHORTEST_BASE else None


def _base(word: str) -> str | None:
    for part, base in _IRREGULAR_PARTS.items():
        if word.endswith(part):
            return word.removesuffix(part) + base
    for ending, replacement in _ENDINGS:
        base, found = ending.subn(replacement, word)
        if found:
            return base
    if not word.endswith(_WITH_T):
        return None
    stem = word.removesuffix(_WITH_T)
    return stem + "t" if _keeps_t(stem) else stem


def _keeps_t(stem: str) -> bool:
    """Whether the t after these letters is the noun's, not the ending's."""
    if _T_OF_NOUN.search(stem):
        return True
    if _T_OF_ENDING.search(stem):
        return False
    return next(is_noun for sound, is_noun in _T_BY_SOUND if sound.search(stem))
