"""`manage.py add_source URL…|FILE [--activate]`: a line each, what the source is and became.

What was decided, and why:

* An address that looks like a feed (`/feed.rss`, `/rss`, `…/atom.xml`, `feeds.example/…`), every
  address of an OPML file, and with `--activate` every such address of a list, is taken at its
  word and added unverified, all in one transaction. Its first poll verifies it: a list of 600 feeds
  costs one request a feed and one robots.txt a host, not a dozen each. Feeds of one site share a
  publication, which is called after the site until its first feed tells its title. A feed that
  turns out to be an HTML page says so in its status.
* Any other address is a home page, a section or an article. It is investigated as in the wizard
  (at most 15 s each), and the good feeds are added as one publication.
* Without `--activate` each address but those of OPML is investigated, so that the line reports
  what was found; publications are drafts, which are visited when an editor starts them.
* FILE: one address a line ("#" starts a comment), or OPML.

Exit code 1 when no source was added.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from feeds.crawler.documents.home_page import looks_like_feed
from feeds.crawler.documents.opml import read_opml
from feeds.sources import publications
from feeds.sources.discovery import Investigation, investigate, site_terms
from feeds.sources.imports import ImportedFeed, ImportState, ListedFeed, feeds_of_opml, import_feeds
from feeds.sources.publications import (
    NewFeed,
    NewPublication,
    PublicationProblem,
    add_feeds,
    create_publication,
    find_publication_by_slug,
)

MAX_LIST_BYTES = 10_000_000  # as many feeds as are read of a list, with 2 kB for each
# No web address starts like this.
_PATH_SIGNS = ("/", "./", "../", "~")


class Command(BaseCommand):
    help = "Add publications by the addresses of their feeds or home pages, or from a list."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="+", metavar="URL|FILE", help="address, list or OPML")
        parser.add_argument("--activate", action="store_true", help="start them at once")

    def handle(self, *, source: Sequence[str], activate: bool, **options: Any) -> None:
        n_added = 0
        for name in source:
            path = Path(name)
            if "://" not in name and path.is_file():
                n_added += self._add_file(path, activate=activate)
            elif name.startswith(_PATH_SIGNS):
                self.stdout.write(f"{name}: there is no such file.")
            else:
                n_added += self._add_addresses([name], activate=activate)
        if not n_added:
            raise CommandError("No source was added.", returncode=1)

    def _add_file(self, path: Path, *, activate: bool) -> int:
        if path.stat().st_size > MAX_LIST_BYTES:
            raise CommandError(f"{path} is larger than {MAX_LIST_BYTES // 1_000_000} MB.")
        body = path.read_bytes()
        if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            return self._add_addresses(_lines(body), activate=activate)
        document = read_opml(body)
        if document.problem:
            self.stdout.write(f"{path}: {document.problem}")
            return 0
        for address, problem in document.refused:
            self.stdout.write(f"{address}: refused. {problem}")
        if document.n_over:
            self.stdout.write(f"{path}: {document.n_over} feeds are over the limit and left out.")
        return self._add_listed(feeds_of_opml(document), activate=activate)

    def _add_addresses(self, addresses: Sequence[str], *, activate: bool) -> int:
        direct = [url for url in addresses if activate and looks_like_feed(url)]
        n_added = self._add_listed([ListedFeed(url) for url in direct], activate=activate)
        for address in addresses:
            if address not in direct:
                n_added += self._add_investigated(address, activate=activate)
        return n_added

    def _add_listed(self, feeds: Sequence[ListedFeed], *, activate: bool) -> int:
        reports = import_feeds(feeds, timezone.now(), activate=activate)
        self.stdout.write("".join(map(_line, reports)), ending="")
        return sum(report.state is ImportState.ADDED for report in reports)

    def _add_investigated(self, address: str, *, activate: bool) -> int:
        found = investigate(address, site_terms(), timezone.now())
        if found.problem:
            self.stdout.write(f"{address}: refused. {found.problem}")
            return 0
        try:
            sentence, n_added = _store(found, activate=activate)
        except PublicationProblem as problem:
            sentence, n_added = f"refused. {problem}", 0
        self.stdout.write(f"{address}: {sentence}")
        return n_added


def _store(found: Investigation, *, activate: bool) -> tuple[str, int]:
    """Make a publication of what was found, or give its new feeds to the one that is known."""
    now = timezone.now()
    feeds = tuple(
        NewFeed(feed.url, feed.title, feed.how, feed.kind.value) for feed in found.good_feeds
    )
    known = find_publication_by_slug(found.known_publication)
    if known:
        n_new = len(add_feeds(known, feeds, now))
        return f"known. “{known.name}”, {n_new} new feeds.", n_new
    new = NewPublication(
        name=found.name,
        home_url=found.home_url,
        feeds=feeds,
        language=found.language,
        allow_browser_agent=found.needs_browser_agent,
    )
    publication = create_publication(new, now)
    if activate:
        publications.activate(publication, now)
    urls = ", ".join(feed.url for feed in feeds)
    state = "started" if activate else "draft"
    return f"added. “{publication.name}”, {state}; feeds: {urls}", len(feeds)


def _lines(body: bytes) -> list[str]:
    text = body.decode("utf-8-sig", "replace")
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _line(report: ImportedFeed) -> str:
    return f"{report.address}: {report.state}. {report.sentence}\n"
