"""`manage.py archive verify`, `show FETCH_ID`, and of files by reference `outside` and `moved`."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from feeds.archive.fetches import read_of
from feeds.archive.outside import move_files
from feeds.archive.verifying import FileReport, verify
from feeds.crawler.archive.store_address import StoreAwayError
from feeds.crawler.archive.warc_reading import ArchivedExchange, ArchiveError
from feeds.crawler.documents.charset import decode
from feeds.crawler.timing.conditional import header
from feeds.models import Fetch, OutsideFile

_SHOWN_IDS = 10  # enough to look at; the count is said beside them


class Command(BaseCommand):
    help = "Check every record of the archive, or read one back."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("verify", help="walk all files; exit code 1 if something is lost")
        actions.add_parser("outside", help="list files that were imported by reference")
        moved = actions.add_parser("moved", help="look for such files in another place from now on")
        moved.add_argument("old", help="a file or folder as it was")
        moved.add_argument("new", help="the same as it is")
        show = actions.add_parser("show", help="print one archived answer")
        show.add_argument("fetch_id", type=int)
        show.add_argument("--headers", action="store_true", help="print the headers too")
        show.add_argument("--raw", action="store_true", help="the body's bytes, not decoded")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "verify":
            self._verify()
        elif options["action"] == "outside":
            for row in OutsideFile.objects.all():
                away = f", away since {row.away_since:%Y-%m-%d %H:%M}" if row.away_since else ""
                self.stdout.write(f"{row.path}: {row.n_bytes} bytes{away}")
        elif options["action"] == "moved":
            self._move(options["old"], options["new"])
        else:
            self._show(options)

    def _verify(self) -> None:
        reports = []
        try:
            for report in verify():
                reports.append(report)
                self.stdout.write(_line(report))
        except StoreAwayError as error:
            raise CommandError(str(error)) from error
        n_records = sum(report.n_records for report in reports)
        n_bytes = sum(report.n_bytes for report in reports)
        n_lost = sum(len(report.lost) for report in reports)
        self.stdout.write(
            f"{len(reports)} files, {n_records} records, {n_bytes} bytes, {n_lost} fetches lost."
        )
        if not all(report.is_sound for report in reports):
            raise CommandError("The archive is not sound.")

    def _move(self, old: str, new: str) -> None:
        n_moved = move_files(old, new, timezone.now())
        if not n_moved:
            raise CommandError(f"No file that was imported by reference lay in {old}.")
        self.stdout.write(f"{n_moved} files are looked for in {new} from now on.")

    def _show(self, options: dict[str, Any]) -> None:
        exchange = _read(options["fetch_id"])
        if options["headers"]:
            self.stdout.write(f"{exchange.status} {exchange.reason} {exchange.url}")
            for name, value in exchange.headers:
                self.stdout.write(f"{name}: {value}")
            self.stdout.write("")
        if options["raw"]:
            sys.stdout.buffer.write(exchange.body)
            return
        content_type = header(exchange.headers, "content-type") or ""
        self.stdout.write(decode(exchange.body, content_type).text)


def _read(fetch_id: int) -> ArchivedExchange:
    fetch = Fetch.objects.filter(pk=fetch_id).first()
    if fetch is None:
        raise CommandError(f"There is no fetch {fetch_id}.")
    if fetch.archive_offset is None:
        raise CommandError(f"Fetch {fetch_id} brought no answer ({fetch.outcome}).")
    try:
        return read_of(fetch)
    except ArchiveError as error:
        raise CommandError(str(error)) from error


def _line(report: FileReport) -> str:
    if report.is_missing:
        return f"{report.filename}: missing, {len(report.lost)} fetches lost"
    parts = [f"{report.n_records} records", f"{report.n_fetches} fetches"]
    parts += [f"{item.problem} at {item.offset}" for item in report.problems]
    if report.lost:
        ids = ", ".join(map(str, report.lost[:_SHOWN_IDS]))
        parts.append(f"{len(report.lost)} fetches lost ({ids} …)")
    return f"{report.filename}: {', '.join(parts)}"
