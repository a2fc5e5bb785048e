"""Vertical text, the format of CWB, Manatee and their kin, as a stream of texts.

Input → output: ``<text id="…" publication="…" date="…" …>`` lines, ``<s>`` sentences, a token a
line with its columns between tabs, ``</s>``, ``</text>`` ↔ texts.

``<g/>`` says that no white space stood before the next token. Other tags and attributes are passed
over and named in the report. Reading is done by distinct lines: each is looked at once and
remembered, so checks cost next to nothing.

What the format cannot hold: tabs and line ends inside tokens and attributes (written as spaces),
words that are empty; white space, unless it is written with ``<g/>``, which CWB does not know.

References
----------
S. Evert and The CWB Development Team, *The IMS Open Corpus Workbench: Corpus Encoding and
Management Manual*, sections on the input format of ``cwb-encode``.
"""

from collections.abc import Iterable, Iterator

from search.engine.exchange.errors import BadTextError, CorpusFileError
from search.engine.exchange.source import Source, decoded
from search.engine.exchange.texts import COLUMNS, CorpusText, ReadingReport, Token, attributes_of
from search.engine.exchange.vertical_blocks import VerticalText, read_blocks
from search.engine.exchange.vertical_lines import written_cell, written_tag
from search.engine.exchange.vertical_tokens import LineParser, VerticalOptions
from search.engine.index.building.line_numbers import LineMark

REMEMBERED_LINES = 2_000_000  # distinct lines kept with their tokens, about 200 bytes each


def read_vertical(
    source: Source, options: VerticalOptions, report: ReadingReport
) -> Iterator[CorpusText]:
    """Read a file text by text.

    Raises
    ------
    CorpusFileError
    """
    known = _KnownLines(LineParser(options, report))
    for block in read_blocks(source, options, report):
        text = _OpenText(source.name, has_glue=options.has_glue)
        for number, item in enumerate(_items(source.name, block, known), block.first_line):
            text.take(item, number)
        yield text.closed(block)
        if len(known) > REMEMBERED_LINES:
            known.clear()


class _KnownLines(dict[str, "Token | LineMark"]):
    """Lines and what they are; an unknown one is looked at."""

    def __init__(self, parse: LineParser) -> None:
        super().__init__()
        self._parse = parse

    def __missing__(self, line: str) -> Token | LineMark:
        item = self[line] = self._parse(line)
        return item


def _items(name: str, block: VerticalText, known: _KnownLines) -> list[Token | LineMark]:
    lines = decoded(name, block.data, block.first_line).split("\n")[:-1]
    try:
        return [known[line] for line in lines]
    except BadTextError as error:
        bad = next(i for i, line in enumerate(lines) if line not in known)
        raise CorpusFileError(name, block.first_line + bad, str(error)) from error


class _OpenText:
    """A text that is being put together, line by line."""

    def __init__(self, name: str, *, has_glue: bool) -> None:
        self._name = name
        self._has_glue = has_glue
        self._tokens: list[Token] = []
        self._starts: list[int] = []
        self._spaces: list[bool] = []
        self._sentence_line = 0
        self._is_glued = True  # no white space before the first token

    def take(self, item: Token | LineMark, number: int) -> None:
        """Take the next line.

        Raises
        ------
        CorpusFileError
            If sentences are nested or end without having begun.
        """
        if isinstance(item, tuple):
            self._tokens.append(item)
            self._spaces.append(not self._is_glued)
            self._is_glued = False
        elif item is LineMark.GLUE:
            self._is_glued = self._has_glue = True
        elif item is not LineMark.IGNORED:
            self._sentence_edge(number, is_start=item is LineMark.SENTENCE_START)

    def _sentence_edge(self, number: int, *, is_start: bool) -> None:
        if is_start and self._sentence_line:
            reason = f"<s> inside of the <s> of line {self._sentence_line}"
            raise CorpusFileError(self._name, number, reason)
        if not is_start and not self._sentence_line:
            raise CorpusFileError(self._name, number, "</s> without <s>")
        self._sentence_line = number if is_start else 0
        self._starts.append(len(self._tokens))

    def closed(self, block: VerticalText) -> CorpusText:
        """Return the text.

        Raises
        ------
        CorpusFileError
            If its last sentence is open.
        """
        if self._sentence_line:
            reason = "<s> is never closed in its text"
            raise CorpusFileError(self._name, self._sentence_line, reason)
        n = len(self._tokens)
        starts = sorted({0, *self._starts} - {n}) if n else []
        spaces = self._spaces if self._has_glue else None
        return CorpusText(block.columns, self._tokens, starts, spaces)


# Writing


def write_vertical(texts: Iterable[CorpusText], options: VerticalOptions) -> Iterator[str]:
    """Write texts, one string for each; ``<g/>`` only if the options say so."""
    written = _WrittenTokens(options)
    for text in texts:
        yield "".join(_lines(text, options, written))


def _lines(text: CorpusText, options: VerticalOptions, written: "_WrittenTokens") -> Iterator[str]:
    attributes = attributes_of(text.columns)
    names = ["id", *(name for name in attributes if name != "id")]
    yield written_tag(options.text_tag, {name: attributes.get(name, "") for name in names}) + "\n"
    spaces = text.space_before if options.has_glue else None
    for start, end in text.sentences:
        yield "<s>\n"
        if spaces is None:
            yield from map(written.__getitem__, text.tokens[start:end])
        else:
            for place in range(start, end):
                if place and not spaces[place]:
                    yield "<g/>\n"
                yield written[text.tokens[place]]
        yield "</s>\n"
    yield f"</{options.text_tag}>\n"


class _WrittenTokens(dict[Token, str]):
    """Tokens and their lines; an unknown one is written."""

    def __init__(self, options: VerticalOptions) -> None:
        super().__init__()
        self._places = [COLUMNS.index(name) for name in options.columns if name in COLUMNS]

    def __missing__(self, token: Token) -> str:
        if len(self) > REMEMBERED_LINES:
            self.clear()
        line = "\t".join(written_cell(token[place]) for place in self._places) + "\n"
        self[token] = line
        return line
