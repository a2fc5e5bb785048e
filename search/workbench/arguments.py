"""The arguments of ``python -m search``: which command, which files, which choices."""

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path

FORMATS = ("vertical", "jsonl", "conllu", "tei")


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
