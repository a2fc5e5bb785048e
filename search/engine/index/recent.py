"""Results worked out lately, kept for whoever asks again; safe between threads.

Input → output: a key and how its value is made → the value, made once while it is remembered. A
`Memory` stands by itself; `Remembered` names one kind of result that is kept with what it was
worked out of (a snapshot, a selection, hits) and goes when that goes.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Keeps the last used values up to a number of them; None for as many as there are keys."""

    def __init__(self, size: int | None = None) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return a value and count it as used, None if it is not kept (any more)."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> None:
        """Keep a value, dropping the one not used for longest."""
        with self._lock:
            self._keep(key, value)

    def get_or(self, key: K, make: Callable[[], V]) -> V:
        """Return a value, made if it is not kept.

        Others may go on meanwhile: of two threads that make the same value both get that of the
        one that ended first.
        """
        known = self.get(key)
        if known is not None:
            return known
        made = make()
        with self._lock:
            first = self._values.get(key)
            value = made if first is None else first
            self._keep(key, value)
            return value

    def drop(self, key: K) -> None:
        """Let go of a value; harmless when it is not kept."""
        with self._lock:
            self._values.pop(key, None)

    def __contains__(self, key: K) -> bool:
        with self._lock:
            return key in self._values

    def _keep(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        while self._size is not None and len(self._values) > self._size:
            self._values.popitem(last=False)


class Owner(Protocol):
    """What results are kept with, as `memories` by the kind of result."""

    @property
    def memories(self) -> "dict[object, Any]": ...


class Remembered(Generic[K, V]):
    """One kind of result: what its keys and values are, and how many are kept with an owner.

    The key is None where an owner has one such result only.
    """

    def __init__(self, size: int | None = None) -> None:
        self._size = size

    def of(self, owner: Owner) -> Memory[K, V]:
        """Return the memory of an owner; it begins empty."""
        memory: Memory[K, V] = owner.memories.setdefault(self, Memory(self._size))
        return memory
