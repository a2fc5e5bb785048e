"""`manage.py put_back ADDRESS…`: back into the corpus."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from corpus_site.management.withdrawing import for_each
from corpus_site.removal import withdrawals


class Command(BaseCommand):
    help = "Put withdrawn articles back into the corpus, by their addresses."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS")

    def handle(self, *_args: object, addresses: list[str], **_options: Any) -> None:

        def act(article_id: int) -> str:
            n = withdrawals.put_back_articles([article_id], None, timezone.now())
            return "put back" if n else "was not withdrawn by itself"

        for_each(addresses, act, self.stdout.write)
