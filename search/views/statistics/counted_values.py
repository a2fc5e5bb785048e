"""What frequency pages count by, and the links of values to their hits."""

import calendar
from collections.abc import Sequence

from django.http import QueryDict

from presentation.wording.figures import counted, grouped
from search.asking.values import MAX_NAME, WrongValueError
from search.engine.index.hits import Hits
from search.engine.query.errors import QueryTooExpensiveError
from search.engine.statistics.counting.hit_values import (
    NO_VALUE,
    HitColumn,
    Key,
    Node,
    key_text,
    longest_node,
    n_node_tokens,
    parse_key,
)
from search.engine.statistics.trend import daily_base
from search.views.statistics.statistic_page import FILE_ROWS, StatisticPage
from search.wording.value_words import key_words

# Columns as the filters of the address name them.
_COLUMNS = {
    "pub": "publication",
    "sec": "section",
    "author": "author",
    "agency": "agency",
    "month": "month",
    "year": "year",
    "in": "kind",
    "lang": "language",
    "changed": "changed",
    "rights": "rights",
    "undated": "undated",
}
# Looking at the windows of so many takes some five seconds, and 16 bytes each.
MOST_HITS = 15_000_000
# Measured: 0.17 µs a token of nodes of 200 tokens, so some five seconds too.
MOST_NODE_TOKENS = 30_000_000
# Of all values of a list: some 12 MB of text, five times that as a file or an answer in JSON. Lists
# of nodes of up to 20 tokens are not cut by it.
MOST_LISTED_TOKENS = 2_000_000
# By columns of which a text may have several values.
SEVERAL = {
    "author": "A text of several authors counts for each of them.",
    "agency": "A text that several agencies sign counts for each of them.",
}
NOT_GIVEN = "not given"  # of a text: its section, its author, an agency
MOST_SHOWN_ROWS = 1_000  # on a page
_PLACES = ("first", "2", "3", "last", "l1", "l2", "l3", "l4", "l5", "r1", "r2", "r3", "r4", "r5")
_ATTRIBUTES = ("lower", "word", "folded", "stem", "lemma", "pos", "lemma+pos")
_NAMES = {name: column for column, name in _COLUMNS.items()}


def in_full(parameters: QueryDict) -> QueryDict:
    """Write the short names of `by` in full: `case-form`, and a place alone for its word."""
    written = parameters.copy()
    for name in ("by", "by2", "by3"):
        text = parameters.get(name, "")
        full = "word" if text == "case-form" else f"{text}.lower"
        if text in ("case-form", *_PLACES):
            written[name] = full
    return written


def key_of(text: str) -> Key:
    """Read a value of the parameter `by`."""
    return parse_key(_COLUMNS.get(text, text))


def text_of(key: Key) -> str:
    """Write a key as a value of the parameter `by`."""
    text = key_text(key)
    return _NAMES.get(text, text)


def _options() -> tuple[tuple[str, str], ...]:
    texts = [
        *_ATTRIBUTES,
        *_COLUMNS,
        *(f"{place}.{attribute}" for place in _PLACES for attribute in ("lower", "lemma", "pos")),
    ]
    return tuple((text, key_words(key_of(text))) for text in texts)


BY = _options()


def keys_of(page: StatisticPage) -> tuple[Key, ...]:
    """Return what a page counts by, one to three keys.

    Raises
    ------
    WrongValueError
        If one is given twice.
    """
    texts = [text for name in ("by", "by2", "by3") if (text := page.values[name])]
    if len(set(texts)) < len(texts):
        raise WrongValueError("by2", "The same is counted by twice.")
    return tuple(key_of(text) for text in texts)


def refuse_too_many(n_hits: int) -> None:
    """Refuse to look at each of so many hits while somebody waits.

    Raises
    ------
    QueryTooExpensiveError
    """
    if n_hits > MOST_HITS:
        raise QueryTooExpensiveError(
            f"These are {grouped(n_hits)} hits, too many to look at what stands around each. Make "
            "the query more specific, or search a shorter period or fewer publications."
        )


def refuse_long_nodes(hits: Hits, keys: Sequence[Key]) -> None:
    """Refuse to write out so many tokens of nodes while somebody waits.

    Raises
    ------
    QueryTooExpensiveError
    """
    if not any(isinstance(key, Node) for key in keys):
        return
    n_tokens = n_node_tokens(hits)
    if n_tokens > MOST_NODE_TOKENS:
        raise QueryTooExpensiveError(
            f"This question would need to read {grouped(n_tokens)} tokens: all those of "
            f"{grouped(hits.total)} hits. Narrow it by a shorter pattern, period or list of "
            "publications, or count by the first or last token of the hits."
        )


def listed_rows(hits: Hits, keys: Sequence[Key]) -> int:
    """Return how many rows a file or an answer of the API may hold: all, but for very long nodes.

    Returns
    -------
    int
        At least as many as a page shows.
    """
    n_nodes = sum(isinstance(key, Node) for key in keys)
    most = MOST_LISTED_TOKENS // max(1, n_nodes * longest_node(hits)) if n_nodes else FILE_ROWS
    return max(MOST_SHOWN_ROWS, min(FILE_ROWS, most))


def slice_of(key: Key, value: str) -> str:
    """Return the slice that keeps the hits of a value, empty if no address can hold it."""
    if not isinstance(key, HitColumn):
        text = f"{key_text(key)}:{value}"
        return text if len(text) <= MAX_NAME and text == text.strip() else ""
    if key.name in ("month", "year") and value == NO_VALUE:
        return "undated:yes"
    if key.name == "year":
        return f"days:{value}-01-01..{value}-12-31"
    if key.name == "month":
        year, month = map(int, value.split("-"))
        return f"days:{value}-01..{value}-{calendar.monthrange(year, month)[1]:02}"
    return f"{'kind' if key.name == 'kind' else text_of(key)}:{value}"


def without_date(page: StatisticPage) -> str:
    """Say what of the base has no date, `1,234 tokens in texts without a date`; empty for none."""
    n_tokens = daily_base(page.selection).undated.n_tokens
    return f"{counted(n_tokens, 'token')} in texts without a date" if n_tokens else ""


def hits_address(page: StatisticPage, keys: tuple[Key, ...], values: tuple[str, ...]) -> str:
    """Return the address of the hits of a row, empty if there is none; files hold none."""
    if page.is_file:
        return ""
    slices = [slice_of(key, value) for key, value in zip(keys, values, strict=True)]
    return page.hits_in(*slices) if all(slices) else ""
