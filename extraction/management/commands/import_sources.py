"""`manage.py import_sources FILE|- [--dry-run]`: sources from a bundle in JSON, or an OPML list.

The file is read whole or not at all: what is wrong with it is said line by line, with its place,
and nothing is written. With --dry-run the differences are printed and nothing is written either.
New publications get the state that the file gives them, a draft where it gives none. Repeating an
import changes nothing.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from extraction.source_files.comparing import Comparison, Verdict, compare
from extraction.source_files.definitions import SourceFile
from extraction.source_files.importing import ImportTerms, import_slices
from extraction.source_files.reading_files import MAX_FILE_BYTES, read_source_file

_SIGNS = {Verdict.NEW: "+", Verdict.CHANGED: "~", Verdict.SAME: "="}


class Command(BaseCommand):
    help = "Import publications with their feeds, rules and settings from JSON or OPML."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE|-", help="- is the standard input")
        parser.add_argument("--dry-run", action="store_true", help="say what would change")
        parser.add_argument("--only-new", action="store_true", help="leave known ones as they are")
        parser.add_argument(
            "--activate", action="store_true", help="start new ones that the file gives no state of"
        )

    def handle(
        self, *, file: str, dry_run: bool, only_new: bool, activate: bool, **options: Any
    ) -> None:
        found = read_source_file(_body(file))
        for remark in found.remarks:
            self.stdout.write(str(remark))
        if found.problems:
            for problem in found.problems:
                self.stderr.write(str(problem))
            raise CommandError("Nothing was imported.", returncode=1)
        if dry_run:
            self.stdout.writelines(_lines(compare(found.sources), only_new=only_new))
            self.stdout.write("Nothing was written.")
            return
        self._import(found, ImportTerms(timezone.now(), None, only_new, activate))

    def _import(self, found: SourceFile, terms: ImportTerms) -> None:
        total: Counter[str] = Counter()
        n_all, n_done = len(found.sources), 0
        for counts in import_slices(found.sources, terms):
            total += counts
            n_done = sum(total[verdict.value] for verdict in Verdict)
            self.stderr.write(f"{n_done} of {n_all} publications")
        changed = "left as they are" if terms.only_new else "changed"
        self.stdout.write(
            f"{total[Verdict.NEW]} new, {total[Verdict.CHANGED]} {changed}, "
            f"{total[Verdict.SAME]} the same; {total['feeds']} new feeds."
        )


def _body(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from error


def _lines(comparisons: Iterable[Comparison], *, only_new: bool) -> Iterator[str]:
    for item in comparisons:
        verdict = item.verdict
        note = ", left as it is" if only_new and verdict is Verdict.CHANGED else ""
        yield f"{_SIGNS[verdict]} {item.source.name} ({item.source.home_url}): {verdict}{note}\n"
        yield from (f"    {difference}\n" for difference in item.differences)
        yield from (f"    ! {remark}\n" for remark in item.remarks)
