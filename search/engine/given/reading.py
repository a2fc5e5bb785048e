"""The texts of a file, whatever its format: path and member → texts and problems, as a stream."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from search.engine.given.conllu_texts import read_conllu_texts
from search.engine.given.files import GivenFile, TextFormat, format_of, opened
from search.engine.given.lines import DEFAULT_ENCODING, WatchedLines, numbered_lines
from search.engine.given.objects import read_objects
from search.engine.given.plain import read_plain
from search.engine.given.tables import read_table
from search.engine.given.tei_texts import read_tei_texts
from search.engine.given.texts import FileProblem, GivenText, Problem, Understood
from search.engine.given.verticals import read_verticals

_OF_LINES = {
    TextFormat.TABLE: read_table,
    TextFormat.JSONL: read_objects,
    TextFormat.VERTICAL: read_verticals,
    TextFormat.CONLLU: read_conllu_texts,
}


@dataclass(frozen=True, slots=True)
class ReadingTerms:
    """How files are read: which column is which field, where it is not known by its name."""

    encoding: str = DEFAULT_ENCODING
    columns: Mapping[str, str] = field(default_factory=dict)


def read_given(
    file: GivenFile, terms: ReadingTerms, told: Understood
) -> Iterator[GivenText | Problem]:
    """Read a file text by text; what cannot be read is a problem, and no exception."""
    n_found = 0
    try:
        kind = format_of(file.name)
        with opened(file) as stream:
            lines = WatchedLines(numbered_lines(stream, terms.encoding))
            if kind is TextFormat.TEI:
                found = read_tei_texts(stream, told)
            elif kind is TextFormat.PLAIN:
                found = read_plain(lines, file.name)
            else:
                found = _OF_LINES[kind](lines, terms.columns, told)
            for item in found:
                lines.begin_text()
                n_found += 1
                yield item
    except FileProblem as error:
        yield error.problem
    else:
        if not n_found:
            yield Problem(0, "the file holds no text")
