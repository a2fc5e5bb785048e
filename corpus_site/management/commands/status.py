"""`manage.py status`: what every stage has to do, has done, and could not do."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from corpus_site.management.database import usable_database
from corpus_site.stage_counts import stage_counts


class Command(BaseCommand):
    help = "Print every stage's due, done and quarantined rows."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with usable_database():
            counts = stage_counts(timezone.now())
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        count.name: {
                            "due": count.due,
                            "running": count.running,
                            "planned": count.planned,
                            "done": count.done,
                            "quarantined": count.quarantined,
                        }
                        for count in counts
                    }
                )
            )
            return
        self.stdout.write(f"{'stage':10}{'due':>8}{'planned':>10}{'done':>10}{'quarantined':>13}")
        for count in counts:
            self.stdout.write(
                f"{count.name:10}{count.due:8}{count.planned:10}{count.done:10}{count.quarantined:13}"
            )
