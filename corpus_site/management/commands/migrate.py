"""`manage.py migrate`: Django's own, which refuses a database that a newer version has changed."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import Error, OperationalError, connections
from django.db.migrations.loader import MigrationLoader

from corpus_site.management.database import refuse_newer
from corpus_site.running import disks


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        try:
            loader = MigrationLoader(connections[options["database"]])
        except Error as error:
            sentence = f"The database cannot be used: {str(error).strip()}"
            raise CommandError(sentence) from error
        refuse_newer(loader)
        missing = loader.graph.nodes.keys() - loader.applied_migrations.keys()
        if missing and loader.applied_migrations and not options["verbosity"]:
            self.stdout.write(f"Bringing the tables up to date ({len(missing)} changes) …")
            self.stdout.flush()
        try:
            return super().handle(*args, **options)
        except OperationalError as error:
            if not disks.is_machines_fault(error):
                raise
            raise CommandError(f"The tables cannot be made: {str(error).strip()}.") from error
