"""A small memory of recent results, safe between threads."""

import threading
from collections import OrderedDict
from collections.abc import Hashable


class Recent:
    """Keeps the last used values up to a number of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> object:
        """Return a value and count it as used, None if it is not kept (any more)."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: object) -> None:
        """Keep a value, dropping the one not used for longest."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
