"""`manage.py sweep`: the scheduler process, which finds what hints have missed."""

from typing import Any

from django.core.management.base import BaseCommand

from corpus_site import executor


class Command(BaseCommand):
    help = "Sweep for stragglers until told to stop."

    def handle(self, *args: Any, **options: Any) -> None:
        executor.run_scheduler()
