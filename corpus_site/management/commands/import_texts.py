"""`manage.py import_texts PATH… --collection NAME`: texts of somebody's own, into a collection."""

import time
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone

from corpus_site.management.database import demand_tables
from corpus_site.management.file_imports import summary, summed, work_until_ended
from extraction.text.language import NAMES
from feeds.sources.collections import collection_of
from feeds.sources.publications import PublicationProblem
from search.collecting.importing import COUNTED, TextWish, offer
from search.engine.given.files import SUFFIXES, TAKEN_SUFFIXES
from search.engine.given.lines import ENCODINGS
from search.engine.given.texts import FileProblem
from search.models import TextImport


class Command(BaseCommand):
    help = (
        "Take texts into a collection: plain text, CSV or TSV with a column of texts, JSONL, "
        "vertical, CoNLL-U, TEI, or a zip of these. “work --until-idle” or running workers index "
        "them. The same file changes nothing when it is imported again; an import that was broken "
        "off goes on."
    )
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder of files")
        parser.add_argument("--collection", required=True, metavar="NAME", help="made if it is new")
        parser.add_argument("--source", default="", help="where the texts are from, for readers")
        parser.add_argument(
            "--language", default="", choices=("", *NAMES), help="detected without it"
        )
        parser.add_argument("--encoding", default="", choices=("", *ENCODINGS), help="UTF-8")
        parser.add_argument(
            "--columns",
            default="",
            metavar="FIELD=COLUMN,…",
            help="such as text=Inhalt",
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *_args: object, **options: Any) -> None:
        demand_tables()
        began = time.monotonic()
        rows = self._offered(options)
        done = TextImport.objects.filter(pk__in=rows)
        work_until_ended("texts", done, lambda: self._tell(done))
        counts, seconds = summed(done, COUNTED), time.monotonic() - began
        self.stdout.write(summary(counts, seconds, as_json=options["json"]))
        for row in done.order_by("pk"):
            for file, line, words in row.problems:
                self.stderr.write(f"{file}:{line}: {words}" if line else f"{file}: {words}")
        if failed := done.quarantined().first():
            raise CommandError(f"{failed}: {failed.last_error}")

    def _offered(self, options: dict[str, Any]) -> list[int]:
        now = timezone.now()
        try:
            paths = [file for path in options["paths"] for file in _files_of(Path(path))]
            wish = TextWish(
                collection_of(options["collection"], now, options["source"]),
                options["language"],
                options["encoding"],
                options["columns"],
            )
            return [offer(path, wish, now).pk for path in paths]
        except (FileProblem, PublicationProblem, ValueError) as error:
            raise CommandError(str(error)) from error

    def _tell(self, rows: QuerySet[TextImport]) -> None:
        counts = summed(rows.all(), COUNTED)
        self.stderr.write(f"{counts['texts']} texts, {counts['new']} of them new")


def _files_of(path: Path) -> Iterable[Path]:
    """Give a path, or of a folder all files below it whose names say what they are, by name."""
    if not path.is_dir():
        return [path]
    found = sorted(item for item in path.rglob("*") if item.name.lower().endswith(TAKEN_SUFFIXES))
    if not found:
        raise FileProblem(f"{path} holds no file with an ending such as {' '.join(SUFFIXES)}.")
    return found
