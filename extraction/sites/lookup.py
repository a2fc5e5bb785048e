"""What is known of a publication's pages at some moment: stored templates → knowledge.

A process keeps the knowledge it read last, some 150 kB each.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.site_codec import CodecError, decode_knowledge
from extraction.models import SiteTemplate
from feeds.models import Fetch, Page, PageKind

# A worker holds at most 5 MB of knowledge.
_KEPT = 32
_kept: OrderedDict[int, tuple[datetime, SiteKnowledge | None]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class KnownSite:
    """The template for a moment: its number, 0 for none, and what it knows; do not change it."""

    number: int = 0
    knowledge: SiteKnowledge | None = None
    updated_at: datetime | None = None

    @property
    def n_articles(self) -> int:
        return self.knowledge.n_articles if self.knowledge else 0


NOTHING_KNOWN = KnownSite()


def known_sites(pages: Iterable[Page]) -> dict[int, KnownSite]:
    """Find what each page is read with: the template for the moment it showed its document."""
    return known_sites_of(
        {page: page.content_fetch for page in pages if page.content_fetch is not None}
    )


def known_sites_of(fetches: Mapping[Page, Fetch]) -> dict[int, KnownSite]:
    """Find what these documents of pages are read with, by the page's key.

    Pages older than all templates are read with the first one; but of what a web archive saw before
    that nothing is known, since the site may have looked otherwise. In one query, and one more for
    each template that this process has not read yet.
    """
    articles = [page for page in fetches if page.kind == PageKind.ARTICLE]
    rows: dict[int, list[SiteTemplate]] = {}
    publications = {page.publication_id for page in articles}
    found = SiteTemplate.objects.filter(publication__in=publications).defer("knowledge")
    for row in found.order_by("-number"):
        rows.setdefault(row.publication_id, []).append(row)
    return {
        page.pk: _at(rows[page.publication_id], fetch.document_at, is_copy=bool(fetch.seen_at))
        for page in articles
        if page.publication_id in rows and (fetch := fetches[page])
    }


def known_site_at(page: Page, shown_at: datetime, *, is_copy: bool) -> KnownSite:
    """Find what another document of an article's page is read with; in one query."""
    found = SiteTemplate.objects.filter(publication=page.publication_id).defer("knowledge")
    rows = list(found.order_by("-number"))
    return _at(rows, shown_at, is_copy=is_copy) if rows else NOTHING_KNOWN


def _at(rows: Sequence[SiteTemplate], shown_at: datetime, *, is_copy: bool) -> KnownSite:
    row = next((row for row in rows if row.valid_from <= shown_at), None)
    if row is None and is_copy:
        return NOTHING_KNOWN
    row = row or rows[-1]
    return KnownSite(row.number, _knowledge(row), row.updated_at)


def _knowledge(row: SiteTemplate) -> SiteKnowledge | None:
    stamp, knowledge = _kept.pop(row.pk, (None, None))
    if stamp != row.updated_at:
        knowledge = decoded(bytes(row.knowledge))
    _kept[row.pk] = (row.updated_at, knowledge)
    if len(_kept) > _KEPT:
        _kept.popitem(last=False)
    return knowledge


def decoded(data: bytes) -> SiteKnowledge | None:
    """Knowledge from its bytes; None where they are of another format: it is learnt anew."""
    try:
        return decode_knowledge(data)
    except CodecError:
        return None
