"""A pasted list of addresses → the articles that it names, and what is not known.

Most are found by their pages' own keys, some hundred a question to the database; the rest one by
one, as somebody may have typed an address who followed a redirect.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from extraction.known_addresses import article_at
from extraction.models import Article
from feeds.crawler.addressing.spellings import keys_of
from feeds.other_addresses import pages_at

MOST_ADDRESSES = 10_000  # a paste of 1 MB; more are joined from several lists
MOST_LOOKED_FOR = 500  # one by one: some 3 ms each
_AT_ONCE = 200  # addresses, each in up to a few spellings
T = TypeVar("T")
_OWN = re.compile(r"/articles/([0-9]{1,18})(?:/.*)?")


@dataclass(frozen=True, slots=True)
class FoundArticles:
    """Keys of the articles of a list, and the addresses that name none of those in the corpus."""

    keys: tuple[int, ...]
    unknown: tuple[str, ...]
    left_out: tuple[str, ...]


def articles_listed(text: str, site: str = "") -> FoundArticles:
    """Find the articles of a list, one address a line.

    Parameters
    ----------
    text : str
        Addresses of articles on the web, or of their pages here.
    site : str
        Scheme and host of this site; an address under it is that of a page here.

    Raises
    ------
    ValueError
        With a sentence, where there are too many.
    """
    addresses = list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if len(addresses) > MOST_ADDRESSES:
        raise ValueError(f"A list has at most {MOST_ADDRESSES:,} addresses; join several.")
    found = dict(_own_pages(addresses, site))
    rest = [address for address in addresses if address not in found]
    found |= dict(_by_keys([address for address in rest if _own_number(address, site) is None]))
    rest = [address for address in rest if address not in found]
    if len(rest) > MOST_LOOKED_FOR:
        few = ", ".join(rest[:5])
        raise ValueError(f"{len(rest):,} of these addresses are not known, such as {few}.")
    for address in rest:
        if _own_number(address, site) is None and (article := article_at(address)):
            found[address] = article.pk
    inside = _in_corpus(sorted(set(found.values())))
    return FoundArticles(
        tuple(sorted(set(found.values()) & inside)),
        tuple(address for address in addresses if address not in found),
        tuple(
            address for address in addresses if address in found and found[address] not in inside
        ),
    )


def _own_number(address: str, site: str) -> int | None:
    path = address.removeprefix(site) if site else address
    match = _OWN.fullmatch(path)
    return int(match[1]) if match else None


def _own_pages(addresses: Sequence[str], site: str) -> Iterator[tuple[str, int]]:
    numbers = {
        address: number
        for address in addresses
        if (number := _own_number(address, site)) is not None
    }
    known: set[int] = set()
    for some in _some(numbers.values()):
        known |= set(Article.objects.filter(pk__in=some).values_list("pk", flat=True))
    return ((address, number) for address, number in numbers.items() if number in known)


def _by_keys(addresses: Sequence[str]) -> Iterator[tuple[str, int]]:
    for some in _some(addresses):
        spellings = {address: keys_of(address) for address in some}
        every = {key for keys in spellings.values() for key in keys}
        pages = pages_at(every)
        rows = Article.objects.filter(page__in=set(pages.values())).values_list("page", "pk")
        by_page = dict(rows)
        by_key = {key: by_page[page] for key, page in pages.items() if page in by_page}
        for address, keys in spellings.items():
            number = next((by_key[key] for key in keys if key in by_key), None)
            if number is not None:
                yield address, number


def _in_corpus(keys: Sequence[int]) -> set[int]:
    inside: set[int] = set()
    for some in _some(keys):
        rows = Article.objects.filter(pk__in=some, in_corpus=True)
        inside |= set(rows.values_list("pk", flat=True))
    return inside


def _some(items: Iterable[T]) -> Iterator[list[T]]:
    """Part items into so many as one question to the database takes."""
    rest = list(items)
    return (rest[i : i + _AT_ONCE] for i in range(0, len(rest), _AT_ONCE))
