"""Links from words of a table to their hits: in windows, in sequences, in the whole base."""

from search.asking.parameters import OF_HITS
from search.asking.value_queries import value_query
from search.engine.statistics.counting.windows import Window
from search.engine.statistics.slices import parse_slice
from search.engine.statistics.value_slices import HOLDS, STARTS, is_value_column
from search.views.statistics.statistic_page import StatisticPage


def window_slice(window: Window, attribute: str, value: str) -> str:
    """Return the slice of the hits that have a value in their window."""
    place = f"{window.left},{window.right}" if "," in str(window) else str(window)
    return f"{place}.{attribute}:{value}"


def total_address(page: StatisticPage, attribute: str, value: str) -> str:
    """Return the address of all tokens of a value in the base."""
    return _in_base(page, value_query(attribute, value))


def sequence_address(page: StatisticPage, attribute: str, words: tuple[str, ...]) -> str:
    """Return the address of all sequences of words in the base."""
    tokens = " ".join(value_query(attribute, word) for word in words)
    return _in_base(page, f"{tokens} within s" if len(words) > 1 else tokens)


def skipping_address(page: StatisticPage, attribute: str, words: tuple[str, ...], skip: int) -> str:
    """Return the address of the places where such a sequence begins in the base."""
    wanted = f"skip{skip}.{attribute}:{' '.join(words)}"
    return _in_base(page, value_query(attribute, words[0]), wanted)


def around_address(
    page: StatisticPage, attribute: str, words: tuple[str, ...], *, starting: int | None
) -> str:
    """Return the address of the hits inside a sequence, or that begin one.

    ``starting`` is how many words may be left out in one that begins at the hit, None for sequences
    that hold it.
    """
    place = HOLDS if starting is None else (f"skip{starting}" if starting else STARTS)
    return page.hits_in(f"{place}.{attribute}:{' '.join(words)}")


def _in_base(page: StatisticPage, query: str, *slices: str) -> str:
    """Return the address of another query in the same texts, without filters on the hits."""
    of_texts = [
        text for text in page.kept.values("only") if not is_value_column(parse_slice(text).column)
    ]
    without: dict[str, list[str]] = {name: [] for name in (*OF_HITS, "case")}
    return page.hits_at(q=query, ql="cql", only=[*of_texts, *slices], **without)
