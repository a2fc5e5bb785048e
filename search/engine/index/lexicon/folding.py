"""Variants of a word form under which it is also found: lower case, without accents, both; ASCII.

Input → output: a form → its variants. ``%c`` in queries compares lower case, ``%d`` forms without
accents, ``%cd`` both, as in the CWB query language. The nearest ASCII letters go further: Malmö →
Malmo as with ``%d``, but also ß → ss, ø → o, curly quotes and dashes to straight ones. Letters lose
their marks by Unicode's own decompositions (NFKD); a table has what Unicode does not take apart.

References
----------
S. M. Burke, Unidecode! (The Perl Journal, 2001), for the idea; Unicode Standard Annex 15.
"""

import unicodedata

_LETTERS = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O",
    "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th",
    "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T", "ŋ": "ng", "Ŋ": "Ng", "ı": "i", "ĸ": "k",
    "ə": "e", "ɓ": "b", "Ɓ": "B", "ɗ": "d", "Ɗ": "D", "ƙ": "k", "Ƙ": "K", "ƴ": "y", "Ƴ": "Y",
    "ǃ": "!",
}  # fmt: skip
_SIGNS = {
    **dict.fromkeys("‘’‚‛ʼʻ′‹›`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
    **dict.fromkeys("•‣·∙", "*"),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    "€": "EUR", "£": "GBP", "¥": "JPY", "©": "(c)", "®": "(R)", "×": "x", "÷": "/", "⁄": "/",
    "°": "deg", "§": "S", "¿": "?", "¡": "!",
}  # fmt: skip
_TABLE = str.maketrans(_LETTERS | _SIGNS)


def lower(form: str) -> str:
    """Lower case, code point by code point (``ß`` stays ``ß``, unlike case folding)."""
    return form.lower()


def strip_accents(form: str) -> str:
    """Remove combining marks after canonical decomposition, then compose again.

    Examples
    --------
    >>> strip_accents("Café Böhm")
    'Cafe Bohm'
    """
    if form.isascii():
        return form
    decomposed = unicodedata.normalize("NFD", form)
    kept = "".join(c for c in decomposed if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", kept)


def near_ascii(text: str) -> str:
    """Write a string in the nearest ASCII letters; what has none, as Greek, loses its marks alone.

    Examples
    --------
    >>> near_ascii("Ærø’s café – Łódź, Groß…")
    "AEro's cafe - Lodz, Gross..."
    """
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFKD", text.translate(_TABLE)).translate(_TABLE)
    return "".join(c for c in parted if not unicodedata.combining(c))
