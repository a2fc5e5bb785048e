"""Variants of a word form under which it is also found: lower case, without accents, both.

Input → output: a form → its three variants. ``%c`` in queries compares lower case, ``%d`` forms
without accents, ``%cd`` both, as in the CWB query language.
"""

import unicodedata


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
