"""The program: ``build``, ``info``, ``query``, ``export``.

Input → output: arguments → exit status, 0 for done, 2 if the input or the command is at fault.
Each command loads what it needs when it runs, so that a first question is answered soon.
"""

# ruff: noqa: PLC0415 (see above)
import datetime as dt
import gc
import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search.engine.exchange.errors import CorpusFileError
from search.engine.index.errors import CorpusIndexError
from search.engine.workbench.errors import CommandError

if TYPE_CHECKING:
    from search.engine.exchange.vertical_tokens import VerticalOptions
    from search.engine.workbench.information import Information

# Exit statuses: 2 is what argparse gives for wrong arguments.
DONE = 0
AT_FAULT = 2
INTERRUPTED = 130  # as shells say it: 128 and the number of the signal
FORMATS = ("vertical", "jsonl", "conllu", "tei")
# A line that is written over may change as fast as people read, a log should not fill up with them.
TERMINAL_SECONDS = 0.2
FILE_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command."""
    options = make_parser().parse_args(arguments)
    commands = {"build": _build, "info": _info, "query": _query, "export": _export}
    try:
        commands[options.command](options)
    except (CommandError, CorpusFileError, CorpusIndexError) as error:
        sys.stderr.write(f"{error}\n")
        return AT_FAULT
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def _build(options: Namespace) -> None:
    from search.engine.exchange.formats import Format, format_of
    from search.engine.workbench.building import BuildRequest, build

    kind = Format(options.format or format_of(options.corpus))
    noun = "lines" if kind is Format.VERTICAL else "tokens"
    progress = ProgressLine(noun, is_quiet=options.quiet)
    try:
        built = build(
            BuildRequest(options.corpus, options.folder, kind, _vertical(options), progress)
        )
    finally:
        progress.end()
    for remark in built.remarks:
        sys.stderr.write(f"{remark}\n")
    report = built.report
    _say(
        f"{report.n_tokens:,} tokens, {report.n_documents:,} texts, {report.n_types:,} types, "
        f"{report.n_segments} segments, {report.n_bytes:,} bytes, generation {report.generation}"
    )


def _vertical(options: Namespace) -> "VerticalOptions":
    from search.engine.exchange.vertical_tokens import VerticalOptions

    try:
        return VerticalOptions(
            columns=tuple(options.columns.split(",")),
            text_tag=options.text_tag,
            has_entities=not options.no_entities,
            has_glue=options.glue,
        )
    except ValueError as error:
        raise CommandError(f"--columns: {error}") from error


def _info(options: Namespace) -> None:
    from search.engine.workbench.corpus import Corpus
    from search.engine.workbench.information import information

    found = information(options.folder, Corpus(options.folder).snapshot)
    if options.json:
        figures = asdict(found, dict_factory=_named_plainly)
        _say(json.dumps(figures, ensure_ascii=False, default=str))
    else:
        _say("\n".join(_information_lines(found)))


def _named_plainly(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Name counts as answers do: ``tokens`` for ``n_tokens``."""
    return {name.removeprefix("n_"): value for name, value in pairs}


def _information_lines(found: "Information") -> Iterable[str]:
    yield f"tokens        {found.n_tokens:>15,}"
    yield f"texts         {found.n_texts:>15,}"
    yield f"types         {found.n_types:>15,}"
    yield f"segments      {found.n_segments:>15,}"
    yield f"bytes a token {found.bytes_per_token:>15.2f}"
    yield f"generations   {f'{found.first_generation} to {found.generation}':>15}"
    days = f"{found.first_day} to {found.last_day}" if found.first_day else "no dates"
    yield f"days          {days:>15}"
    for kind, n in found.texts_by_kind.items():
        yield f"{f'{kind}s':<13} {n:>15,} texts {found.tokens_by_kind[kind]:>15,} tokens"
    for size in found.publications:
        yield f"{size.n_tokens:>15,} tokens {size.n_texts:>9,} texts  {size.publication}"
    for damage in found.damaged:
        yield f"cannot be read: {damage}"


def _query(options: Namespace) -> None:
    gc.disable()  # nothing that is loaded is garbage: a first answer comes a tenth sooner
    from search.engine.workbench.conversation import converse
    from search.engine.workbench.corpus import Corpus

    gc.enable()
    converse(Corpus(options.folder), sys.stdin.buffer, sys.stdout.buffer)


def _export(options: Namespace) -> None:
    from search.engine.exchange.formats import Format, format_of
    from search.engine.query.filters import DocumentFilter
    from search.engine.workbench.corpus import Corpus
    from search.engine.workbench.exporting import exported
    from search.engine.workbench.output import write_file

    wanted = DocumentFilter(
        publications=tuple(options.publication),
        first_day=options.first_day,
        last_day=options.last_day,
        generation=options.generation,
    )
    kind = Format(options.format or format_of(options.file))
    write_file(options.file, exported(Corpus(options.folder), kind, wanted, _vertical(options)))


def _say(text: str) -> None:
    sys.stdout.buffer.write(f"{text}\n".encode(errors="replace"))
    sys.stdout.buffer.flush()


def make_parser() -> ArgumentParser:
    """Describe the commands."""
    parser = ArgumentParser(prog="python -m search", description="Build, query and export corpora.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="make an index of a corpus file")
    build.add_argument("corpus", help="the file; - for standard input; may be .gz, .xz or .bz2")
    build.add_argument("folder", type=Path, help="where the index is made, or replaced")
    build.add_argument("--quiet", action="store_true", help="no progress on standard error")
    _add_format(build, "the format of the file (default: by its name, else vertical)")
    info = commands.add_parser("info", help="say what an index holds")
    info.add_argument("folder", type=Path)
    info.add_argument("--json", action="store_true", help="as one JSON object")
    query = commands.add_parser("query", help="answer JSON objects on standard input, one a line")
    query.add_argument("folder", type=Path)
    export = commands.add_parser("export", help="write the texts of an index as a corpus file")
    export.add_argument("folder", type=Path)
    export.add_argument("file", nargs="?", default="-", help="default: standard output")
    _add_format(export, "the format to write (default: by the file's name, else vertical)")
    _add_filter(export)
    return parser


def _add_format(parser: ArgumentParser, about: str) -> None:
    parser.add_argument("--format", choices=FORMATS, help=about)
    group = parser.add_argument_group("vertical files")
    group.add_argument(
        "--columns", default="word,lemma,pos", help="of a token line; - for one to pass over"
    )
    group.add_argument("--text-tag", default="text", help="tag of a text (default text)")
    group.add_argument("--no-entities", action="store_true", help="&lt; is four characters")
    group.add_argument("--glue", action="store_true", help="white space is marked with <g/>")


def _add_filter(parser: ArgumentParser) -> None:
    parser.add_argument("--publication", action="append", default=[])
    parser.add_argument("--from", dest="first_day", type=dt.date.fromisoformat)
    parser.add_argument("--to", dest="last_day", type=dt.date.fromisoformat)
    parser.add_argument("--generation", type=int, help="as it was then")


@dataclass(slots=True)
class ProgressLine:
    """Counts on standard error: a running line on terminals, else a line now and then."""

    noun: str
    is_quiet: bool = False
    started: float = field(default_factory=time.monotonic)
    shown: float = field(default_factory=time.monotonic)
    has_line: bool = False

    def __call__(self, n_texts: int, n_lines: int) -> None:
        """Show the counts if the last ones have stood for a while."""
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if self.is_quiet or now - self.shown < (TERMINAL_SECONDS if is_terminal else FILE_SECONDS):
            return
        self.shown = now
        said = f"{n_texts:,} texts, {n_lines:,} {self.noun}, {now - self.started:.0f} s"
        sys.stderr.write(f"\r{said}" if is_terminal else f"{said}\n")
        sys.stderr.flush()
        self.has_line = is_terminal

    def end(self) -> None:
        """Leave the running line."""
        if self.has_line:
            sys.stderr.write("\n")
            self.has_line = False
