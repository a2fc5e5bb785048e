"""What a look into a web archive found: how many pages each publication would get."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.db.models import Count

from feeds.models import Page, PageKind, Publication, WarcImport
from feeds.warc_files.importing import OTHER_HOSTS
from feeds.warc_files.publications_of_hosts import known_publications
from feeds.warc_files.slices import choice_of
from feeds.warc_files.wishes import Wish

# Lines of a table that somebody reads; the rest is one line.
_SHOWN = 30


@dataclass(frozen=True, slots=True)
class LookLine:
    """What one publication would get; `publication` is None for those that would be made."""

    publication: Publication | None
    n_pages: int
    hosts: tuple[str, ...]
    n_here: int = 0  # addresses of articles that it has


@dataclass(frozen=True, slots=True)
class LookResult:
    """All lines, those of known publications first; `n_more` of them are not shown."""

    lines: tuple[LookLine, ...]
    n_known: int  # pages that would go to publications that are here
    n_new: int
    n_more: int = 0


def result_of(row: WarcImport) -> LookResult:
    """Sum up what a look has counted, by the publications as they are now."""
    lines = sorted(_lines(row), key=lambda line: (line.publication is None, -line.n_pages))
    n_known = sum(line.n_pages for line in lines if line.publication is not None)
    n_new = sum(line.n_pages for line in lines) - n_known
    shown = _with_what_is_here(lines[:_SHOWN])
    return LookResult(tuple(shown), n_known, n_new, len(lines) - len(shown))


def wish_of(row: WarcImport, user_id: int | None, *, only_new: bool) -> Wish:
    """Give the import that was looked at, to be asked for."""
    return Wish(choice_of(row), row.publication, user_id, row.by_reference, only_new=only_new)


def _lines(row: WarcImport) -> Iterator[LookLine]:
    found: dict[str, int] = row.hosts_found
    hosts = [host for host in found if host != OTHER_HOSTS]
    known = known_publications(hosts) if row.publication_id is None else {}
    if row.publication_id is not None:
        known = dict.fromkeys(found, row.publication_id)
    pages: Counter[int] = Counter()
    names: dict[int, list[str]] = {}
    for host, pk in known.items():
        pages[pk] += found[host]
        names.setdefault(pk, []).append(host)
    publications = Publication.objects.in_bulk(pages)
    for pk, n_pages in pages.items():
        yield LookLine(publications[pk], n_pages, tuple(sorted(names[pk])))
    for host, n_pages in found.items():
        if host not in known:
            yield LookLine(None, n_pages, (host,))


def _with_what_is_here(lines: list[LookLine]) -> list[LookLine]:
    """Count the pages that publications have, of those alone that are shown: in one query."""
    known = [line.publication for line in lines if line.publication is not None]
    pages = Page.objects.filter(publication__in=known, kind=PageKind.ARTICLE)
    stored = pages.exclude(content_digest="").order_by().values_list("publication")
    n_here = dict(stored.annotate(n=Count("pk")))
    return [
        line
        if line.publication is None
        else replace(line, n_here=n_here.get(line.publication.pk, 0))
        for line in lines
    ]
