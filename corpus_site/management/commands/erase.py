"""`manage.py erase ADDRESS… --reason TEXT`: for good; the erase stage does what it asks for."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from corpus_site.management.withdrawing import for_each, refuse_reason
from corpus_site.removal import withdrawals
from extraction.withdrawal.erasing import HeldError
from extraction.withdrawal.register import Order


class Command(BaseCommand):
    help = "Erase articles for good, by their addresses; nothing brings them back."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS")
        parser.add_argument("--reason", required=True, help="stands in the register")

    def handle(self, *_args: object, addresses: list[str], reason: str, **_options: Any) -> None:
        refuse_reason(reason)

        def act(article_id: int) -> str:
            try:
                n = withdrawals.erase_articles([article_id], Order(reason, None, timezone.now()))
            except HeldError as error:
                return f"not erased: {error}"
            return "withdrawn, being erased" if n else "is being erased already"

        for_each(addresses, act, self.stdout.write)
