"""A page to look at for an alarm: the newest article that shows what it tells of."""

from collections.abc import Collection
from urllib.parse import urlencode

from django.urls import reverse

from corpus_site.alarms.models import Alarm
from feeds.crawler.outcomes import Outcome
from feeds.models import Page, PageKind

# Looked through from the newest on, along an index; a paper in trouble is among so many.
LOOKED_AT = 5_000
_LONGEST = Alarm._meta.get_field("address").max_length or 0


def newest_visited(publication_ids: Collection[int], *, is_read: bool) -> dict[int, str]:
    """Give the address of what is told of the newest article of each of these publications.

    `is_read`: one that came (and had no text), else one that did not come. Who has none among the
    articles visited last is not in the answer.
    """
    if not publication_ids:
        return {}
    newest = Page.objects.filter(kind=PageKind.ARTICLE, visited_at__isnull=False)
    rows = newest.order_by("-visited_at").values_list("publication_id", "outcome", "url")
    found: dict[int, str] = {}
    for publication_id, outcome, url in rows[:LOOKED_AT]:
        is_fitting = (outcome == Outcome.OK) == is_read and publication_id in publication_ids
        address = f"{reverse('status-url')}?{urlencode({'u': url})}" if is_fitting else ""
        if address and len(address) <= _LONGEST:
            found.setdefault(publication_id, address)
    return found
