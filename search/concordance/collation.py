"""Order of dictionaries: letters first, accents next, case last.

Input → output: a word → a key that sorts as the default table of the Unicode collation algorithm
does for Latin script, without its table: punctuation before digits before letters; words that
differ in accents only stand together, the plain one first; of words that differ in case only, the
small letter comes first. Other scripts follow by code point. Punctuation is not ignored.

References
----------
Unicode Technical Standard #10, Unicode collation algorithm, sections 1.1 and 4 (levels 1 to 3).
"""

import unicodedata

_BEFORE_DIGITS = "\x01"  # put before a character that is neither digit nor letter


def dictionary_key(word: str) -> tuple[str, str, str, str]:
    """Return the key of a word: base letters, accents, case, and the word itself.

    Examples
    --------
    >>> sorted(["rule", "roles", "Role", "rôle", "role"], key=dictionary_key)
    ['role', 'Role', 'rôle', 'roles', 'rule']
    """
    if word.isascii():
        folded = word.lower()
        letters = folded if folded.isalnum() else _marked(folded)
        return letters, folded, word.swapcase(), word
    folded = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    return _marked(bare), folded, word.swapcase(), word


def _marked(text: str) -> str:
    return "".join(c if c.isalnum() else f"{_BEFORE_DIGITS}{c}" for c in text)
