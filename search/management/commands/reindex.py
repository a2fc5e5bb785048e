"""`manage.py reindex`: build the index anew from the database, serving the old one meanwhile."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from search import indexing
from search.engine.index.errors import IndexLockedError
from search.opened_index import current_snapshot, find_new_damage
from search.stage.rebuilding import rebuild

BAR_WIDTH = 40


class Command(BaseCommand):
    help = (
        "Build the index anew from the database. The old index is searched until the new one is "
        "whole; indexing of new texts waits meanwhile. Numbers of older generations stay as they "
        "were, except for what had gone out of segments that are damaged now."
    )
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--in-place",
            action="store_true",
            help="Only make all texts due: the workers replace them one after the other",
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="Build nothing: read every byte of the index and name the files that are damaged",
        )
        parser.add_argument(
            "--without-history",
            action="store_true",
            help="Forget older generations: texts that were replaced or removed leave the disk",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["verify"]:
            self._verify()
            return
        if options["in_place"]:
            self.stdout.write(
                f"{indexing.make_all_due(now)} texts are due; the workers do the rest."
            )
            return
        try:
            report = rebuild(now, self._show, keeps_history=not options["without_history"])
        except IndexLockedError as error:
            raise CommandError(f"The index is being written to: {error}") from error
        self.stdout.write(
            f"{report.n_texts} texts, {report.n_tokens} tokens, generation {report.generation}"
            + (f", {report.n_failed} texts failed (see the log)" if report.n_failed else "")
        )

    def _verify(self) -> None:
        """Say what is damaged; an exit code for scripts."""
        damaged = [*current_snapshot().damaged, *find_new_damage()]
        if damaged:
            listed = "\n".join(f"  {error}" for error in damaged)
            raise CommandError(f"Damaged:\n{listed}\nmanage.py reindex makes the index whole.")
        self.stdout.write("All files of the index are whole.")

    def _show(self, done: int, total: int) -> None:
        """Draw a bar on a terminal; elsewhere print nothing until the end."""
        if self.stdout.isatty() and total:
            bar = "#" * (BAR_WIDTH * done // total)
            end = "\n" if done == total else ""
            self.stdout.write(f"\r[{bar:<{BAR_WIDTH}}] {done} of {total} texts", ending=end)
