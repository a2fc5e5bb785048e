"""`manage.py fetch_again ADDRESS…`: visit known pages once more, at their hosts' pace."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from extraction.known_addresses import article_at
from feeds.revisits import KnownAddress, fetch_again, known_addresses, turn_words


class Command(BaseCommand):
    help = "Make the pages of addresses due now; `work --until-idle` then visits them."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS")

    def handle(self, *, addresses: list[str], **options: Any) -> None:
        del options
        now = timezone.localtime()
        found = [_found(item) for item in known_addresses(addresses)]
        fetch_again([item.page.pk for item in found if item.page], now, "asked for by command")
        for item in found:
            words = turn_words(item.page, now) if item.page else "not known here"
            self.stdout.write(f"{item.address}: {words}")
        n_unknown = sum(item.page is None for item in found)
        if n_unknown:
            raise CommandError(f"{n_unknown} of {len(found)} addresses are not known here.")


def _found(item: KnownAddress) -> KnownAddress:
    """Look for a page by where it led to, and by what it calls itself."""
    article = article_at(item.address) if item.page is None else None
    return KnownAddress(item.address, article.page) if article else item
