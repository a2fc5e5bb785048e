"""`manage.py report`: what the crawl did in the last half hours; for a mail from cron."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from corpus_site.crawl_report import CrawlWork, crawl_report
from corpus_site.management.database import usable_database
from presentation.wording.figures import size
from presentation.wording.times import span, stamp

_HEAD = f"{'':32}{'feeds':>8}{'pages':>8}{'new':>8}{'failed':>8}{'bytes':>10}{'time':>12}"
LONGEST_MINUTES = 44_640  # a month


class Command(BaseCommand):
    help = "Print what was asked for, what was new and how long each publication took."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--minutes", type=int, default=30, help="how far to look back")

    def handle(self, *, minutes: int, **options: Any) -> None:
        del options
        if not 1 <= minutes <= LONGEST_MINUTES:
            raise CommandError(f"--minutes is a number from 1 to {LONGEST_MINUTES}.")
        now = timezone.localtime()
        with usable_database():
            report = crawl_report(now - timedelta(minutes=minutes), now)
        self.stdout.write(f"Since {stamp(timezone.localtime(report.since))}")
        self.stdout.write(_HEAD)
        for publication, work in report.by_publication:
            self.stdout.write(_line(publication.name, work))
        self.stdout.write(_line("in all", report.total))


def _line(name: str, work: CrawlWork) -> str:
    counts = (work.n_feeds, work.n_pages, work.n_new, work.n_refused)
    figures = "".join(f"{n:>8}" for n in counts)
    return f"{name[:31]:32}{figures}{size(work.n_bytes):>10}{span(work.seconds):>12}"
