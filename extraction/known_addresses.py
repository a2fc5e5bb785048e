"""The stored article of an address, whichever of its addresses somebody has typed.

As it was listed, as a redirect led on from there, as the page calls itself; with tracking
parameters, with or without "www.", as AMP.
"""

from django.db.models import Q, QuerySet

from extraction.models import Article
from extraction.models.article import START_CHARACTERS, AddressStart
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.slugs import slug
from feeds.crawler.addressing.spellings import keys_of, nearest_keys_of
from feeds.models import Publication
from feeds.other_addresses import pages_at

# Articles of one slug are few; a column that keeps its slug for years has some hundreds.
_MOST_OF_A_SLUG = 2_000


def article_at(address: str) -> Article | None:
    """Find the article of an address; None where none is known under it.

    Its page's own key decides, and those of its other addresses. Where redirects led and what a
    page calls itself is found by the words of the address, which both are indexed by; an address
    without words by how those of articles without words begin.
    """
    keys = keys_of(address)
    pages = pages_at(keys)
    rows = Article.objects.select_related("page", "publication", "fetch")
    by_page = {row.page_id: row for row in rows.filter(page__in=set(pages.values()))}
    found = next((by_page[pages[key]] for key in keys if pages.get(key) in by_page), None)
    return found or (_led_to(address, keys) if keys else None)


def _led_to(address: str, keys: tuple[str, ...]) -> Article | None:
    words = slug(address)
    found = _named(words) if words else _wordless(nearest_keys_of(address))
    wanted = set(keys)
    columns = found.values_list("pk", "url", "canonical_url")[:_MOST_OF_A_SLUG]
    pk = min((pk for pk, *urls in columns if wanted & _keys(urls)), default=None)
    rows = Article.objects.select_related("page", "publication", "fetch")
    return rows.filter(pk=pk).first() if pk else None


def _named(words: str) -> QuerySet[Article]:
    # All publications by name: the index begins with them.
    publications = list(Publication.objects.values_list("pk", flat=True))
    return Article.objects.filter(publication__in=publications, slug=words).order_by("pk")


def _wordless(keys: tuple[str, ...]) -> QuerySet[Article]:
    """Articles without words of which an address begins as one of the keys, written out.

    In no order: by their numbers a database would rather go through the table.
    """
    starts = [
        f"{scheme}{key}{end}"[:START_CHARACTERS]
        for scheme in ("https://", "http://")
        for key in keys
        for end in ("", "/")
    ]
    rows = Article.objects.order_by()
    rows = rows.alias(start=AddressStart("url"), named=AddressStart("canonical_url"))
    # Said twice: SQLite asks each side of the "or" whether it implies an index's condition.
    return rows.filter(Q(slug="", start__in=starts) | Q(slug="", named__in=starts))


def _keys(urls: list[str]) -> set[str]:
    found = set()
    for url in filter(None, urls):
        try:
            found.add(canonicalize(url).key)
        except BadUrl:
            continue
    return found
