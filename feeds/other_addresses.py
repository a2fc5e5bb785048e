"""Other addresses of a page: rows of their own kind that point to it and are never visited.

Who meets an address asks here which page it means; who reads a page and finds that two addresses
are one says so here. All is looked up by the key, which is unique.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Case, F, When

from feeds.models import Page, PageKind

# The page that a row stands for: itself, or the one of which it is another address.
PAGE_ITSELF = Case(When(kind=PageKind.ALIAS, then=F("parent_id")), default=F("pk"))
MAX_SHOWN = 20  # of one page; most have none, a paper that moved twice gives three


def pages_at(keys: Iterable[str]) -> dict[str, int]:
    """Primary keys of the pages that canonical keys mean; unknown ones are left out."""
    return dict(Page.objects.filter(key__in=set(keys)).values_list("key", PAGE_ITSELF))


def page_at(keys: Collection[str]) -> Page | None:
    """Find the page that the first known of some keys means, with its publication and host."""
    found = pages_at(keys)
    pk = next((found[key] for key in keys if key in found), None)
    rows = Page.objects.select_related("publication", "host", "parent", "feed")
    return rows.filter(pk=pk).first() if pk is not None else None


def other_addresses(page_id: int) -> list[str]:
    """List the other addresses of a page, the first `MAX_SHOWN` that were met."""
    rows = Page.objects.filter(parent=page_id, kind=PageKind.ALIAS).order_by("pk")
    return list(rows.values_list("url", flat=True)[:MAX_SHOWN])


def keys_of_other_addresses(page_ids: Collection[int]) -> set[str]:
    """Give the canonical keys of the other addresses of pages."""
    rows = Page.objects.filter(parent__in=page_ids, kind=PageKind.ALIAS)
    return set(rows.values_list("key", flat=True))


def point(page_ids: Collection[int], to: int) -> None:
    """Make pages other addresses of a page, and let them not be visited. Needs a transaction.

    What they were is kept: when they were found, by which feed, and what came for them.
    """
    if page_ids:
        rows = Page.objects.filter(pk__in=page_ids)
        rows.reschedule(None, due_reason="", quarantined_at=None)
        rows.update(kind=PageKind.ALIAS, parent=to)


def release(page: Page) -> None:
    """Make a page that was taken for another address a page of its own again."""
    Page.objects.filter(pk=page.pk).update(kind=PageKind.ARTICLE, parent=None)
    page.kind, page.parent_id = PageKind.ARTICLE, None


def remember(addresses: Mapping[str, str], page: Page, now: datetime) -> None:
    """Keep addresses that nobody has met yet, URL by key, so that they are not visited.

    Rows of the page's own host: no other is made for what is never asked.
    """
    Page.objects.bulk_create(
        [
            Page(
                url=url,
                key=key,
                kind=PageKind.ALIAS,
                host_id=page.host_id,
                publication_id=page.publication_id,
                parent_id=page.pk,
                found_at=now,
            )
            for key, url in addresses.items()
        ],
        ignore_conflicts=True,
    )
