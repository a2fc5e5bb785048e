"""`manage.py migrate`: Django's own, which refuses a database that a newer version has changed."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import Error, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
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
        _sort_on_disk(connections[options["database"]])
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


def _sort_on_disk(connection: BaseDatabaseWrapper) -> None:
    """Let SQLite sort what new indexes are made of on the disk, where pages sort in memory.

    A pool of a million addresses took 370 MB more, and takes more the larger it is.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA temp_store=FILE")
