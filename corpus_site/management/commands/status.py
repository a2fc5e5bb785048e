"""`manage.py status`: what every stage has to do, has done, and could not do.

Exit codes: 0; 1 when the database cannot be used; with --check, 2 when something needs a person.
"""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from corpus_site.alarms.keeping import awake, present_needs
from corpus_site.counts.stage_counts import StageCount, stage_counts
from corpus_site.management.database import usable_database
from search.stage.followers import FollowerRow, follower_rows

NEEDS_A_PERSON = 2


class Command(BaseCommand):
    help = "Print every stage's due, done and quarantined rows."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--check", action="store_true", help="exit with 2 when something needs a person"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        with usable_database():
            counts = stage_counts(now)
            needs = awake(present_needs(now), now) if options["check"] else []
            followers = follower_rows(now)
        self.stdout.write(_as_json(counts) if options["json"] else _as_table(counts))
        for row in () if options["json"] else followers:
            self.stdout.write(_line(row))
        # Sentences go beside JSON, not into it.
        out = self.stderr if options["json"] else self.stdout
        for need in needs:
            out.write(f"{need.label[2:]}: {need.subject} {need.sentence}")
        if needs:
            sys.exit(NEEDS_A_PERSON)


def _line(row: FollowerRow) -> str:
    problem = f": {row.problem}" if row.problem else ""
    return (
        f"index on {row.machine}: generation {row.generation}, {row.behind} behind, had all "
        f"{round(row.seconds)} s ago{problem}"
    )


def _as_json(counts: tuple[StageCount, ...]) -> str:
    return json.dumps(
        {
            count.name: {
                "due": count.due,
                "running": count.running,
                "postponed": count.postponed,
                "planned": count.planned,
                "done": count.done,
                "quarantined": count.quarantined,
            }
            for count in counts
        }
    )


def _as_table(counts: tuple[StageCount, ...]) -> str:
    head = f"{'stage':11}{'due':>8}{'postponed':>11}{'planned':>10}{'done':>10}{'quarantined':>13}"
    rows = [
        f"{count.name:11}{count.due:8}{count.postponed:11}{count.planned:10}{count.done:10}"
        f"{count.quarantined:13}"
        for count in counts
    ]
    return "\n".join([head, *rows])
