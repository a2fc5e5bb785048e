"""Links of the pages about words: the hits of a value, the profile of a word, its days."""

import datetime as dt
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote_plus

from django.urls import reverse

from search.asking.address import UNQUOTED, Address
from search.asking.parameters import OF_HITS
from search.asking.value_queries import value_query
from search.engine.index.documents import UNIX_EPOCH
from search.views.statistics.statistic_page import StatisticPage

# Pages of their own under /words/; the profile of such a word begins with a capital letter.
_PAGES = ("zipf", "new", "lexicon", "sketch", "lists")
_PLACE = "\x00"  # stands for the query; no query holds it
_WITH_PROFILE = ("lower", "word")


def value_hits(page: StatisticPage, attribute: str, value: str, **changes: Sequence[str]) -> str:
    """Address of exactly the hits that were counted under a value."""
    return query_hits(page.kept, value_query(attribute, value), **changes)


def query_hits(address: Address, query: str, **changes: Sequence[str]) -> str:
    """Address of the hits of a query in CQL under the filters of an address."""
    kept = tuple((name, tuple(values)) for name, values in changes.items() if name != "q")
    before, after = _around_query(address, kept)
    return f"{before}{quote_plus(query, safe=UNQUOTED)}{after}"


@lru_cache(maxsize=64)
def _around_query(
    address: Address, changes: tuple[tuple[str, tuple[str, ...]], ...]
) -> tuple[str, str]:
    """Return what stands before and after the query in an address: pages have many such links."""
    found = with_query(address, _PLACE, **dict(changes)).at(reverse("search"))
    before, _, after = found.partition(quote_plus(_PLACE))
    return before, after


def with_query(address: Address, query: str, **changes: Sequence[str]) -> Address:
    """Put a query in CQL in the place of an address's own, with what narrows its hits."""
    nothing: dict[str, Sequence[str]] = dict.fromkeys((*OF_HITS, "case"), ())
    return address.change(**nothing | {"q": [query], "ql": ["cql"]} | changes)


def profile_address(page: StatisticPage, attribute: str, value: str) -> str:
    """Address of a word's profile under the same filters; nothing where there is none."""
    if attribute not in _WITH_PROFILE or not any(sign.isalnum() for sign in value):
        return ""
    form = value.capitalize() if value in _PAGES else value
    filters = Address(tuple(pair for pair in page.kept.filters().pairs))
    return filters.at(reverse("word", args=[form]))


def day_of(number: int) -> dt.date:
    """Turn days since 1970 into a date."""
    return UNIX_EPOCH + dt.timedelta(days=number)
