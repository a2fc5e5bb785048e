"""`manage.py import_warc PATH…`: pages out of WARC and WACZ files of other crawlers."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone

from corpus_site.management.database import demand_tables
from corpus_site.management.file_imports import summary, summed, work_until_ended
from feeds.crawler.addressing.links import BadPattern
from feeds.models import Publication, WarcImport
from feeds.warc_files.choosing import WarcChoice, hosts_of, languages_of
from feeds.warc_files.files import WarcFileError
from feeds.warc_files.importing import COUNTED
from feeds.warc_files.wishes import Wish, offer

_MEGABYTE = 1e6


class Command(BaseCommand):
    help = (
        "Take pages out of WARC and WACZ files; “work --until-idle” or running workers make their "
        "texts. An import that was broken off goes on when it is asked for again."
    )
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder of files")
        parser.add_argument(
            "--hosts", default="", metavar="GLOB", help="pages of these hosts alone: *.example.com"
        )
        parser.add_argument("--addresses", default="", metavar="REGEX", help="address has this")
        parser.add_argument("--languages", default="", metavar="CODES", help="declared: en,af")
        parser.add_argument("--from", dest="first", type=_day, metavar="DAY", help="captured since")
        parser.add_argument("--to", dest="last", type=_day, metavar="DAY", help="captured until")
        parser.add_argument(
            "--publication", default="", metavar="SLUG", help="takes all texts, whatever their host"
        )
        parser.add_argument(
            "--by-reference",
            action="store_true",
            help="copy no record: pages are read from these files for as long as they are here",
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *_args: object, **options: Any) -> None:
        demand_tables()
        began = time.monotonic()
        rows = self._offered(options)
        done = WarcImport.objects.filter(pk__in=rows)
        work_until_ended("warc", done, lambda: self._tell(done))
        counts, seconds = summed(done, COUNTED), time.monotonic() - began
        self.stdout.write(summary(counts, seconds, as_json=options["json"]))
        for row in done:
            for offset, words in row.problems:
                self.stderr.write(f"{row}, at {offset}: {words}")
        if failed := done.quarantined().first():
            raise CommandError(f"{failed}: {failed.last_error}")

    def _offered(self, options: dict[str, Any]) -> list[int]:
        try:
            choice = WarcChoice(
                hosts_of(options["hosts"]),
                options["addresses"],
                languages_of(options["languages"]),
                options["first"],
                options["last"],
            )
            publication = _publication(options["publication"])
            wish = Wish(choice, publication, by_reference=options["by_reference"])
            return [
                row.pk
                for path in options["paths"]
                for row in offer(Path(path), wish, timezone.now())
            ]
        except (BadPattern, WarcFileError) as error:
            raise CommandError(str(error)) from error

    def _tell(self, rows: QuerySet[WarcImport]) -> None:
        done = list(rows.all())
        n_read, n_all = sum(row.offset for row in done), sum(row.n_bytes for row in done)
        counts, seconds = summed(done, COUNTED), sum(row.worked_seconds for row in done)
        left = seconds * (n_all - n_read) / n_read if n_read else 0
        self.stderr.write(
            f"{n_read / _MEGABYTE:.0f} of {n_all / _MEGABYTE:.0f} MB, {counts['records']} records, "
            f"{counts['stored']} pages stored, some {left:.0f} s left"
        )


def _publication(slug: str) -> Publication | None:
    if not slug:
        return None
    found = Publication.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"No publication is called {slug}.")
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"“{text}” is no day; write 2013-05-06.") from error
