"""How often fragments stand on a publication's archived pages, for SiteLevel.

Learnt from the newest articles when first asked for in a process, and anew after a day: reading two
hundred pages takes some seconds, which only publications with that extractor, and evaluations of
it, pay.
"""

import time
from collections import Counter
from collections.abc import Iterator

from extraction.documents import DOCUMENT, HAS_DOCUMENT, taken
from extraction.html.algorithms.scored_page import read_page
from extraction.html.algorithms.site_level import SAMPLE_PAGES
from extraction.html.page import PageInput
from extraction.html.site.fragments import PageFragments, SiteSample, page_fragments
from extraction.models import Article
from feeds.archive.fetches import read_exchange

_LASTS_SECONDS = 24 * 3600.0  # a site's design rarely changes within a day
# A sample takes some megabytes; a process that reads more publications learns them again.
_KEPT_SAMPLES = 4
_samples: dict[int, tuple[float, SiteSample]] = {}


def sample_of(publication_id: int) -> SiteSample:
    """Sample of a publication's pages, at most a day old."""
    known = _samples.pop(publication_id, None)
    if known is None or time.monotonic() - known[0] > _LASTS_SECONDS:
        known = time.monotonic(), learn(publication_id)
    _samples[publication_id] = known
    while len(_samples) > _KEPT_SAMPLES:
        del _samples[next(iter(_samples))]
    return known[1]


def forget() -> None:
    """Learn every publication anew when it is next asked for."""
    _samples.clear()


def learn(publication_id: int) -> SiteSample:
    """Count the fragments of a publication's newest archived articles.

    Fragments that stand on one page only are dropped: they are template by no setting but the least
    of all, and most of the memory.
    """
    sample = SiteSample.of(list(_fragments(publication_id)))
    return SiteSample(
        sample.n_pages, Counter({value: n for value, n in sample.counts.items() if n > 1})
    )


def _fragments(publication_id: int) -> Iterator[PageFragments]:
    articles = (
        Article.shown.filter(HAS_DOCUMENT, publication=publication_id)
        .select_related(*DOCUMENT)
        .order_by("-dated_at", "-pk")
    )
    for article in articles[:SAMPLE_PAGES]:
        fetch = taken(article)
        exchange = read_exchange(fetch) if fetch is not None else None
        if exchange is not None:
            read = read_page(PageInput(body=exchange.body, url=exchange.url))
            yield page_fragments(read.outline)
