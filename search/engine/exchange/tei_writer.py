"""TEI P5: texts as ``<TEI>`` elements of one ``<teiCorpus>``, with a ``<w>`` or ``<pc>`` a token.

Input → output: texts → strings that make up the file. ``@lemma``, ``@pos`` and ``@join`` are those
of the class att.linguistic; ``join="right"`` says that no white space follows. A text whose white
space is known and whose tokens all stand apart says ``join="no"`` at its first one.

What the format cannot hold: control characters (written as U+FFFD), white space inside tokens and
columns other than single spaces, an empty title (written as the text's id).
"""

from collections.abc import Iterable, Iterator

from search.engine.exchange.tei_header import CORPUS_HEADER, header_lines
from search.engine.exchange.tei_text import element
from search.engine.exchange.texts import CorpusText, Token

REMEMBERED_TOKENS = 2_000_000  # bounds memory; 100 million have some 350,000 that differ
NAMESPACE = "http://www.tei-c.org/ns/1.0"


def write_tei(texts: Iterable[CorpusText]) -> Iterator[str]:
    """Write a file, one string for each text and for its ends."""
    written = _WrittenTokens()
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="{NAMESPACE}">\n'
    yield CORPUS_HEADER
    for text in texts:
        yield "".join(_lines(text, written))
    yield "</teiCorpus>\n"


def _lines(text: CorpusText, written: "_WrittenTokens") -> Iterator[str]:
    yield "<TEI>\n"
    yield from header_lines(text.columns)
    yield "<text>\n<body>\n<p>\n"
    joins = _joins(text)
    for start, end in text.sentences:
        yield "<s>\n"
        yield from (
            written[token, join]
            for token, join in zip(text.tokens[start:end], joins[start:end], strict=True)
        )
        yield "</s>\n"
    yield "</p>\n</body>\n</text>\n</TEI>\n"


def _joins(text: CorpusText) -> list[str]:
    """Return what each token says of its white space."""
    if text.space_before is None or not text.tokens:
        return [""] * len(text.tokens)
    joins = ["" if space else "right" for space in [*text.space_before[1:], True]]
    if not any(joins):
        joins[0] = "no"
    return joins


class _WrittenTokens(dict[tuple[Token, str], str]):
    """Tokens with their white space, and their elements; an unknown one is written."""

    def __missing__(self, key: tuple[Token, str]) -> str:
        if len(self) > REMEMBERED_TOKENS:
            self.clear()
        (word, lemma, tag), join = key
        given = {"lemma": lemma, "pos": tag, "join": join}
        name = "w" if any(map(str.isalnum, word)) else "pc"
        written = element(name, word, **{n: value for n, value in given.items() if value}) + "\n"
        self[key] = written
        return written
