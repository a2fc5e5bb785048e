"""CoNLL-U, the format of Universal Dependencies.

Input → output: ``# newdoc id = …``, sentences of token lines with ten columns, empty lines between
them ↔ texts. Taken are FORM, LEMMA, XPOS (else UPOS) and ``SpaceAfter=No``; the words of a range
line (``1-2``) are its tokens and share its white space. Columns of the text stand as comments
``# meta::publication = …`` before its first sentence, in the way of the GUM corpus.

What the format cannot hold: tabs and line ends (written as spaces), spaces inside tags (written as
underscores), the difference between an empty lemma or tag and ``_``, white space that is not known
(written as rules of punctuation guess it), texts without tokens (written as their ``newdoc`` line
alone). Morphology, syntax, empty nodes and paragraphs of a file are not kept.

References
----------
https://universaldependencies.org/format.html
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from search.engine.exchange.errors import BadTextError, CorpusFileError
from search.engine.exchange.source import MAX_LINE_BYTES, Source, numbered_lines
from search.engine.exchange.texts import (
    MAX_TEXT_TOKENS,
    CorpusText,
    ReadingReport,
    Token,
    attributes_of,
    checked_token,
    columns_of,
)
from search.engine.index.lexicon.spacing import guess_spaces

NO_VALUE = "_"
NO_SPACE = "SpaceAfter=No"
N_COLUMNS = 10
FORM, LEMMA, UPOS, XPOS, MISC = 1, 2, 3, 4, 9
META = "meta::"
BREAKS = str.maketrans("\t\n\r", "   ")
TAG_BREAKS = str.maketrans(" \t\n\r", "____")


def read_conllu(source: Source, report: ReadingReport) -> Iterator[CorpusText]:
    """Read a file text by text; without ``# newdoc`` it is one text.

    Raises
    ------
    CorpusFileError
    """
    text: _OpenText | None = None
    number = 1
    try:
        for number, line in numbered_lines(source, MAX_LINE_BYTES):  # noqa: B007 (for the fault)
            opened = _newdoc(line)
            if opened is not None:
                if text is not None:
                    yield text.closed()
                text = _OpenText(report, {"id": opened})
            elif text is not None or not line.startswith("#"):
                text = text or _OpenText(report, {})
                text.take(line)
        if text is not None and (text.tokens or text.attributes):
            yield text.closed()
    except BadTextError as error:
        raise CorpusFileError(source.name, number, str(error)) from error


def _newdoc(line: str) -> str | None:
    """Return the id of a text that begins here; None on other lines."""
    if not line.startswith("#"):
        return None
    key, value = _comment(line)
    return value if key in ("newdoc", "newdoc id") else None


def _comment(line: str) -> tuple[str, str]:
    key, _, value = line[1:].partition("=")
    return key.strip(), value.strip()


@dataclass(slots=True)
class _OpenText:
    """A text that is being put together, line by line; ``last_word`` counts in the sentence."""

    report: ReadingReport
    attributes: dict[str, str]
    known: dict[Token, Token] = field(default_factory=dict)
    tokens: list[Token] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    last_word: int = 0
    range_end: int = 0
    is_range_spaced: bool = True
    is_spaced: bool = False  # no white space before the first token

    def take(self, line: str) -> None:
        """Take the next line.

        Raises
        ------
        BadTextError
        """
        if line.startswith("#"):
            key, value = _comment(line)
            if key.startswith(META):
                self.attributes.setdefault(key.removeprefix(META), value)
            elif key != "text":
                self.report.attributes.add(f"# {key}")
        elif line.strip():
            self._word(line.split("\t"))
        else:
            self._end_sentence()

    def _word(self, cells: list[str]) -> None:
        if len(cells) != N_COLUMNS:
            raise BadTextError(f"{len(cells)} columns instead of {N_COLUMNS}")
        number, dash, end = cells[0].partition("-")
        if "." in number:
            self.report.remarks.add("Empty nodes were passed over.")
            return
        expected = self.last_word + 1
        if number != str(expected) or (dash and not end.isdecimal()):
            reason = f"the word's number is {cells[0][:20]!r} instead of {expected}"
            raise BadTextError(reason + " (empty lines end sentences)")
        is_spaced = NO_SPACE not in cells[MISC].split("|")
        if dash:
            self.range_end, self.is_range_spaced = int(end), is_spaced
            return
        self._add(cells, is_spaced=is_spaced)

    def _add(self, cells: list[str], *, is_spaced: bool) -> None:
        if self.last_word == 0:
            self.starts.append(len(self.tokens))
        self.last_word += 1
        if self.last_word <= self.range_end:
            is_spaced = self.is_range_spaced and self.last_word == self.range_end
        self.spaces.append(self.is_spaced)
        self.is_spaced = is_spaced
        self.tokens.append(self._token(cells))
        if len(self.tokens) > MAX_TEXT_TOKENS:
            raise BadTextError(f"a text of more than {MAX_TEXT_TOKENS:,} tokens")

    def _token(self, cells: list[str]) -> Token:
        form, lemma = cells[FORM], cells[LEMMA]
        tag = cells[XPOS] if cells[XPOS] != NO_VALUE else cells[UPOS]
        if lemma == NO_VALUE != form:
            lemma = ""
        token = (form, lemma, "" if tag == NO_VALUE else tag)
        found = self.known.get(token)
        return found or self.known.setdefault(token, checked_token(token, self.report))

    def _end_sentence(self) -> None:
        if self.range_end > self.last_word:
            raise BadTextError(f"the sentence ends before word {self.range_end} of a range")
        self.last_word = self.range_end = 0

    def closed(self) -> CorpusText:
        """Return the text.

        Raises
        ------
        BadTextError
        """
        self._end_sentence()
        columns = columns_of(self.attributes, self.report)
        return CorpusText(columns, self.tokens, self.starts, self.spaces)


# Writing


def write_conllu(texts: Iterable[CorpusText]) -> Iterator[str]:
    """Write texts, one string for each."""
    for text in texts:
        yield "".join(_lines(text))


def _lines(text: CorpusText) -> Iterator[str]:
    attributes = attributes_of(text.columns)
    name = attributes.pop("id", "").translate(BREAKS)
    yield f"# newdoc id = {name}\n" if name else "# newdoc\n"
    for key, value in attributes.items():
        yield f"# {META}{key} = {value.translate(BREAKS)}\n"
    if not text.tokens:
        yield "\n"
    spaces = text.space_before
    if spaces is None:
        spaces = guess_spaces([word for word, _, _ in text.tokens])
    after = [*spaces[1:], True]
    for number, (start, end) in enumerate(text.sentences, 1):
        yield f"# sent_id = {name or 'text'}-{number}\n"
        yield f"# text = {_sentence_text(text.tokens[start:end], after[start:end])}\n"
        for place in range(start, end):
            yield _word_line(place - start + 1, text.tokens[place], is_spaced=after[place])
        yield "\n"


def _sentence_text(tokens: Sequence[Token], after: Sequence[bool]) -> str:
    words = (word.translate(BREAKS) for word, _, _ in tokens)
    spaced = (f"{word} " if space else word for word, space in zip(words, after, strict=True))
    return "".join(spaced).rstrip(" ")


def _word_line(number: int, token: Token, *, is_spaced: bool) -> str:
    word, lemma, tag = token
    form = word.translate(BREAKS)
    lemma = lemma.translate(BREAKS) or NO_VALUE
    tag = tag.translate(TAG_BREAKS) or NO_VALUE
    misc = NO_VALUE if is_spaced else NO_SPACE
    return f"{number}\t{form}\t{lemma}\t_\t{tag}\t_\t_\t_\t_\t{misc}\n"
