"""How often somebody may ask: a bucket each of as many questions as a minute may have.

The buckets are those of one web process, of which a site has one unless its admin asks for more.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

MOST_BUCKETS = 10_000  # a megabyte; whoever asked longest ago is forgotten first
_MINUTE = 60.0


class Buckets:
    """Buckets that fill again evenly; safe between threads."""

    def __init__(self, clock: Callable[[], float] = monotonic, most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._most = most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str, per_minute: int) -> float:
        """Take one question out; returns seconds to wait where there is none, else 0."""
        if not per_minute:
            return 0.0
        with self._lock:
            level = self._level(key, per_minute)
            wait = max(0.0, (1.0 - level) * _MINUTE / per_minute)
            self._levels[key] = (level if wait else level - 1.0, self._clock())
            self._levels.move_to_end(key)
            while len(self._levels) > self._most:
                self._levels.popitem(last=False)
            return wait

    def wait(self, key: str, per_minute: int) -> float:
        """Tell the seconds to wait without taking anything."""
        if not per_minute:
            return 0.0
        with self._lock:
            return max(0.0, (1.0 - self._level(key, per_minute)) * _MINUTE / per_minute)

    def clear(self) -> None:
        """Forget everybody."""
        with self._lock:
            self._levels.clear()

    def _level(self, key: str, per_minute: int) -> float:
        level, at = self._levels.get(key, (float(per_minute), self._clock()))
        return min(float(per_minute), level + (self._clock() - at) * per_minute / _MINUTE)


buckets = Buckets()
