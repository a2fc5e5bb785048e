"""`manage.py restore FOLDER`: put a backup into an empty data folder and an empty database."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from corpus_site.copies.backup import BackupError
from corpus_site.copies.database_copies import CopyError
from corpus_site.copies.restore import catch_up, restore
from corpus_site.management.database import usable_database
from corpus_site.running.supervisor import AlreadyRunningError, single_instance


class Command(BaseCommand):
    help = "Put a backup back, count it, and bring its tables up to date."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="one of the dated folders of a backup")
        parser.add_argument(
            "--register",
            type=Path,
            metavar="FILE",
            help="/withdrawals/?format=json of a later day; else that of the newest backup beside",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with single_instance(settings.DATA_DIR), usable_database():
                restore(options["folder"], self.stdout.write)
        except AlreadyRunningError as error:
            raise CommandError(f"Stop Broadsheet first (process {error}).") from None
        except (BackupError, CopyError, OSError) as error:
            raise CommandError(f"Nothing can be searched yet: {error}") from error
        call_command("migrate", verbosity=0)
        try:
            catch_up(options["folder"], options["register"], self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("restored; “manage.py archive verify” reads every record of the archive")
