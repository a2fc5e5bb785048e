"""`manage.py alarms`: what needs a person, the costliest first; for people and for scripts.

Exit codes: 0, whatever is open; 1 when the database cannot be used.
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from corpus_site.alarms.keeping import open_alarms
from corpus_site.management.database import usable_database


class Command(BaseCommand):
    help = "Print the open alarms, the costliest first."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with usable_database():
            found = open_alarms(timezone.now())
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False, indent=2))
        else:
            self.stdout.write(_as_table(found))


def _as_table(found: list[dict[str, Any]]) -> str:
    if not found:
        return "Nothing needs you."
    head = f"{'articles a day':>14}  {'since':16}  {'kind':10}  what"
    rows = [
        f"{row['articles_a_day']:14.1f}  {row['since'][:16].replace('T', ' '):16}  "
        f"{row['kind']:10}  {row['sentence']}"
        for row in found
    ]
    return "\n".join([head, *rows])
