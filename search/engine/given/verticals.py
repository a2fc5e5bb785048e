"""Vertical files of CWB, Manatee and the Sketch Engine: `<text …>` or `<doc …>`, a token a line.

The first column is the word; lemmas and tags are not kept, as all texts here are tagged by one
tagger. `<p>` ends a paragraph, `<g/>` says that no white space stands before the next token.
"""

from collections.abc import Iterable, Iterator, Mapping

from search.engine.exchange.errors import BadTextError
from search.engine.exchange.vertical_lines import (
    Tag,
    is_remark,
    read_annotation,
    read_tag,
    unescape,
)
from search.engine.given.columns import TEXT, field_of, note, own_values, text_of
from search.engine.given.lines import Line
from search.engine.given.texts import FileProblem, GivenText, Problem, Understood
from search.engine.given.tokens import RunningText

TEXT_TAGS = ("text", "doc")
_TEXT_STARTS = tuple(f"<{name} " for name in TEXT_TAGS)
_REMARK = Tag("", is_end=False, attributes={})
_PARAGRAPH_TAGS = ("p", "head", "div", "l", "lg")


def read_verticals(
    lines: Iterable[Line], chosen: Mapping[str, str], told: Understood
) -> Iterator[GivenText | Problem]:
    """Read a text for each `<text>` or `<doc>`; one that is broken is left out by itself."""
    open_text: _OpenText | None = None
    has_outside = False
    for number, line in lines:
        tag = _tag_of(line)
        if isinstance(tag, Tag) and tag.name in TEXT_TAGS:
            if open_text is not None:
                yield from open_text.closed(is_whole=tag.is_end)
            open_text = None if tag.is_end else _OpenText(number, tag.attributes, chosen, told)
        elif open_text is not None:
            open_text.take(line, tag, number)
        elif not has_outside and isinstance(line, str) and line.strip() and tag is None:
            has_outside = True
            yield Problem(number, "tokens outside of <text> or <doc> are left out")
    if open_text is not None:
        yield from open_text.closed(is_whole=False)


def _tag_of(line: str | Problem) -> Tag | Problem | None:
    """Give the tag of a line, or None for a token; a line that is no whole tag is a token."""
    if isinstance(line, Problem):
        return line
    if not line.startswith("<") or "\t" in line:
        return None
    try:
        return read_tag(line) or (Tag("", is_end=False, attributes={}) if is_remark(line) else None)
    except BadTextError as error:
        if read_annotation(line):
            return _REMARK  # `<text_author Ann>` as cwb-decode writes it
        return (
            Problem(0, str(error)) if line.startswith(tuple(f"<{t} " for t in TEXT_TAGS)) else None
        )


class _OpenText:
    """A text that is being put together; its first problem is kept and leaves it out."""

    def __init__(
        self,
        line: int,
        attributes: Mapping[str, str],
        chosen: Mapping[str, str],
        told: Understood,
    ) -> None:
        self._line = line
        self._values: dict[str, str] = {}
        for name, value in attributes.items():
            field = field_of(name, chosen)
            note(told, name, "" if field == TEXT else field)
            if field and field != TEXT:
                self._values.setdefault(field, value)
        others = ((name, value) for name, value in attributes.items() if not field_of(name, chosen))
        self._own = own_values(others, told)
        self._text = RunningText()
        self._is_glued = False
        self._problem: Problem | None = None

    def take(self, line: str | Problem, tag: Tag | Problem | None, number: int) -> None:
        if self._problem is not None:
            return
        if isinstance(tag, Problem):
            self._problem = Problem(
                number, f"{tag.words}; the text of line {self._line} is left out"
            )
        elif isinstance(tag, Tag):
            if tag.name == "g":
                self._is_glued = self._text.marks_space = True
            elif tag.name in _PARAGRAPH_TAGS:
                self._text.end_paragraph()
        elif isinstance(line, str) and line.strip():
            self._add(unescape(line.split("\t", 1)[0]), number)

    def _add(self, word: str, number: int) -> None:
        try:
            self._text.add(word, is_glued=self._is_glued)
        except FileProblem as error:
            self._problem = Problem(number, error.problem.words)
        self._is_glued = False

    def closed(self, *, is_whole: bool) -> Iterator[GivenText | Problem]:
        if self._problem is not None:
            yield self._problem
            return
        if not is_whole:
            yield Problem(
                self._line, "the text that begins here is never closed; it is taken as it is"
            )
        text = self._text.joined()
        if text:
            yield text_of({**self._values, TEXT: text}, self._line, self._own)
        else:
            yield Problem(self._line, "the text that begins here has no tokens")
