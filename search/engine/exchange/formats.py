"""The formats by name, and which one a file is in by its name.

Input → output: format and source → texts; format and texts → strings to be written one after the
other. Modules of a format are loaded when it is first used.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import PurePath

from search.engine.exchange.source import Source
from search.engine.exchange.texts import CorpusText, ReadingReport
from search.engine.exchange.vertical import read_vertical, write_vertical
from search.engine.exchange.vertical_tokens import VerticalOptions


class Format(StrEnum):
    """Formats of corpus files."""

    VERTICAL = "vertical"
    JSONL = "jsonl"
    CONLLU = "conllu"
    TEI = "tei"


SUFFIXES = {
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".conllu": Format.CONLLU,
    ".conll": Format.CONLLU,
    ".tei": Format.TEI,
    ".xml": Format.TEI,
}
PACKED = {".gz", ".xz", ".bz2"}


def format_of(path: str) -> Format:
    """Return the format a file's name speaks for; vertical if it says nothing.

    Examples
    --------
    >>> format_of("news.conllu.gz").value, format_of("-").value
    ('conllu', 'vertical')
    """
    suffixes = [s for s in PurePath(path).suffixes if s not in PACKED]
    return SUFFIXES.get(suffixes[-1], Format.VERTICAL) if suffixes else Format.VERTICAL


def read_texts(
    kind: Format, source: Source, vertical: VerticalOptions, report: ReadingReport
) -> Iterator[CorpusText]:
    """Read the texts of a file; the options are for vertical files.

    Raises
    ------
    CorpusFileError
    """
    # Parsers that one run does not need would make every run start later.
    match kind:
        case Format.VERTICAL:
            return read_vertical(source, vertical, report)
        case Format.JSONL:
            from search.engine.exchange.json_lines import read_json_lines  # noqa: PLC0415 (see above)

            return read_json_lines(source, report)
        case Format.CONLLU:
            from search.engine.exchange.conllu import read_conllu  # noqa: PLC0415 (see above)

            return read_conllu(source, report)
        case Format.TEI:
            from search.engine.exchange.tei_reader import read_tei  # noqa: PLC0415 (see above)

            return read_tei(source, report)


def write_texts(
    kind: Format, texts: Iterable[CorpusText], vertical: VerticalOptions
) -> Iterator[str]:
    """Write texts; the strings, one after the other, are the file."""
    match kind:
        case Format.VERTICAL:
            return write_vertical(texts, vertical)
        case Format.JSONL:
            from search.engine.exchange.json_lines import write_json_lines  # noqa: PLC0415 (see above)

            return write_json_lines(texts)
        case Format.CONLLU:
            from search.engine.exchange.conllu import write_conllu  # noqa: PLC0415 (see above)

            return write_conllu(texts)
        case Format.TEI:
            from search.engine.exchange.tei_writer import write_tei  # noqa: PLC0415 (see above)

            return write_tei(texts)
