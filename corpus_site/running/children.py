"""Children at work for answers: fewer at a time than processors, and who waits for a place.

Work on strangers' pages is done in children (`feeds.crawler.documents.limited_work`), each with as
much of the machine as the process that answers everybody. So there is a line for them: known people
first, then who has spent least. Whoever waits, or whose child works, has no turn meanwhile.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from corpus_site.running.turns import InLine, Turns

# One processor is left for pages that cost little.
PLACES = max(1, len(os.sched_getaffinity(0)) - 1) if hasattr(os, "sched_getaffinity") else 1
# More than any reader has spent: known people stand before them.
_KNOWN_SECONDS = 1e6
places = Turns(PLACES, all_go_beside=False)


class _ChildWish(InLine):
    """One who wants a child's place."""

    def __init__(self, who: InLine) -> None:
        self._who = who

    @property
    def spent(self) -> float:
        return self._who.spent - (0 if self.yields else _KNOWN_SECONDS)

    @property
    def yields(self) -> bool:
        return self._who.yields

    @property
    def is_modest(self) -> bool:
        return self._who.is_modest


@contextmanager
def child_place(who: InLine, wait_seconds: float) -> Iterator[bool]:
    """Hold a place for a child, or tell that there was none in time.

    Only one whom nobody knows is told so: all others go beside then.
    """
    if not places.begin(_ChildWish(who), wait_seconds):
        if who.yields:
            yield False
            return
        places.begin_beside()
    try:
        yield True
    finally:
        places.end()
