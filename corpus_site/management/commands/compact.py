"""`manage.py compact`: write the database anew, so that nothing is left of deleted rows."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus_site.copies.compacting import compact
from corpus_site.management.database import usable_database
from search import forgetting


class Command(BaseCommand):
    help = "Leave nothing of what was erased in free pages, logs and the index's lexicon."
    requires_system_checks = ("settings",)

    def handle(self, *_args: object, **_options: Any) -> None:
        with usable_database():
            n_faded = forgetting.fade()
            is_done = compact()
        if n_faded is None:
            self.stdout.write("index: run this on the machine that writes it")
        else:
            self.stdout.write(f"index: {n_faded} words and values of erased texts")
        if not is_done:
            raise CommandError("The database is being read all the while: try again later.")
        self.stdout.write("database: written anew")
