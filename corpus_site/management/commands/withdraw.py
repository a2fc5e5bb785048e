"""`manage.py withdraw ADDRESS… --reason TEXT`: out of the corpus, until it is put back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from corpus_site.management.withdrawing import for_each, refuse_reason
from corpus_site.removal import withdrawals
from extraction.withdrawal.register import Order


class Command(BaseCommand):
    help = "Take articles out of the corpus, by their addresses; put_back brings them back."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS")
        parser.add_argument("--reason", required=True, help="stands in the register")

    def handle(self, *_args: object, addresses: list[str], reason: str, **_options: Any) -> None:
        refuse_reason(reason)

        def act(article_id: int) -> str:
            n = withdrawals.withdraw_articles([article_id], Order(reason, None, timezone.now()))
            return "withdrawn" if n else "was withdrawn already"

        for_each(addresses, act, self.stdout.write)
