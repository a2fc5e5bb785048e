"""`manage.py comments --month 2026-10`: look now at threads that are not kept yet."""

from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from feeds.comments import look_now
from feeds.sources.publications import find_publication_by_slug

_LONGER_THAN_A_MONTH = timedelta(days=32)  # from its first day, into the next one


class Command(BaseCommand):
    help = "Make the comment threads of one month's articles due, a backlog month by month."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--month", required=True, help="such as 2026-10")
        parser.add_argument("--publication", default="", help="slug; all where none is given")

    def handle(self, *, month: str, publication: str = "", **options: Any) -> None:
        del options
        try:
            first = datetime.strptime(month, "%Y-%m").replace(
                tzinfo=timezone.get_current_timezone()
            )
        except ValueError as error:
            raise CommandError(f"“{month}” is no month such as 2026-10.") from error
        if publication and find_publication_by_slug(publication) is None:
            raise CommandError(f"No publication is called “{publication}” in addresses.")
        after = (first + _LONGER_THAN_A_MONTH).replace(day=1)
        n = look_now(first, after, publication, timezone.now())
        self.stdout.write(f"{n} threads of {month} are due now.")
