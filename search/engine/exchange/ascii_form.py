"""Texts in the nearest ASCII letters, for programs that know no others: Malmö → Malmo, ß → ss.

Input → output: a string → its ASCII form; texts → the same texts, token by token, in that form. So
line n of one file is line n of the other, and the original is never further than that.

Letters lose their marks by Unicode's own decompositions (NFKD); a table has letters, quotes and
dashes that Unicode does not take apart. What has no near letter, as Greek or Arabic, becomes `?`,
one for each character: a text in these scripts is of no use in ASCII.

References
----------
S. M. Burke, Unidecode! (The Perl Journal, 2001), for the idea; Unicode Standard Annex 15.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from search.engine.exchange.texts import CorpusText, Token

NO_FORM = "?"
REMEMBERED_TOKENS = 2_000_000  # bounds memory, as in the writers of files
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


def ascii_form(text: str) -> str:
    """Write a string in ASCII.

    Examples
    --------
    >>> ascii_form("Ærø’s café – Łódź, Groß…")
    "AEro's cafe - Lodz, Gross..."
    >>> ascii_form("môre, Ελλάς")
    'more, ?????'
    """
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFKD", text.translate(_TABLE)).translate(_TABLE)
    bare = "".join(c for c in parted if not unicodedata.combining(c))
    return bare.encode("ascii", "replace").decode("ascii")


def in_ascii(texts: Iterable[CorpusText]) -> Iterator[CorpusText]:
    """Give texts with words, lemmas, titles, authors and sections in ASCII; names and tags stay."""
    known = _KnownTokens()
    for text in texts:
        columns = replace(
            text.columns,
            title=ascii_form(text.columns.title),
            author=ascii_form(text.columns.author),
            section=ascii_form(text.columns.section),
        )
        yield replace(text, columns=columns, tokens=[known[token] for token in text.tokens])


class _KnownTokens(dict[Token, Token]):
    """Tokens and their ASCII forms; no word becomes empty."""

    def __missing__(self, token: Token) -> Token:
        if len(self) > REMEMBERED_TOKENS:
            self.clear()
        word, lemma, tag = token
        found = (ascii_form(word) or NO_FORM, ascii_form(lemma), tag)
        self[token] = found
        return found
