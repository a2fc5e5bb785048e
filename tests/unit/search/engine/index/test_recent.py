"""What is remembered is made once, the rest forgotten in order of use, each owner for itself."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

from search.engine.index.recent import Memory, Remembered


def test_a_value_is_made_once_while_it_is_kept():
    memory: Memory[str, list[str]] = Memory(2)

    first = memory.get_or("a", lambda: ["a"])

    assert memory.get_or("a", lambda: ["b"]) is first


def test_the_value_not_used_for_longest_goes():
    memory: Memory[str, int] = Memory(2)
    memory.put("a", 1)
    memory.put("b", 2)
    memory.get("a")

    memory.put("c", 3)

    assert [key in memory for key in "abc"] == [True, False, True]


def test_without_a_size_all_values_stay_until_they_are_dropped():
    memory: Memory[int, int] = Memory()
    for number in range(100):
        memory.put(number, number)

    memory.drop(50)
    memory.drop(50)

    assert [number for number in range(100) if number not in memory] == [50]


def test_threads_that_make_the_same_value_get_the_same():
    memory: Memory[str, object] = Memory(1)
    both = Barrier(2)

    def make() -> object:
        both.wait(timeout=10)
        return object()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: memory.get_or("a", make), range(2))

    assert first is second


def test_kinds_and_owners_do_not_share_what_they_remember():
    lengths: Remembered[str, int] = Remembered(1)
    letters: Remembered[str, str] = Remembered(1)
    one, other = SimpleNamespace(memories={}), SimpleNamespace(memories={})

    lengths.of(one).put("a", 1)
    letters.of(one).put("a", "A")

    assert (lengths.of(one).get("a"), letters.of(one).get("a")) == (1, "A")
    assert lengths.of(other).get("a") is None
