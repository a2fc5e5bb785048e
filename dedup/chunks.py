"""Long lists of values in pieces that one statement takes."""

from collections.abc import Iterable, Iterator

# Below SQLite's 32,766 variables, twice in a statement and with room for other conditions.
VALUES_PER_QUERY = 10_000


def chunks(values: Iterable[int]) -> Iterator[list[int]]:
    """Cut into lists for IN, sorted so that an index is read in its order."""
    ordered = sorted(values)
    for start in range(0, len(ordered), VALUES_PER_QUERY):
        yield ordered[start : start + VALUES_PER_QUERY]
