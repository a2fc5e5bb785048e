"""Seeds of a crawl, one a line: address, page limit, restriction.

    https://www.karoocourier.example/
    https://www.karoocourier.example/sport/ 500
    https://www.karoocourier.example/ 1000 https://www.karoocourier.example/news/
    https://www.karoocourier.example/ 1000 *.co.example

A restriction is the beginning of all addresses that are followed, or `*.` and the end of a host's
name; without one a crawl keeps to the site of its seed.
"""

import re
from dataclasses import dataclass

from feeds.crawler.addressing.canonical import CanonicalUrl, canonicalize, is_same_site
from feeds.crawler.addressing.typed_address import BadAddressError, read_typed
from presentation.wording.figures import grouped

DEFAULT_LIMIT = 100  # enough to see what a crawl brings before it is given more
MAX_LIMIT = 10_000_000  # pages of one seed: as many addresses as a pool takes in all
MAX_SEEDS = 1_000  # they stand in one column of the crawl's row
_THOUSANDS = 3  # digits of a group
# What begins like a number and is no host's name: "-5", "500x", "1.000".
_NUMBER_LIKE = re.compile(r"^[+-]?\d+(?:\.\d+)*[a-z]{0,10}$", re.IGNORECASE)
_DOMAIN = re.compile(r"^\*\.[a-z0-9\-]+(?:\.[a-z0-9\-]+)*$", re.IGNORECASE)


class BadSeedError(ValueError):
    """Raised by `parse_seeds` with a sentence that names the line."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Where a crawl starts, how many pages it may fetch from there, and where it has to stay."""

    url: str
    limit: int = DEFAULT_LIMIT
    restriction: str = ""

    def admits(self, address: CanonicalUrl) -> bool:
        """Whether an address is within the restriction."""
        if self.restriction.startswith("*."):
            domain = self.restriction[1:]
            return ("." + address.host.partition(":")[0]).endswith(domain)
        if self.restriction:
            return _without_scheme(address.url).startswith(_without_scheme(self.restriction))
        return is_same_site(address.host, canonicalize(self.url).host)


def parse_seeds(text: str, limit: int = DEFAULT_LIMIT) -> tuple[Seed, ...]:
    """Read the lines of a form.

    Parameters
    ----------
    text
        One seed a line; blank lines and those that start with "#" are left out. Commas and tabs
        part the columns as blanks do.
    limit
        For lines that name none.

    Raises
    ------
    BadSeedError
        With the number of the line and what is wrong with it.

    Examples
    --------
    >>> parse_seeds("karoo.example, 20")
    (Seed(url='https://karoo.example/', limit=20, restriction=''),)
    """
    seeds = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = re.split(r"[\s,]+", line.strip())
        if not words[0] or words[0].startswith("#"):
            continue
        try:
            seeds.append(_seed([word for word in words if word], limit))
        except ValueError as problem:
            raise BadSeedError(f"Line {number}: {problem}") from problem
    if not seeds:
        raise BadSeedError("Give at least one address.")
    if len(seeds) > MAX_SEEDS:
        raise BadSeedError(
            f"These are {grouped(len(seeds))} addresses; at most {grouped(MAX_SEEDS)} are taken."
        )
    return tuple(seeds)


def _seed(words: list[str], limit: int) -> Seed:
    url = _address(words[0])
    if len(words) > 1 and words[1].isdecimal() and not _is_parted(words[1:]):
        # Longer numbers are refused before they are read.
        limit = int(words[1][:9])
        words = [words[0], *words[2:]]
    if not 1 <= limit <= MAX_LIMIT:
        raise BadSeedError(f"the limit is a number of pages from 1 to {MAX_LIMIT}.")
    if len(words) > 1 and _NUMBER_LIKE.match(words[1]):
        number = ",".join(words[1:])[:50]
        raise BadSeedError(f"“{number}” is no number of pages: write it in digits, such as 5000.")
    if len(words) > 2:
        raise BadSeedError(f"“{words[2][:50]}” is one word too many: address, limit, restriction.")
    return Seed(url, limit, _restriction(words[1]) if len(words) > 1 else "")


def _is_parted(words: list[str]) -> bool:
    """Tell the thousands of “5,000” or “5 000”, which commas and blanks part, from a limit."""
    return len(words) > 1 and len(words[1]) == _THOUSANDS and words[1].isdecimal()


def _address(word: str) -> str:
    try:
        return read_typed(word).url
    except BadAddressError as problem:
        raise BadSeedError(str(problem)) from problem


def _restriction(word: str) -> str:
    if word.startswith("*"):
        if not _DOMAIN.match(word):
            raise BadSeedError(f"“{word[:50]}” is no end of a host’s name, such as *.co.za.")
        return word.lower()
    return _address(word)


def _without_scheme(url: str) -> str:
    return url.partition("://")[2].removeprefix("www.")
