"""`manage.py backup FOLDER`: a consistent copy of everything, while everything goes on."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from corpus_site.copies.backup import BackupError, make_backup
from corpus_site.copies.database_copies import CopyError
from corpus_site.copies.file_copies import IndexInMotionError
from corpus_site.management.database import demand_tables, usable_database


class Command(BaseCommand):
    help = "Copy database, archive and index into a dated folder; what is unchanged is linked."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="where the dated folders lie")

    def handle(self, *args: Any, **options: Any) -> None:
        demand_tables()
        try:
            with usable_database():
                made = make_backup(options["folder"], timezone.now(), self.stdout.write)
        except (BackupError, CopyError, IndexInMotionError, OSError) as error:
            raise CommandError(f"No backup was made: {error}") from error
        self.stdout.write(f"saved in {made}")
