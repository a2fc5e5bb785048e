"""Vertical files cut into texts, without a look at their token lines.

Input → output: a source → for each text its columns, all its lines and the number of the first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from search.engine.exchange.errors import BadTextError, CorpusFileError
from search.engine.exchange.source import Source, SourceLines, decoded, pieces
from search.engine.exchange.texts import ReadingReport, TextColumns, columns_of
from search.engine.exchange.vertical_lines import Tag, is_remark, read_annotation, read_tag
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.building.line_numbers import n_lines_in

MAX_TEXT_BYTES = 1 << 29  # between <text> and </text>; about 30 million tokens


@dataclass(frozen=True, slots=True)
class VerticalText:
    """A text as it stands in the file: all lines between its tags, each with its line feed."""

    columns: TextColumns
    data: bytes
    first_line: int
    n_lines: int


def read_blocks(
    source: Source, options: VerticalOptions, report: ReadingReport
) -> Iterator[VerticalText]:
    """Read a file text by text, without looking at the token lines.

    Raises
    ------
    CorpusFileError
        At text outside of texts, texts in texts, tags that cannot be read and an unclosed last one.
    """
    state = _Blocks(source.name, options, report)
    for piece in pieces(source):
        yield from state.take(piece)
    state.finish()


@dataclass(slots=True)
class _Blocks:
    """The state between pieces: the open text's attributes and what was read of it so far.

    ``annotations`` are attributes in regions of their own, as ``cwb-decode`` writes them. ``line``
    is the next line outside of texts, in a text the first after its tag.
    """

    name: str
    options: VerticalOptions
    report: ReadingReport
    attributes: dict[str, str] | None = None
    annotations: dict[str, str] = field(default_factory=dict)
    line: int = 1
    last_line: int = 1
    held: list[bytes] = field(default_factory=list)
    n_held: int = 0

    def take(self, piece: SourceLines) -> Iterator[VerticalText]:
        """Yield the texts that end in a piece."""
        data, at = piece.data, 0
        end_tag = f"</{self.options.text_tag}".encode()
        while at < len(data):
            if self.attributes is None:
                after = data.index(b"\n", at) + 1
                self._outside(decoded(self.name, data[at : after - 1], self.line))
            else:
                end = _find_line(data, end_tag, at)
                self._hold(data[at : end if end >= 0 else len(data)])
                if end < 0:
                    break
                after = data.index(b"\n", end) + 1
                block = self._block()
                self.line += block.n_lines
                self._close(decoded(self.name, data[end : after - 1], self.line))
                yield block
            at = after
            self.line += 1
        self.last_line = piece.first_line + piece.n_lines - 1

    def finish(self) -> None:
        """Refuse a file that ends inside a text."""
        if self.attributes is not None:
            tag = self.options.text_tag
            reason = f"the file ends inside of the <{tag}> of line {self.line - 1}"
            raise CorpusFileError(self.name, self.last_line, reason)

    def _outside(self, line: str) -> None:
        """Look at a line between texts; only tags may stand there."""
        if not line.strip() or is_remark(line):
            return
        if self._take_annotation(line):
            return
        try:
            tag = read_tag(line)
            if tag is None:
                hint = f" (texts are marked <{self.options.text_tag}>)"
                raise BadTextError("text outside of any text" + hint)  # noqa: TRY301 (one handler)
            self._outer_tag(tag)
        except BadTextError as error:
            raise CorpusFileError(self.name, self.line, str(error)) from error

    def _outer_tag(self, tag: Tag) -> None:
        if tag.name.startswith(f"{self.options.text_tag}_"):
            return
        if tag.name == "s":
            raise BadTextError("a sentence outside of any text")
        if tag.name != self.options.text_tag:
            self.report.tags.add(tag.name)
        elif tag.is_end:
            raise BadTextError(f"</{tag.name}> without <{tag.name}>")
        else:
            self.attributes = tag.attributes

    def _hold(self, data: bytes) -> None:
        self.held.append(data)
        self.n_held += len(data)
        if self.n_held > MAX_TEXT_BYTES:
            reason = f"a text of more than {MAX_TEXT_BYTES:,} bytes"
            raise CorpusFileError(self.name, self.line - 1, reason)

    def _close(self, line: str) -> None:
        try:
            read_tag(line)
        except BadTextError as error:
            raise CorpusFileError(self.name, self.line, str(error)) from error

    def _take_annotation(self, line: str) -> bool:
        """Keep the value of a region ``<text_…>`` for the text it belongs to."""
        found = read_annotation(line)
        prefix = f"{self.options.text_tag}_"
        if found is None or not found[0].startswith(prefix):
            return False
        self.annotations.setdefault(found[0].removeprefix(prefix), found[1])
        return True

    def _block(self) -> VerticalText:
        data = b"".join(self.held)
        at = 0
        while data.startswith(b"<", at):
            end = data.index(b"\n", at)
            self._take_annotation(decoded(self.name, data[at:end], self.line))
            at = end + 1
        try:
            columns = columns_of(self.annotations | (self.attributes or {}), self.report)
        except BadTextError as error:
            raise CorpusFileError(self.name, self.line - 1, str(error)) from error
        self.attributes, self.annotations, self.held, self.n_held = None, {}, [], 0
        return VerticalText(columns, data, self.line, n_lines_in(data))


def _find_line(data: bytes, beginning: bytes, at: int) -> int:
    """Return where a line that begins with the end tag starts, -1 if there is none."""
    while at >= 0:
        if data.startswith(beginning, at) and data[at + len(beginning)] in b" \t>\n":
            return at
        found = data.find(b"\n" + beginning, at)
        at = found + 1 if found >= 0 else -1
    return -1
