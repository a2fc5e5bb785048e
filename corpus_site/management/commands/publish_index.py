"""`manage.py publish_index`: each generation of the index goes to the object store of INDEX_URL."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus_site.management.database import demand_tables
from corpus_site.running.index_copies import index_publisher, run_publisher
from presentation.wording.figures import counted, size
from search.engine.index.errors import CorpusIndexError


class Command(BaseCommand):
    help = "Bring this machine's index to the object store of INDEX_URL, until told to stop."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="end when it is there; 1 if not")

    def handle(self, *args: Any, **options: Any) -> None:
        demand_tables()
        if not settings.INDEX_URL:
            raise CommandError("INDEX_URL names no object store: there is nowhere to publish.")
        if not options["once"]:
            run_publisher()
            return
        try:
            listing = index_publisher().publish()
        except (CorpusIndexError, OSError) as error:
            raise CommandError(str(error)) from error
        if listing is not None:
            self.stdout.write(
                f"Generation {listing.manifest.generation} is published: "
                f"{counted(len(listing.files), 'file')}, {size(listing.n_bytes)}."
            )
