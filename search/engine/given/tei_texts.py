"""TEI P5: a text for each `<TEI>`, its paragraphs, headings and lines of verse, as a stream.

Entities are not expanded, document types not loaded and nothing is fetched. Notes and page headers
are left out. Words in `<w>` and `<pc>` are put together; lemmas and tags are not kept.
"""

from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree

from search.engine.exchange.errors import BadTextError
from search.engine.exchange.tei_header import read_header
from search.engine.exchange.tei_text import WHITE_SPACE
from search.engine.given.columns import text_of
from search.engine.given.texts import (
    MAX_TEXT_BYTES,
    FileProblem,
    GivenText,
    Problem,
    Understood,
)
from search.engine.given.tokens import RunningText

_TEXT_TAGS = ("TEI", "TEI.2")
_BLOCKS = {"p", "head", "ab", "l", "item", "cell", "speaker", "stage", "opener", "closer",
           "trailer", "byline", "dateline", "salute", "signed", "label", "s", "u"}  # fmt: skip
_LEFT_OUT = {"note", "fw", "figDesc", "teiHeader", "index", "del", "sic", "orig"}
_TOKENS = ("w", "pc")
# Elements that are held, some 300 bytes each, and those between two texts, which take time.
MAX_ELEMENTS_OF_BLOCK = 1_000_000
MAX_ELEMENTS_OF_TEXT = 4_000_000
# The header's columns → ours; the others of `tei_header` are not of a text that is given.
_COLUMNS = {"id": "name", "title": "title", "author": "authors", "section": "section",
            "language": "language", "date": "date", "published": "date"}  # fmt: skip


def read_tei_texts(stream: BinaryIO, told: Understood) -> Iterator[GivenText | Problem]:
    """Read a file text by text.

    Raises
    ------
    FileProblem
        Where it is no XML; texts before that place have been given.
    """
    reading = _Reading(told)
    try:
        events = etree.iterparse(
            stream, ("start", "end"), resolve_entities=False, no_network=True, huge_tree=False,
            remove_comments=True, remove_pis=True,
        )  # fmt: skip
        for event, element in events:
            if not isinstance(element.tag, str):
                continue
            name = element.tag.rpartition("}")[2]
            if event == "start":
                reading.start(element, name)
            else:
                yield from reading.end(element, name)
    except etree.XMLSyntaxError as error:
        words = f"not well-formed XML: {error.msg}. What follows is left out"
        raise FileProblem(words, error.lineno or reading.line) from error
    except BadTextError as error:
        raise FileProblem(f"{error}. What follows is left out", reading.line) from error


class _Reading:
    """The state between elements; `inside` is the block or header that is read as a whole."""

    def __init__(self, told: Understood) -> None:
        self.line = 1
        self._told = told
        self._text: _OpenText | None = None
        self._inside: etree._Element | None = None
        self._n_inside = self._n_of_text = 0

    def start(self, element: etree._Element, name: str) -> None:
        line: int | None = element.sourceline  # type: ignore[assignment]  # the stubs know no number
        self.line = line or self.line
        self._n_inside += 1
        self._n_of_text += 1
        if self._inside is not None and self._n_inside > MAX_ELEMENTS_OF_BLOCK:
            words = f"a block of more than {MAX_ELEMENTS_OF_BLOCK:,} elements"
            raise FileProblem(f"{words}. What follows is left out", self.line)
        if self._n_of_text > MAX_ELEMENTS_OF_TEXT:
            words = f"more than {MAX_ELEMENTS_OF_TEXT:,} elements without a text's end"
            raise FileProblem(f"{words}. What follows is left out", self.line)
        if name in _TEXT_TAGS:
            self._text = _OpenText(self.line)
        elif self._inside is None and (name in _BLOCKS or name == "teiHeader"):
            self._inside, self._n_inside = element, 0

    def end(self, element: etree._Element, name: str) -> Iterator[GivenText | Problem]:
        """Take what ends; gives the text that ends with it."""
        if self._inside is not None and self._inside is not element:
            return
        if self._text is not None and self._inside is element:
            self._text.take(element, name, self._told)
        self._inside = None
        _release(element)
        if name in _TEXT_TAGS and self._text is not None:
            yield from self._text.closed()
            self._text, self._n_of_text = None, 0


class _OpenText:
    def __init__(self, line: int) -> None:
        self._line = line
        self._values: dict[str, str] = {}
        self._paragraphs: list[str] = []
        self._n_characters = 0

    def take(self, element: etree._Element, name: str, told: Understood) -> None:
        """Take the header, or a block."""
        if name == "teiHeader":
            for column, value in read_header(element).items():
                if field := _COLUMNS.get(column):
                    self._values.setdefault(field, value)
                    told.columns[f"teiHeader: {column}"] = field
            return
        paragraph = _running(element)
        self._n_characters += len(paragraph) + 1
        if self._n_characters > MAX_TEXT_BYTES:
            raise FileProblem(f"a text of more than {MAX_TEXT_BYTES:,} characters", self._line)
        if paragraph:
            self._paragraphs.append(paragraph)

    def closed(self) -> Iterator[GivenText | Problem]:
        if self._paragraphs:
            yield text_of({**self._values, "text": "\n".join(self._paragraphs)}, self._line)
        else:
            yield Problem(self._line, "the <TEI> that begins here has no paragraphs")


def _running(block: etree._Element) -> str:
    """Give the words of a block."""
    if next(block.iter(etree.Entity), None) is not None:
        raise BadTextError("entities are not read; write the characters themselves")
    tokens = [one for one in block.iter("{*}w", "{*}pc") if not _is_left_out(one, block)]
    if not tokens:
        return WHITE_SPACE.sub(" ", "".join(_parts(block))).strip()
    text, is_joined = RunningText(), False
    for token in tokens:
        join = token.get("join", "")
        text.marks_space |= bool(join)
        word = WHITE_SPACE.sub(" ", "".join(_parts(token))).strip()
        text.add(word, is_glued=is_joined or join in ("left", "both"))
        is_joined = join in ("right", "both")
    return text.joined()


def _parts(element: etree._Element) -> Iterator[str]:
    """Give the strings of an element without what is left out; a break of lines is a space."""
    yield element.text or ""
    for child in element:
        name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if name in ("lb", "pb", "cb"):
            yield "" if child.get("break") == "no" else " "
        elif name and name not in _LEFT_OUT:
            yield from _parts(child)
            yield " " if name in _BLOCKS else ""
        yield child.tail or ""


def _is_left_out(element: etree._Element, block: etree._Element) -> bool:
    for above in element.iterancestors():
        if above is block:
            return False
        if isinstance(above.tag, str) and above.tag.rpartition("}")[2] in _LEFT_OUT:
            return True
    return False


def _release(element: etree._Element) -> None:
    """Give back the memory of an element that has been read, and of those before it."""
    tail = element.tail
    element.clear()
    element.tail = tail
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
