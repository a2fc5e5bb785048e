"""The stored article of an address, whichever of its addresses somebody has typed.

As it was listed, as a redirect led on from there, as the page calls itself; with tracking
parameters, with or without "www.", as AMP.
"""

from django.db.models import Q

from extraction.models import Article
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.slugs import slug
from feeds.crawler.addressing.spellings import keys_of
from feeds.models import Publication

# Articles of one slug are few; a column that keeps its slug for years has some hundreds.
_MOST_OF_A_SLUG = 2_000


def article_at(address: str) -> Article | None:
    """Find the article of an address; None where none is known under it.

    Its page's own key decides. Where redirects led and what a page calls itself is found by the
    words of the address, which both are indexed by; an address without words is compared with
    those of articles without words.
    """
    keys = keys_of(address)
    rows = Article.objects.select_related("page", "publication", "fetch")
    by_key = {row.page.key: row for row in rows.filter(page__key__in=keys)}
    found = next((by_key[key] for key in keys if key in by_key), None)
    return found or (_led_to(address, keys) if keys else None)


def _led_to(address: str, keys: tuple[str, ...]) -> Article | None:
    # All publications by name: the index begins with them.
    known = Article.objects.filter(
        publication__in=list(Publication.objects.values_list("pk", flat=True))
    )
    words = slug(address)
    named = known.filter(slug=words)
    if not words:
        spelled = [
            f"{scheme}{key}{end}"
            for scheme in ("https://", "http://")
            for key in keys
            for end in ("", "/")
        ]
        named = named.filter(Q(url__in=spelled) | Q(canonical_url__in=spelled))
    wanted = set(keys)
    columns = named.order_by("pk").values_list("pk", "url", "canonical_url")
    pk = next((pk for pk, *urls in columns[:_MOST_OF_A_SLUG] if wanted & _keys(urls)), None)
    rows = Article.objects.select_related("page", "publication", "fetch")
    return rows.filter(pk=pk).first() if pk else None


def _keys(urls: list[str]) -> set[str]:
    found = set()
    for url in filter(None, urls):
        try:
            found.add(canonicalize(url).key)
        except BadUrl:
            continue
    return found
