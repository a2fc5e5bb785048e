"""Work on large arrays, in threads: numpy lets go of the interpreter while it works on them.

Input → output: a function and items → its results, in the order of the items.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

from search.engine.allowance import for_threads, go_on

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_THREADS = 4  # leaves processors of a larger machine to other pages


def n_threads() -> int:
    """Return how many threads work at the same time."""
    return min(MOST_THREADS, os.cpu_count() or 1)


def in_parallel(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Apply a function to each item; no more results wait than there are threads.

    Examples
    --------
    >>> list(in_parallel(len, ["a", "", "bc"]))
    [1, 0, 2]
    """
    rest = iter(items)
    first = list(islice(rest, 2))
    if len(first) < 2 or n_threads() < 2:
        for item in chain(first, rest):
            go_on()
            yield work(item)
        return
    bounded = for_threads(work)
    with ThreadPoolExecutor(n_threads()) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in chain(first, rest):
                waiting.append(pool.submit(bounded, item))
                if len(waiting) > n_threads():
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        finally:
            for future in waiting:  # of a question that was ended: nobody reads them
                future.cancel()


def _next(waiting: deque[Future[Result]]) -> Result:
    """Wait for the oldest result, and look whether what it took was allowed."""
    result = waiting.popleft().result()
    go_on()
    return result
