"""`manage.py export_wacz FILE ADDRESS`: archived pages as a file that replayers open."""

import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from feeds.crawler.archive.wacz import AboutFile, write_wacz
from presentation.wording.figures import counted
from search.articles.page_files import NoPagesError, pages_at


class Command(BaseCommand):
    help = "Write the archived pages of articles, stories, publications or searches as a WACZ."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="Whose name ends in .wacz; must not exist")
        parser.add_argument(
            "address",
            help="Of an article, a story, a publication or a search, as the browser shows it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        if path.exists():
            raise CommandError(f"{path} exists already.")
        try:
            pages = pages_at(options["address"])
            # Whole or not at all: what is unfinished has another name.
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=".wacz-") as scratch:
                unfinished = Path(scratch) / "unfinished"
                about = AboutFile(pages.title, options["address"], timezone.now())
                with unfinished.open("wb") as out:
                    n_pages = write_wacz(out, pages.captures(), about, Path(scratch))
                if not n_pages:
                    why = pages.left_out_words() or "there are no articles"
                    raise CommandError(f"No page was written: {why}.")
                unfinished.rename(path)
        except NoPagesError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        left_out = pages.left_out_words()
        self.stdout.write(
            f"{counted(n_pages, 'page')} in {path}{f'; {left_out}' if left_out else ''}."
        )
