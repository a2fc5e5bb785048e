"""Texts in the nearest ASCII letters, for programs that know no others: Malmö → Malmo, ß → ss.

Input → output: a string → its ASCII form; texts → the same texts, token by token, in that form. So
line n of one file is line n of the other, and the original is never further than that.

What has no near letter (`folding`), as Greek or Arabic, becomes `?`, one for each character: a text
in these scripts is of no use in ASCII.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from search.engine.exchange.texts import CorpusText, Token
from search.engine.index.lexicon.folding import near_ascii

NO_FORM = "?"
REMEMBERED_TOKENS = 2_000_000  # bounds memory, as in the writers of files


def ascii_form(text: str) -> str:
    """Write a string in ASCII.

    Examples
    --------
    >>> ascii_form("môre, Ελλάς")
    'more, ?????'
    """
    return near_ascii(text).encode("ascii", "replace").decode("ascii")


def in_ascii(texts: Iterable[CorpusText]) -> Iterator[CorpusText]:
    """Give texts with words, lemmas, titles, authors and sections in ASCII; names and tags stay."""
    known = _KnownTokens()
    for text in texts:
        columns = replace(
            text.columns,
            title=ascii_form(text.columns.title),
            author=ascii_form(text.columns.author),
            agency=ascii_form(text.columns.agency),
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
