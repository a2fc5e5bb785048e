"""`manage.py upload_archive`: closed WARC files go to the object store of ARCHIVE_URL."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from corpus_site.management.database import demand_tables
from corpus_site.running.uploader import is_wanted, run_uploader
from feeds.archive.uploading import upload_closed
from presentation.wording.figures import counted, size


class Command(BaseCommand):
    help = "Take closed files of this machine's archive to the object store, until told to stop."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once", action="store_true", help="end after one look; 1 if one waits"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        demand_tables()
        if not is_wanted():
            raise CommandError("ARCHIVE_URL names no object store: there is nowhere to upload to.")
        if not options["once"]:
            run_uploader()
            return
        report = upload_closed(timezone.now())
        self.stdout.write(
            f"{counted(report.n_uploaded, 'file')} ({size(report.n_bytes)}) stored, "
            f"{report.n_removed} removed from the disk, {report.n_waiting} waiting."
        )
        if report.problem:
            raise CommandError(report.problem)
