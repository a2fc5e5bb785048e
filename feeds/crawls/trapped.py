"""What a crawl does about traps: no address of theirs goes into its pool, none out of it.

The caller holds the transaction.
"""

from collections.abc import Sequence

from feeds.crawler.addressing.traps import SeenPage, Traps
from feeds.models import Crawl, CrawlAddress

MAX_SENTENCES = 20  # shown on the crawl's page; a site with more traps says nothing new by them
# Waiting addresses that a slice looks through; the next one goes on behind them.
LOOKED_THROUGH = 5_000


def look_for_traps(crawl: Crawl, shown: Sequence[SeenPage]) -> Traps:
    """Look at the pages that came, and begin to drop what waits where one stops its family."""
    traps = Traps.of_stored(crawl.traps)
    sentences = [sentence for page in shown if (sentence := traps.see(page))]
    if sentences:
        crawl.trap_sentences = [*crawl.trap_sentences, *sentences][:MAX_SENTENCES]
    if shown:
        crawl.traps = traps.stored() | {"looked_to": _looked_to(crawl, is_new=bool(sentences))}
    return traps


def _looked_to(crawl: Crawl, *, is_new: bool) -> int | None:
    """Give the key up to which the pool was looked through; None where nothing is looked for."""
    return 0 if is_new else (crawl.traps or {}).get("looked_to")


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
