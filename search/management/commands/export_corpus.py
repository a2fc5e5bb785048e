"""`manage.py export_corpus FILE`: the texts of the index as a file that other tools read."""

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from search.answers.corpus_export import UnreadableIndexError, exported_corpus
from search.engine.exchange.formats import Format, format_of
from search.engine.exchange.source import STANDARD_INPUT
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter
from search.engine.workbench.errors import CommandError as FileError
from search.engine.workbench.output import write_file

KINDS = {kind.label: kind for kind in DocumentKind}


class Command(BaseCommand):
    help = "Write the texts that can be searched, with lemmas and tags, for other corpus tools."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="May end in .gz, .xz or .bz2; - for standard output")
        parser.add_argument(
            "--format",
            choices=[kind.value for kind in Format],
            help="Default: by the file's name, else vertical",
        )
        parser.add_argument("--glue", action="store_true", help="Mark white space with <g/>")
        parser.add_argument(
            "--publication", action="append", default=[], help="Publication's slug; may be repeated"
        )
        parser.add_argument("--kind", choices=KINDS, help="Default: articles and comments")
        parser.add_argument("--from", dest="first_day", type=dt.date.fromisoformat)
        parser.add_argument("--to", dest="last_day", type=dt.date.fromisoformat)
        parser.add_argument("--generation", type=int, help="The corpus as it was then")
        parser.add_argument(
            "--ascii",
            action="store_true",
            help="Words, lemmas and titles in the nearest ASCII letters, token by token",
        )
        parser.add_argument(
            "--versions",
            action="store_true",
            help="With earlier versions of the texts behind the newest ones; default: newest only",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["versions"] and options["generation"] is not None:
            raise CommandError("--versions takes no --generation: it is of the present corpus.")
        kind = Format(options["format"] or format_of(options["file"]))
        wanted = DocumentFilter(
            kinds=frozenset({KINDS[options["kind"]]} if options["kind"] else ()),
            publications=tuple(options["publication"]),
            first_day=options["first_day"],
            last_day=options["last_day"],
            generation=options["generation"],
        )
        try:
            vertical = VerticalOptions(has_glue=options["glue"])
            strings = exported_corpus(
                kind,
                wanted,
                vertical,
                has_versions=options["versions"],
                is_ascii=options["ascii"],
            )
            if options["file"] == STANDARD_INPUT:
                for string in strings:
                    self.stdout.write(string, ending="")
            else:
                write_file(options["file"], strings)
        except (UnreadableIndexError, FileError) as error:
            raise CommandError(str(error)) from error
