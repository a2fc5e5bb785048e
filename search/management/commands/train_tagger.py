"""`manage.py train_tagger DATA`: build the shipped model files anew (developers only)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Train tagger and lemma table from a folder of treebanks and word tables."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("data", type=Path, help="Folder with ewt-train.conllu.gz and the rest")
        parser.add_argument("--out", type=Path, help="Folder to write to instead of the package")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            # Training needs python-crfsuite, which is no dependency of the running site.
            from search.annotation import train  # noqa: PLC0415 (see above)
        except ImportError as error:
            raise CommandError("Training needs the development dependencies.") from error
        data: Path = options["data"]
        if not (data / "ewt-train.conllu.gz").exists():
            raise CommandError(f"{data} holds no ewt-train.conllu.gz.")
        out = options["out"]
        train.main(data, out) if out else train.main(data)
        self.stdout.write("Trained.")
