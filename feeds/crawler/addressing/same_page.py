"""Whether two addresses are one page, when a redirect or the page's own link says so.

Sites say wrong things: one canonical link for all articles, the first page of several, a page that
asks for consent. So what a page says of itself is believed as far as the two addresses look alike;
where they only resemble each other, the texts decide.
"""

import re
from enum import IntEnum

from feeds.crawler.addressing.canonical import normalize_percent
from feeds.crawler.addressing.slugs import looks_like_article, slug
from feeds.crawler.addressing.spellings import bare_key

_NUMBER_IN_PATH = re.compile(r"\d{2,}")  # "part-2" is a word of the slug
_NUMBER_IN_QUERY = re.compile(r"\d+")
_DATE_IN_PATH = re.compile(r"/(?:19|20)\d\d(?:/\d{1,2}){1,2}(?=/)")
# What content systems count their articles with; a date has 8 digits and no article of its own.
_ARTICLE_NUMBER = re.compile(r"(?<!\d)(?!(?:19|20)\d{6}(?!\d))\d{5,}(?!\d)")


class Trust(IntEnum):
    """How far it is believed that two addresses are one page."""

    NONE = 0
    WITH_TEXT = 1  # if the texts show it too
    ALONE = 2


def trust_in(own: str, said: str, *, twice: bool = False) -> Trust:
    """Judge what a page says of its address.

    Parameters
    ----------
    own, said
        Canonical keys: of the page, and where a redirect led or its canonical link points.
    twice
        Whether a redirect led to `said` and the page that came calls itself so.

    Returns
    -------
    Trust
        ``ALONE`` where `said` is another spelling of `own`; ``WITH_TEXT`` where both end in the
        same words or the same number and no other number parts them, or where an address without
        words leads to one with words that calls itself so; else ``NONE``.

    Examples
    --------
    >>> trust_in("m.a.example/fire", "www.a.example/fire").name
    'ALONE'
    >>> trust_in("a.example/r?id=1", "a.example/r?id=2").name
    'NONE'
    """
    if own == said or bare_key(own) == bare_key(said):
        return Trust.ALONE
    mine, other = bare_key(own), bare_key(said)
    if _last_segment(other) == "":
        return Trust.NONE
    if twice and not slug(mine) and slug(other):
        return Trust.WITH_TEXT if looks_like_article(other) else Trust.NONE
    if any(_are_parted(read(mine), read(other)) for read in (_dates, _numbers)):
        return Trust.NONE
    words = _last_words(mine)
    is_named_alike = bool(words) and words == _last_words(other)
    is_counted_alike = not _article_numbers(mine).isdisjoint(_article_numbers(other))
    return Trust.WITH_TEXT if is_named_alike or is_counted_alike else Trust.NONE


def may_take(own: str, said: str, trust: Trust, *, is_redirect: bool) -> bool:
    """Whether an address that nobody has visited is taken for the page's, and not visited at all.

    What a page says alone is no reason where its own address asks for more: the second page of an
    article often calls itself the first.
    """
    if trust is not Trust.WITH_TEXT or is_redirect:
        return trust is not Trust.NONE
    return bare_key(own).partition("?")[2] == bare_key(said).partition("?")[2]


def _last_segment(key: str) -> str:
    return normalize_percent(key.partition("?")[0].partition("/")[2]).strip("/").rsplit("/", 1)[-1]


def _last_words(key: str) -> str:
    return slug(f"host/{_last_segment(key)}")


def _are_parted(numbers: set[str], others: set[str]) -> bool:
    return not (numbers <= others or others <= numbers)


def _dates(key: str) -> set[str]:
    return set(_DATE_IN_PATH.findall(key.partition("?")[0]))


def _numbers(key: str) -> set[str]:
    rest, _, query = key.partition("?")
    path = _DATE_IN_PATH.sub("", rest).partition("/")[2]
    return {*_NUMBER_IN_PATH.findall(path), *_NUMBER_IN_QUERY.findall(query)}


def _article_numbers(key: str) -> set[str]:
    query = key.partition("?")[2]
    return set(_ARTICLE_NUMBER.findall(f"{_last_segment(key)}?{query}"))
