"""`manage.py move_database postgres://…`: a corpus that has outgrown SQLite goes to PostgreSQL."""

import subprocess
from pathlib import Path
from typing import Any

import environ
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection, connections, transaction

from corpus_site.copies.database_copies import CopyError
from corpus_site.copies.moving import move
from corpus_site.management.database import demand_tables
from corpus_site.running.supervisor import AlreadyRunningError, single_instance
from feeds.work.own_programs import own_command, own_environment

TARGET = "move_target"


class Command(BaseCommand):
    help = "Copy all rows from SQLite to an empty PostgreSQL database; archive and index stay."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="postgres://user:password@host/name of an empty database")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("DATABASE_URL is set: the present database is no SQLite file.")
        demand_tables()
        try:
            with single_instance(settings.DATA_DIR):
                n_rows = self._move(options["url"])
        except AlreadyRunningError as error:
            raise CommandError(
                f"Stop Broadsheet first (process {error}): what it writes meanwhile would be lost."
            ) from None
        except (CopyError, OperationalError) as error:
            raise CommandError(f"Nothing was moved: {error}") from error
        self.stdout.write(
            f"{n_rows} rows moved. Set DATABASE_URL from now on; archive and index stay where they "
            f"are, and {settings.DATABASES['default']['NAME']} is no longer used."
        )

    def _move(self, url: str) -> int:
        open_target(url)
        target = connections[TARGET]
        try:
            if target.introspection.table_names():
                raise CommandError("The PostgreSQL database is not empty.")
            _make_tables(url)
            with transaction.atomic(using=TARGET):
                moved = move(Path(settings.DATABASES["default"]["NAME"]), target, self.stdout.write)
            with target.cursor() as cursor:
                cursor.execute("ANALYZE")
            return sum(moved.values())
        finally:
            target.close()


def _make_tables(url: str) -> None:
    """Migrate in a program of its own: migrations that fill columns work on its one database."""
    command = own_command("migrate", "--verbosity=0")
    environment = own_environment() | {"DATABASE_URL": url}
    if subprocess.run(command, env=environment, check=False).returncode:  # noqa: S603 (our own command)
        raise CommandError("The tables could not be made; what migrate said stands above.")


def open_target(url: str) -> None:
    """Make the target known to Django under a name of its own, beside the SQLite file."""
    described = environ.Env.db_url_config(url)
    if "postgresql" not in described.get("ENGINE", ""):
        raise CommandError("The address must begin with postgres://.")
    connections.settings[TARGET] = connections.configure_settings(
        {"default": settings.DATABASES["default"], TARGET: described}
    )[TARGET]
