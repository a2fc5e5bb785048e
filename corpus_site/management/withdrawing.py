"""What the commands `withdraw`, `put_back` and `erase` share: addresses in, a line for each out."""

from collections.abc import Callable, Sequence

from django.core.management.base import CommandError

from corpus_site.management.database import usable_database
from extraction.models import Article
from extraction.models.withdrawal import MAX_REASON
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.tombstones import buried, digest_of_address

Act = Callable[[int], str]


def for_each(addresses: Sequence[str], act: Act, say: Callable[[str], object]) -> None:
    """Do something with the article of each address; CommandError where one has none."""
    n_missing = 0
    with usable_database():
        for address in addresses:
            article_id = article_at(address)
            n_missing += article_id is None
            said = act(article_id) if article_id is not None else _missing(address)
            say(f"{address}: {said}")
    if n_missing:
        raise CommandError(f"{n_missing} of {len(addresses)} addresses have no article.")


def article_at(address: str) -> int | None:
    """Find the article whose page has an address, however it is written."""
    try:
        key = canonicalize(address).key
    except BadUrl:
        return None
    rows = Article.objects.filter(page__key=key) | Article.objects.filter(url=address)
    return rows.order_by("pk").values_list("pk", flat=True).first()


def refuse_reason(reason: str) -> None:
    """Refuse a reason that the register cannot hold."""
    if not reason.strip() or len(reason) > MAX_REASON:
        raise CommandError(f"--reason takes 1 to {MAX_REASON} characters.")


def _missing(address: str) -> str:
    return "erased before" if buried([digest_of_address(address)]) else "not found"
