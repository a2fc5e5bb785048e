"""``build``: a corpus file becomes an index.

Input → output: a file, its format and a folder → an index in the folder, texts in file order. If
anything is wrong with the file, what was there before stays as it was.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from search.engine.exchange.errors import CorpusFileError
from search.engine.exchange.formats import Format, read_texts
from search.engine.exchange.source import Source, open_source
from search.engine.exchange.texts import CorpusText, ReadingReport, TextColumns
from search.engine.exchange.vertical_blocks import read_blocks
from search.engine.exchange.vertical_tokens import LineParser, VerticalOptions
from search.engine.index.building.bulk import BuildReport, BulkBuilder
from search.engine.index.documents import IndexDocument
from search.engine.index.errors import CorpusIndexError, TokenLineError, TooManyTagsError
from search.engine.index.joined_names import NAME_SIGN
from search.engine.index.lexicon.lexicon import TAG_LIMIT
from search.engine.index.manifest import MANIFEST_NAME, manifest_to_follow
from search.engine.workbench.errors import CommandError
from search.engine.workbench.names import delete_other_names, has_names, names_path, write_names

# Above all keys: number of a cluster whose original has not come yet.
FIRST_LATER_KEY = 1 << 40


class DocumentNumbering:
    """Gives keys to texts and keeps their names.

    ``original`` and ``parent`` name texts that came earlier in the file. Copies of a text that
    comes later, or never, still form one cluster; the report says so.
    """

    def __init__(self, report: ReadingReport) -> None:
        self.names: list[str] = []
        self.report = report
        self._keys: dict[str, int] = {}
        self._later: dict[str, int] = {}
        self._stories: dict[str, int] = {}

    def columns(self, columns: TextColumns) -> IndexDocument:
        """Return the document of the next text without its tokens."""
        key = len(self.names) + 1
        name = columns.name or str(key)
        self.names.append(name)
        if self._keys.setdefault(name, key) != key:
            self.report.remarks.add("Some texts have the id of an earlier one.")
        if name in self._later:
            self.report.remarks.add("Some texts come before the one they are a copy of.")
        return IndexDocument(
            key=key,
            kind=columns.kind,
            tokens=(),
            publication=columns.publication,
            section=columns.section,
            author=NAME_SIGN.join(filter(None, (columns.author, columns.agency))),
            language=columns.language,
            published_seconds=columns.published_seconds or 0,
            ingested_seconds=columns.ingested_seconds or 0,
            day=columns.day,
            duplicate_cluster=self._cluster(columns.original, name),
            story_cluster=self._story(columns.story),
            parent_key=self._keys.get(columns.parent, 0),
            is_changed=columns.is_changed,
            rights=columns.rights,
            is_undated=columns.day is None,
        )

    def document(self, text: CorpusText) -> IndexDocument:
        """Return the document of the next text."""
        empty = self.columns(text.columns)
        return replace(
            empty,
            tokens=text.tokens,
            sentence_starts=text.sentence_starts,
            space_before=text.space_before,
        )

    def _cluster(self, original: str, own: str) -> int:
        if not original or original == own:
            return 0
        known = self._keys.get(original)
        if known is not None:
            return known
        return self._later.setdefault(original, FIRST_LATER_KEY + len(self._later))

    def _story(self, name: str) -> int:
        return self._stories.setdefault(name, len(self._stories) + 1) if name else 0


Progress = Callable[[int, int], None]


def without_progress(n_texts: int, n_tokens: int) -> None:
    """Show nothing."""


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What to build from what; ``progress`` is told texts and tokens so far."""

    path: str
    folder: Path
    format: Format = Format.VERTICAL
    vertical: VerticalOptions = field(default_factory=VerticalOptions)
    progress: Progress = without_progress


@dataclass(frozen=True, slots=True)
class Built:
    """The new index, and what of the file it does not hold."""

    report: BuildReport
    remarks: list[str]


def build(request: BuildRequest) -> Built:
    """Build an index from a corpus file.

    Raises
    ------
    CorpusFileError
        With line and reason.
    CommandError
        If the file cannot be opened, or an index not be written to the folder.
    """
    try:
        with open_source(request.path) as source:
            return _build(request, source)
    except (OSError, CorpusIndexError) as error:
        raise CommandError(str(error)) from error


def _build(request: BuildRequest, source: Source) -> Built:
    _check_folder(request.folder)
    remarks = ReadingReport()
    numbering = DocumentNumbering(remarks)
    parse = LineParser(request.vertical, remarks)
    by_lines = request.format is Format.VERTICAL and not request.vertical.has_glue
    with _new_index(request.folder), BulkBuilder(request.folder, parse=parse) as builder:
        try:
            (_add_lines if by_lines else _add_texts)(request, source, builder, numbering)
            if not numbering.names:
                raise CorpusFileError(source.name, 1, "the file holds no text")
            report = _publish(request.folder, builder, numbering)
        except TooManyTagsError as error:
            columns = ", ".join(request.vertical.columns)
            reason = f"in this text there are more than {TAG_LIMIT} tags (columns: {columns})"
            raise CorpusFileError(source.name, error.line, reason) from error
        except TokenLineError as error:
            raise CorpusFileError(source.name, error.line, error.reason) from error
    return Built(report, remarks.sentences())


def _check_folder(folder: Path) -> None:
    """Refuse a folder with an index that came about otherwise: that of a site, for example."""
    if (folder / MANIFEST_NAME).exists() and not has_names(folder):
        raise CommandError(f"{folder} holds an index that this program has not built.")


@contextmanager
def _new_index(folder: Path) -> Iterator[None]:
    """Take the folder away again if it was made for an index that does not come about."""
    with ExitStack() as undo:
        if not folder.exists():
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
        yield
        undo.pop_all()


def _add_lines(
    request: BuildRequest, source: Source, builder: BulkBuilder, numbering: DocumentNumbering
) -> None:
    """Hand vertical texts over as they stand; the builder looks at each distinct line once."""
    n_lines = 0
    try:
        for block in read_blocks(source, request.vertical, numbering.report):
            document = numbering.columns(block.columns)
            builder.add_lines(document, block.data, block.first_line)
            n_lines += block.n_lines
            request.progress(len(numbering.names), n_lines)
    except CorpusFileError:
        builder.read_pending()  # what is wrong in an earlier line is said first
        raise


def _add_texts(
    request: BuildRequest, source: Source, builder: BulkBuilder, numbering: DocumentNumbering
) -> None:
    n_tokens = 0
    for text in read_texts(request.format, source, request.vertical, numbering.report):
        builder.add(numbering.document(text))
        n_tokens += len(text.tokens)
        request.progress(len(numbering.names), n_tokens)


def _publish(folder: Path, builder: BulkBuilder, numbering: DocumentNumbering) -> BuildReport:
    """Make the index visible; the names are there before it is."""
    expected = manifest_to_follow(folder).generation + 1
    names = names_path(folder, expected)
    with ExitStack() as undo:
        undo.callback(_delete_names_without, folder, expected)
        write_names(names, numbering.names)
        report = builder.publish()
        undo.pop_all()
    if report.generation != expected:
        names.rename(names_path(folder, report.generation))
    delete_other_names(folder, report.generation)
    return report


def _delete_names_without(folder: Path, expected: int) -> None:
    """Delete the names written for a generation that did not come about."""
    if manifest_to_follow(folder).generation < expected:
        names_path(folder, expected).unlink(missing_ok=True)
