"""`manage.py follow_index SOURCE`: this machine's index follows that of another one."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus_site.checks import index_source_error
from corpus_site.management.database import demand_tables
from corpus_site.running.executor import stop_on_signal
from corpus_site.running.index_copies import IndexFollowing
from presentation.wording.figures import grouped
from search.engine.index.errors import CorpusIndexError


class Command(BaseCommand):
    help = "Bring INDEX_DIR to the index of another machine, until told to stop."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "source",
            nargs="?",
            default=settings.INDEX_SOURCE,
            help="https://… of the machine with the index, or s3://bucket/prefix; INDEX_SOURCE",
        )
        parser.add_argument("--once", action="store_true", help="end when it is there; 1 if not")
        parser.add_argument(
            "--verify", action="store_true", help="compare all bytes first, fetch what is damaged"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        source = options["source"]
        if not source:
            raise CommandError("Name a source, or set INDEX_SOURCE.")
        if fault := index_source_error(source):
            raise CommandError(fault)
        demand_tables()
        following = IndexFollowing(source, is_thorough=options["verify"])
        try:
            if not options["once"]:
                stop_on_signal(following.stop)
                following.run()
                return
            state = following.run_once()
        except CorpusIndexError as error:
            raise CommandError(str(error)) from error
        if state.problem:
            raise CommandError(state.problem)
        self.stdout.write(f"The index is at generation {grouped(state.generation)}.")
