"""TEI P5: tokenized texts, read as a stream in constant memory.

Input → output: ``<TEI>`` elements with ``<w>`` and ``<pc>`` tokens, alone or in a ``<teiCorpus>``
→ texts. Entities are not expanded, document types not loaded and nothing is fetched. Elements other
than ``s``, ``w`` and ``pc`` are passed over and named in the report; parts of a ``<w>`` are put
together. White space is known where a text has ``@join`` at all.

References
----------
TEI Consortium, *TEI P5: Guidelines for Electronic Text Encoding and Interchange*, chapter 18.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from search.engine.exchange.errors import BadTextError, CorpusFileError
from search.engine.exchange.source import BROKEN_OFF, Source
from search.engine.exchange.tei_header import read_header
from search.engine.exchange.tei_text import plain_text
from search.engine.exchange.texts import (
    MAX_TEXT_TOKENS,
    CorpusText,
    ReadingReport,
    Token,
    checked_token,
    columns_of,
)

TEXT_TAGS = ("TEI", "TEI.2")
TOKEN_TAGS = ("w", "pc")
KEPT_TAGS = {*TEXT_TAGS, *TOKEN_TAGS, "teiCorpus", "teiHeader", "text", "body", "s"}
JOINED_LEFT = ("left", "both")
JOINED_RIGHT = ("right", "both")


def read_tei(source: Source, report: ReadingReport) -> Iterator[CorpusText]:
    """Read a file text by text.

    Raises
    ------
    CorpusFileError
    """
    state = _Reading(report)
    line = 1
    try:
        events = etree.iterparse(
            source.stream,
            ("start", "end"),
            resolve_entities=False,
            no_network=True,
            huge_tree=False,
        )
        for event, element in events:
            if isinstance(element.tag, str):
                line = _line(element) or line
                text = state.take(event, element)
                if text is not None:
                    yield text
    except etree.XMLSyntaxError as error:
        raise CorpusFileError(source.name, error.lineno or line, f"not XML: {error.msg}") from error
    except BROKEN_OFF as error:
        raise CorpusFileError(source.name, line, f"the file breaks off here: {error}") from error
    except BadTextError as error:
        raise CorpusFileError(source.name, line, str(error)) from error


@dataclass(slots=True)
class _Reading:
    """The state between elements; ``inside`` is what is read as a whole, header or token."""

    report: ReadingReport
    text: "_OpenText | None" = None
    inside: etree._Element | None = None
    known: dict[Token, Token] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def take(self, event: str, element: etree._Element) -> CorpusText | None:
        """Take the start or the end of an element; returns a text at its end."""
        name = self.names.get(element.tag) or self._name(element.tag)
        if event == "start":
            self._start(name, element)
            return None
        if self.inside is not None and self.inside is not element:
            return None
        self.inside = None
        text = self._end(name, element)
        if self.text is None or not self.text.is_in_sentence:
            _release(element)  # with all inside, such as the tokens of a sentence
        return text

    def _name(self, tag: str) -> str:
        name = self.names[tag] = tag.rpartition("}")[2]
        return name

    def _start(self, name: str, element: etree._Element) -> None:
        if self.inside is not None:
            return
        if name == "teiHeader" or name in TOKEN_TAGS:
            self.inside = element
        elif name in TEXT_TAGS:
            if self.text is not None:
                raise BadTextError(f"<{name}> inside of the <{name}> of line {self.text.line}")
            self.text = _OpenText(self.report, self.known, _line(element))
        elif name == "s":
            self._opened(name).start_sentence()
        if name not in KEPT_TAGS:
            self.report.tags.add(name)

    def _end(self, name: str, element: etree._Element) -> CorpusText | None:
        if name in TEXT_TAGS:
            text, self.text = self._opened(name), None
            return text.closed()
        if name == "teiHeader":
            if self.text is not None:
                self.text.attributes = read_header(element)
        elif name in TOKEN_TAGS:
            self._opened(name).add(element)
        elif name == "s":
            self._opened(name).end_sentence()
        elif self.text is not None and (element.text or "").strip():
            self.text.has_plain_text = True
        return None

    def _opened(self, name: str) -> "_OpenText":
        if self.text is None:
            raise BadTextError(f"<{name}> outside of any <TEI>")
        return self.text


@dataclass(slots=True)
class _OpenText:
    """A text that is being put together."""

    report: ReadingReport
    known: dict[Token, Token]
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    tokens: list[Token] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    is_in_sentence: bool = False
    is_joined: bool = True  # no white space before the first token
    has_joins: bool = False
    has_plain_text: bool = False

    def start_sentence(self) -> None:
        if self.is_in_sentence:
            raise BadTextError("<s> inside of <s>")
        self.is_in_sentence = True
        self.starts.append(len(self.tokens))

    def end_sentence(self) -> None:
        self.is_in_sentence = False
        self.starts.append(len(self.tokens))

    def add(self, element: etree._Element) -> None:
        """Add a token."""
        join = element.get("join", "")
        self.has_joins |= bool(join)
        self.spaces.append(not (self.is_joined or join in JOINED_LEFT))
        self.is_joined = join in JOINED_RIGHT
        token = (plain_text(element), element.get("lemma", ""), element.get("pos", ""))
        found = self.known.get(token)
        self.tokens.append(found or self.known.setdefault(token, checked_token(token, self.report)))
        if len(self.tokens) > MAX_TEXT_TOKENS:
            raise BadTextError(f"a text of more than {MAX_TEXT_TOKENS:,} tokens")

    def closed(self) -> CorpusText:
        if not self.tokens and self.has_plain_text:
            raise BadTextError("the text is not divided into tokens (<w>, <pc>)")
        n = len(self.tokens)
        starts = sorted({0, *self.starts} - {n}) if n else []
        spaces = self.spaces if self.has_joins else None
        return CorpusText(columns_of(self.attributes, self.report), self.tokens, starts, spaces)


def _line(element: etree._Element) -> int:
    number: Any = element.sourceline
    return number or 0


def _release(element: etree._Element) -> None:
    """Give back the memory of an element that has been read, and of those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
