"""What a line of a vertical file is: a token with its columns, or a mark.

Input → output: options of the file and a line → a token or a mark. The parser is called once for
each distinct line, so its checks cost next to nothing.
"""

from dataclasses import dataclass

from search.engine.exchange.errors import BadTextError
from search.engine.exchange.texts import COLUMNS, ReadingReport, Token, checked_token
from search.engine.exchange.vertical_lines import (
    Tag,
    is_remark,
    read_annotation,
    read_tag,
    unescape,
)
from search.engine.index.building.line_numbers import LineMark
from search.engine.index.lexicon.builder import FORM_LIMIT

NO_COLUMN = "-"  # a column of the file that is passed over


@dataclass(frozen=True, slots=True)
class VerticalOptions:
    """How a file is written.

    Parameters
    ----------
    columns : tuple of str
        Of a token line, in order: ``word``, ``lemma``, ``pos``, or ``-`` for one to pass over.
    text_tag : str
        Tag of a text; ``doc`` in files of the Sketch Engine.
    has_entities : bool
        False reads ``&lt;`` as four characters.
    has_glue : bool
        White space is marked: it stands before every token that has no ``<g/>`` before it. Without
        this, texts that have no ``<g/>`` at all count as not marked.
    """

    columns: tuple[str, ...] = COLUMNS
    text_tag: str = "text"
    has_entities: bool = True
    has_glue: bool = False

    def __post_init__(self) -> None:
        named = [name for name in self.columns if name != NO_COLUMN]
        if "word" not in named or len(set(named)) != len(named) or set(named) - set(COLUMNS):
            raise ValueError(
                "columns are word, lemma, pos, each at most once, with word among them"
            )


class LineParser:
    """Turns a line into a token or a mark; called once for each distinct line.

    Raises
    ------
    BadTextError
        With the reason, when called with a line that is neither.
    """

    def __init__(self, options: VerticalOptions, report: ReadingReport) -> None:
        self._options = options
        self._report = report
        places = {name: place for place, name in enumerate(options.columns)}
        self._places = [places.get(name, -1) for name in COLUMNS]
        self._n_columns = len(options.columns)

    def __call__(self, line: str) -> Token | LineMark:
        if line.startswith("<"):
            mark = self._mark(line)
            if mark is not None:
                return mark
        elif not line.strip():
            self._report.remarks.add("Empty lines were passed over.")
            return LineMark.IGNORED
        return self._token(line)

    def _mark(self, line: str) -> LineMark | None:
        """Return what a line of markup means; None if it is a token after all."""
        if is_remark(line):
            return LineMark.IGNORED
        try:
            tag = read_tag(line)
        except ValueError:
            if self._n_columns > 1 and line.count("\t") == self._n_columns - 1:
                return None
            annotation = read_annotation(line)
            if annotation is None:
                raise
            tag = Tag(annotation[0], is_end=False, attributes={})
        if tag is None:
            return None
        if tag.name == "s":
            self._report.attributes.update(f"s {name}" for name in tag.attributes)
            return LineMark.SENTENCE_END if tag.is_end else LineMark.SENTENCE_START
        if tag.name == self._options.text_tag:
            raise BadTextError(f"<{tag.name}> inside of <{tag.name}>")
        if tag.name == "g":
            return LineMark.GLUE
        if not tag.name.startswith(f"{self._options.text_tag}_"):
            self._report.tags.add(tag.name)
        return LineMark.IGNORED

    def _token(self, line: str) -> Token:
        cells = line.split("\t")
        if len(cells) != self._n_columns:
            wanted = f"{self._n_columns} ({', '.join(self._options.columns)})"
            raise BadTextError(f"{_plural(len(cells), 'column')} instead of {wanted}")
        if "&" in line and self._options.has_entities:
            cells = [unescape(cell) for cell in cells]
        cells.append("")
        word, lemma, tag = self._places
        token = (cells[word], cells[lemma], cells[tag])
        is_plain = len(line) <= FORM_LIMIT and token[0]
        return token if is_plain else checked_token(token, self._report)


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
