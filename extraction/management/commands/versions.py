"""`manage.py versions ADDRESS`: all texts that an article's page has shown, oldest first."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from extraction.known_addresses import article_at
from extraction.versions import TextVersion, refused_of, versions_of
from presentation.wording.times import exact_stamp


class Command(BaseCommand):
    help = "List the versions of an article's text: when seen, headline, words, digest."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="The article's address")
        parser.add_argument("--json", action="store_true", help="a list, oldest first")

    def handle(self, *args: Any, **options: Any) -> None:
        article = article_at(options["address"])
        if article is None:
            raise CommandError(f"no article is stored of {options['address']}")
        versions = versions_of(article)
        if options["json"]:
            self.stdout.write(json.dumps([_as_json(one) for one in versions], ensure_ascii=False))
            return
        for one in versions:
            self.stdout.write(_as_line(one))
        for refused in refused_of(article):
            seen = exact_stamp(timezone.localtime(refused.seen_at))
            self.stdout.write(f"{'refused':>8}  {seen}  {refused.words}")


def _as_json(one: TextVersion) -> dict[str, object]:
    return {
        "seen_at": one.seen_at.isoformat(),
        "title": one.title,
        "n_words": one.n_words,
        "digest": one.digest,
    }


def _as_line(one: TextVersion) -> str:
    seen = exact_stamp(timezone.localtime(one.seen_at))
    change = f"  ({one.change.words})" if one.change else ""
    return f"{one.number:8}  {seen}  {one.n_words:6} words  {one.title}{change}"
