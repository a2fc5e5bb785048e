"""Children at work for answers: fewer at a time than processors, and who waits for a place.

Work on strangers' pages is done in children (`feeds.crawler.documents.limited_work`), each with as
much of the machine as the process that answers everybody. So there is a line for them: known people
first, then who has spent little, by when a child last worked for each: of twenty who ask without a
pause nobody gets more than comes back to him, so by what was spent all would be equal, and whoever
comes now and then would wait behind all of them. Whoever waits, or whose child works, has no turn
meanwhile.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from corpus_site.running.turns import InLine, Turns

# One processor is left for pages that cost little.
PLACES = max(1, len(os.sched_getaffinity(0)) - 1) if hasattr(os, "sched_getaffinity") else 1
# More than any clock says and any reader has spent: known people stand before who has spent little,
# these before all others.
_KNOWN_SECONDS, _MODEST_SECONDS = 2e9, 1e9
_REMEMBERED_SECONDS = 60.0
places = Turns(PLACES, all_go_beside=False)
_worked_at: dict[str, float] = {}  # who → when a child last worked for them, the oldest first
_lock = threading.Lock()


class _ChildWish(InLine):
    """One who wants a child's place."""

    def __init__(self, who: InLine, key: str) -> None:
        self._who = who
        self._worked_at = _worked_at.get(key, 0.0)

    @property
    def spent(self) -> float:
        if not self.yields:
            return self._who.spent - _KNOWN_SECONDS
        return self._worked_at - _MODEST_SECONDS if self.is_modest else self._who.spent

    @property
    def yields(self) -> bool:
        return self._who.yields

    @property
    def is_modest(self) -> bool:
        return self._who.is_modest


@contextmanager
def child_place(who: InLine, key: str, wait_seconds: float) -> Iterator[bool]:
    """Hold a place for a child of whom the key names, or tell that there was none in time.

    Only one whom nobody knows is told so: all others go beside then.
    """
    if not places.begin(_ChildWish(who, key), wait_seconds):
        if who.yields:
            yield False
            return
        places.begin_beside()
    try:
        yield True
    finally:
        _note_work(key)
        places.end()


def _note_work(key: str) -> None:
    with _lock:
        _worked_at.pop(key, None)
        _worked_at[key] = now = time.monotonic()
        while _worked_at[oldest := next(iter(_worked_at))] < now - _REMEMBERED_SECONDS:
            del _worked_at[oldest]
