"""`manage.py comments --month 2026-10`: look now at threads that have not closed yet."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from extraction.comment_months import MonthOfThreads, look_now
from feeds.sources.publications import find_publication_by_slug


class Command(BaseCommand):
    help = "Make the comment threads of one month's articles due, a backlog month by month."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--month", required=True, help="such as 2026-10")
        parser.add_argument("--publication", default="", help="slug; all where none is given")

    def handle(self, *, month: str, publication: str = "", **options: Any) -> None:
        del options
        try:
            first = datetime.strptime(month, "%Y-%m").date()  # noqa: DTZ007 (a month has no zone)
        except ValueError as error:
            raise CommandError(f"“{month}” is no month such as 2026-10.") from error
        chosen = find_publication_by_slug(publication)
        if publication and chosen is None:
            raise CommandError(f"No publication is called “{publication}” in addresses.")
        wanted = MonthOfThreads(first, chosen.pk if chosen else None)
        n = look_now(wanted, timezone.now())
        self.stdout.write(f"{n} threads of {month} are due now.")
