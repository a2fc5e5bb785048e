"""What the commands `withdraw`, `put_back` and `erase` share: addresses in, a line for each out."""

from collections.abc import Callable, Sequence

from django.core.management.base import CommandError

from corpus_site.management.database import usable_database
from extraction.known_addresses import article_at
from extraction.models.withdrawal import MAX_REASON
from feeds.crawler.addressing.spellings import keys_of
from feeds.tombstones import buried, digest_of_key

Act = Callable[[int], str]


def for_each(addresses: Sequence[str], act: Act, say: Callable[[str], object]) -> None:
    """Do something with the article of each address; CommandError where one has none."""
    n_missing = 0
    with usable_database():
        for address in addresses:
            article = article_at(address)
            n_missing += article is None
            said = act(article.pk) if article is not None else _missing(address)
            say(f"{address}: {said}")
    if n_missing:
        raise CommandError(f"{n_missing} of {len(addresses)} addresses have no article.")


def refuse_reason(reason: str) -> None:
    """Refuse a reason that the register cannot hold."""
    if not reason.strip() or len(reason) > MAX_REASON:
        raise CommandError(f"--reason takes 1 to {MAX_REASON} characters.")


def _missing(address: str) -> str:
    digests = [digest_of_key(key) for key in keys_of(address)]
    return "erased before" if buried(digests) else "not found"
