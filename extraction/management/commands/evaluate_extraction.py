"""Compare extractors: on labelled pages in a folder, or on a publication's stored articles."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from extraction import evaluating
from extraction.compared_articles import ReferenceKind
from extraction.evaluation.labelled_pages import read_set, set_names
from extraction.evaluation.peers import PEERS, Compared, parse_compared
from extraction.evaluation.set_comparison import compare_on_set
from extraction.evaluation.tables import figure_table
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ALGORITHMS, AUTO
from feeds.models import Publication

ALL = "all"
_EXTRACTORS = (AUTO, *(name for name in ALGORITHMS if name != "rule"))
_REFERENCE_WORDS = {
    ReferenceKind.CONFIRMED: "texts confirmed by editors",
    ReferenceKind.JSON_LD: "the pages' own JSON-LD",
    ReferenceKind.STORED: "the stored texts (agreement, not quality)",
}


class Command(BaseCommand):
    help = (
        "Put extractors side by side. --set names a labelled set below --data;"
        " --publication compares the newest stored articles."
    )
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--set", help=f"a set of labelled pages, or {ALL}")
        what.add_argument("--publication", help="slug of a publication")
        parser.add_argument("--data", type=Path, help="folder with pages/ and gold/")
        parser.add_argument("--last", type=int, default=50, help="newest articles (50)")
        parser.add_argument("--limit", type=int, help="first pages of each set only")
        parser.add_argument(
            "--extractors",
            nargs="+",
            default=_EXTRACTORS,
            metavar="NAME[:PARAMETER=VALUE,…]",
            help=f"of {AUTO}, {', '.join(ALGORITHMS)}; all of these but rule unless told; and"
            f" {', '.join(PEERS)} where they are installed",
        )

    def handle(self, **options: Any) -> None:
        try:
            extractors = {text: parse_compared(text) for text in options["extractors"]}
        except AlgorithmParameterError as error:
            raise CommandError(str(error)) from error
        if options["publication"]:
            self._publication(options["publication"], extractors, options["last"])
        else:
            self._sets(options, extractors)

    def _sets(self, options: dict[str, Any], extractors: Mapping[str, Compared]) -> None:
        folder = _folder(options["data"])
        known = set_names(folder)
        wanted = known if options["set"] == ALL else [options["set"]]
        if not known or not set(wanted) <= set(known):
            found = ", ".join(known) or "none"
            raise CommandError(f"No set “{options['set']}” in {folder}; sets there: {found}.")
        for set_name in wanted:
            pages = list(read_set(folder, set_name))[: options["limit"]]
            rows = compare_on_set(pages, extractors)
            self.stdout.write(f"\n{set_name}: {len(pages)} pages\n{figure_table(rows)}")

    def _publication(self, slug: str, extractors: Mapping[str, Compared], n_pages: int) -> None:
        publication = Publication.objects.filter(slug=slug).first()
        if publication is None:
            raise CommandError(f"There is no publication “{slug}”.")
        rows, n_unread = evaluating.compare_newest(publication, extractors, n_pages)
        if not rows:
            raise CommandError(f"No article of {publication.name} can be read from the archive.")
        for kind, by_name in rows.items():
            words = _REFERENCE_WORDS[ReferenceKind(kind)]
            self.stdout.write(f"\n{publication.name} against {words}\n{figure_table(by_name)}")
        if n_unread:
            self.stdout.write(f"\n{n_unread} archived pages could not be read.")


def _folder(given: Path | None) -> Path:
    if given is None:
        raise CommandError("Say where the labelled pages are: --data FOLDER.")
    return given
