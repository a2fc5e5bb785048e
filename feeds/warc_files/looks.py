"""What a look into a web archive found: how many pages each publication would get."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

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
    n_here: int  # addresses of articles that it has
    hosts: tuple[str, ...]


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
    return LookResult(tuple(lines[:_SHOWN]), n_known, n_new, max(0, len(lines) - _SHOWN))


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
        here = Page.objects.filter(publication=pk, kind=PageKind.ARTICLE).exclude(content_digest="")
        yield LookLine(publications[pk], n_pages, here.count(), tuple(sorted(names[pk])))
    for host, n_pages in found.items():
        if host not in known:
            yield LookLine(None, n_pages, 0, (host,))
