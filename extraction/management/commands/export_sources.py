"""`manage.py export_sources FILE|-`: all sources with feeds, rules and settings, as one file.

A name that ends in .opml or .xml gives OPML, which feed readers take; any other, and "-" (standard
output), a bundle in JSON. The accounts of sites are never in it.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from extraction.source_files.bundle_json import write_bundle
from extraction.source_files.bundle_opml import write_source_list
from extraction.source_files.stored_sources import stored_sources
from feeds.models import Publication

_OPML_ENDS = frozenset({".opml", ".xml"})
LIST_TITLE = "Sources of Broadsheet"


class Command(BaseCommand):
    help = "Write all sources into a file: JSON, or OPML where its name ends in .opml."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE|-", help="- is the standard output")
        parser.add_argument("--opml", action="store_true", help="OPML, whatever the name")
        parser.add_argument("--tag", default="", help="only publications with this tag")

    def handle(self, *, file: str, opml: bool, tag: str, **options: Any) -> None:
        rows = Publication.kept.order_by("pk")
        sources = list(stored_sources(rows.filter(tags__name=tag) if tag else rows))
        if opml or Path(file).suffix.lower() in _OPML_ENDS:
            text = write_source_list(LIST_TITLE, sources).decode()
        else:
            text = write_bundle(sources, timezone.now())
        if file == "-":
            self.stdout.write(text, ending="")
            return
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        n = sum(len(source.feeds) for source in sources)
        self.stdout.write(f"{len(sources)} publications with {n} feeds in {file}.")
