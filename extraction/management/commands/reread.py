"""Read stored article pages again with today's extractor, rules and site templates."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError
from django.utils import timezone

from extraction.extract import read_again
from feeds.models import Publication


class Command(BaseCommand):
    help = "Make stored article pages due to be read again; nothing is fetched."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "slugs", nargs="*", metavar="PUBLICATION", help="all where none is named"
        )

    def handle(self, *_args: object, slugs: list[str], **_options: Any) -> None:
        try:
            n_due = self._read_again(slugs)
        except (OperationalError, ProgrammingError) as error:
            sentence = (
                f"The database cannot be used ({error}); “manage.py migrate” makes its tables."
            )
            raise CommandError(sentence) from error
        self.stdout.write(f"{n_due} stored pages will be read again.")

    def _read_again(self, slugs: list[str]) -> int:
        ids = dict(Publication.objects.filter(slug__in=slugs).values_list("slug", "pk"))
        unknown = [slug for slug in slugs if slug not in ids]
        if unknown:
            raise CommandError(f"No publication is called {', '.join(unknown)}.")
        return read_again(ids.values() if slugs else None, timezone.now())
