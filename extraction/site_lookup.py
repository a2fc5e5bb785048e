"""What is known of a publication's pages at some moment: stored templates → knowledge.

A process keeps the knowledge it read last, some 150 kB each; an answer costs one small query.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from extraction.html.site_codec import CodecError, decode_knowledge
from extraction.html.site_knowledge import SiteKnowledge
from extraction.site_models import SiteTemplate
from feeds.models import Page, PageKind

# A worker holds at most 5 MB of knowledge.
_KEPT = 32
_kept: OrderedDict[int, tuple[datetime, SiteKnowledge | None]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class KnownSite:
    """The template for a moment: its number, 0 for none, and what it knows; do not change it."""

    number: int = 0
    knowledge: SiteKnowledge | None = None

    @property
    def n_articles(self) -> int:
        return self.knowledge.n_articles if self.knowledge else 0


NOTHING_KNOWN = KnownSite()


def known_site(page: Page) -> KnownSite:
    """Find what a page is read with: the template for the moment its copy was fetched.

    Pages older than all templates are read with the first one.
    """
    if page.kind != PageKind.ARTICLE or page.content_fetch is None:
        return NOTHING_KNOWN
    fetched_at = page.content_fetch.started_at
    rows = list(
        SiteTemplate.objects.filter(publication=page.publication_id)
        .defer("knowledge")
        .order_by("-number")
    )
    if not rows:
        return NOTHING_KNOWN
    valid = (row for row in rows if row.valid_from <= fetched_at)
    row = next(valid, rows[-1])
    return KnownSite(row.number, _knowledge(row))


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
