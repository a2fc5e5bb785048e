"""`manage.py sweep`: the scheduler process, which finds what hints have missed."""

from typing import Any

from django.core.management.base import BaseCommand

from corpus_site.management.database import demand_tables
from corpus_site.running import executor


class Command(BaseCommand):
    help = "Sweep for stragglers until told to stop."
    requires_system_checks = ("settings",)

    def handle(self, *args: Any, **options: Any) -> None:
        demand_tables()
        executor.run_scheduler()
