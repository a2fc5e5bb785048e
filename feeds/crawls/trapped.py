"""What a crawl does about traps: no address of theirs goes into its pool, none out of it.

The caller holds the transaction.
"""

from collections.abc import Sequence

from feeds.crawler.addressing.traps import SeenPage, Traps
from feeds.models import Crawl, CrawlAddress

TAKE, STOP = "take", "stop"  # what an editor may say of a family of addresses
MAX_SENTENCES = 20  # shown on the crawl's page; a site with more traps says nothing new by them
# Waiting addresses that a slice looks through; the next one goes on behind them.
LOOKED_THROUGH = 5_000


def look_for_traps(crawl: Crawl, shown: Sequence[SeenPage]) -> Traps:
    """Look at the pages that came, and begin to drop what waits where one stops its family.

    What editors decided comes first: a family that they stopped is dropped too, and for one that
    they take after all the pages that were followed are read again, since its addresses are gone.
    """
    traps = Traps.of_stored(crawl.traps)
    is_again, is_new = traps.obey(*_choices(crawl))
    sentences = [sentence for page in shown if (sentence := traps.see(page))]
    if sentences:
        crawl.trap_sentences = [*crawl.trap_sentences, *sentences][:MAX_SENTENCES]
    if shown or is_again or is_new:
        known = crawl.traps or {}
        looked_to = 0 if is_new or sentences else known.get("looked_to")
        again_from = 0 if is_again else known.get("again_from")
        crawl.traps = traps.stored() | {"looked_to": looked_to, "again_from": again_from}
    return traps


def _choices(crawl: Crawl) -> tuple[list[str], list[str]]:
    """Give the families that editors take, and those that they stop."""
    choices = crawl.trap_choices.items()
    return [n for n, said in choices if said == TAKE], [n for n, said in choices if said == STOP]


def is_reading_again(crawl: Crawl) -> bool:
    """Whether links of pages are read once more, for families that are taken after all."""
    return (crawl.traps or {}).get("again_from") is not None


def pages_to_read_again(crawl: Crawl, n_pages: int) -> list[CrawlAddress]:
    """Give the next pages whose links are read once more."""
    if not is_reading_again(crawl):
        return []
    place = (crawl.traps or {})["again_from"]
    rows = CrawlAddress.objects.filter(crawl=crawl, page__gt=place, followed_at__isnull=False)
    rows = rows.filter(n_links__gt=0).select_related("page__content_fetch")
    return list(rows.order_by("page_id")[:n_pages])


def have_read_again(crawl: Crawl, last: CrawlAddress | None, *, is_over: bool) -> None:
    """Remember behind which page the next slice goes on."""
    place = None if is_over or last is None else last.page_id
    crawl.traps = (crawl.traps or {}) | {"again_from": place}


def drop_trapped(crawl: Crawl, traps: Traps) -> bool:
    """Take addresses of traps out of the pool, some thousands at a time; whether more may wait."""
    known = crawl.traps or {}
    looked_to = known.get("looked_to")
    if looked_to is None:
        return False
    waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None, pk__gt=looked_to)
    rows = list(waiting.order_by("pk").values_list("pk", "url")[:LOOKED_THROUGH])
    trapped = [pk for pk, url in rows if traps.holds(url)]
    CrawlAddress.objects.filter(pk__in=trapped).delete()
    if crawl.n_known is not None:
        crawl.n_known -= len(trapped)
    is_more = len(rows) == LOOKED_THROUGH
    crawl.traps = known | {"looked_to": rows[-1][0] if is_more else None}
    return is_more
