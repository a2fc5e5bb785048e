"""A query as somebody wrote it, and how it is read: its language, word lists and macros."""

from dataclasses import dataclass
from unicodedata import normalize

from extraction.text.tokens import tokenize
from search.asking.word_lists import lists_in, macros_in
from search.engine.query.ast import Query
from search.engine.query.language.parser import Language, parse, parse_with_macros
from search.engine.query.language.simple import SimpleOptions


@dataclass(frozen=True, slots=True)
class WrittenQuery:
    """A query as somebody wrote it; `match_case` is for the simple language alone."""

    text: str
    language: Language = Language.SIMPLE
    match_case: bool = False

    def parse(self) -> Query:
        """Parse it, with the word lists and macros that it names.

        Raises
        ------
        QueryError
        """
        text = normalize("NFC", self.text)  # as texts are stored; a command's text may be otherwise
        if self.language is Language.SIMPLE:
            return parse(text, match_case=self.match_case, tokenize=_words)
        macros = macros_in(text)
        if macros:
            return parse_with_macros(text, macros, lists_in(text, macros))
        return parse(text, self.language, lists=lists_in(text))

    @property
    def options(self) -> SimpleOptions:
        """How the words of a simple query are read."""
        return SimpleOptions(self.match_case, _words)


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text)]
