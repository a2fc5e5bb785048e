"""Why a crawl ended without what was wished: nothing could be fetched, or no address is a story.

A crawl whose addresses are all visited → a sentence for its report; empty where all went well.
"""

from feeds.crawl_links import likely_pattern
from feeds.models import AddressRole, Crawl, CrawlAddress, CrawlKind
from presentation.wording.figures import grouped

NOTHING_FETCHED = "nothing could be fetched"
NO_STORY = "none looks like a story"
_MAX_REASON = 200
_LISTS = {CrawlKind.SITE, CrawlKind.SITEMAP}


def why_no_story(crawl: Crawl) -> str:
    """Say what was in the way of a crawl that is over."""
    pool = CrawlAddress.objects.filter(crawl=crawl)
    if not pool.filter(page__content_fetch__isnull=False).exists():
        return _why_nothing(crawl)
    if crawl.kind not in _LISTS or pool.filter(role=AddressRole.STORY).exists():
        return ""
    lists = pool.filter(page__content_fetch__isnull=False, n_links__gt=0)
    longest = lists.select_related("page__content_fetch").order_by("-n_links").first()
    if longest is None or longest.page is None or longest.page.content_fetch is None:
        return "the pages that came have no links: they may need a script to show them"
    pattern = likely_pattern(longest, longest.page.content_fetch)
    such = f", such as {pattern}" if pattern else ""
    n_links = grouped(longest.n_links or 0)
    sentence = f"{n_links} addresses, {NO_STORY}: give a pattern that says which are{such}"
    return sentence if len(sentence) <= _MAX_REASON else sentence.removesuffix(such)


def _why_nothing(crawl: Crawl) -> str:
    failed = CrawlAddress.objects.filter(crawl=crawl, page__isnull=False)
    errors = failed.exclude(page__last_error="").order_by("pk")
    last = errors.values_list("page__last_error", flat=True).first()
    return f"{NOTHING_FETCHED}: {last}"[:_MAX_REASON] if last else ""
