"""`manage.py train_tagger DATA`: build the shipped model files anew (developers only)."""

from argparse import ArgumentParser
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Train taggers and lemma tables from a folder of treebanks and word tables."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("data", type=Path, help="Folder with the treebanks and tables")
        parser.add_argument("--out", type=Path, help="Folder to write to instead of the package")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            # Training needs python-crfsuite, which is no dependency of the running site.
            from search.engine.annotation.training import train  # noqa: PLC0415 (see above)
        except ImportError as error:
            raise CommandError("Training needs the development dependencies.") from error
        data: Path = options["data"]
        missing = [name for name in train.TRAINING_FILES if not (data / name).exists()]
        if missing:
            raise CommandError(f"{data} holds no {', '.join(missing)}.")
        out = options["out"]
        if out and not out.is_dir():
            raise CommandError(f"{out} is no folder.")
        try:
            train.main(data, out) if out else train.main(data)
        except CalledProcessError as error:
            raise CommandError("Training stopped; see the message above.") from error
        self.stdout.write("Trained.")
