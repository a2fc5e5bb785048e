"""How many heaps threads take memory from, and that what they freed goes back."""

import subprocess
import sys

import pytest

from corpus_site.running.memory import MOST_HEAPS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks the C library of Linux")

# Sixteen threads that hold some memory at the same time; glibc says what heaps there are.
HEAPS = """
import ctypes, threading
from corpus_site.running import memory
memory.settle()
barrier = threading.Barrier(16)
def work():
    held = bytearray(5_000)
    barrier.wait()
threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


def test_threads_share_few_heaps():
    said = subprocess.run(
        [sys.executable, "-c", HEAPS], check=True, capture_output=True, text=True
    ).stdout

    assert 1 <= said.count("<heap nr=") <= MOST_HEAPS


# In a process of its own: what other tests have freed would be filled first.
GIVEN_BACK = """
import numpy as np
from corpus_site.running import memory
from corpus_site.running.memory import TRIM_STEP_BYTES, FreeMemory

free = FreeMemory(memory.resident_bytes())
# Pieces too small to be given back by themselves, and a last one that keeps the heap's top.
pieces = [np.ones(12_000) for _ in range(2 * TRIM_STEP_BYTES // 96_000)]
last = np.ones(1_000)
grown = memory.resident_bytes()
del pieces
free.give_back()
print(grown - memory.resident_bytes() > TRIM_STEP_BYTES, free.held_bytes < grown, len(last))
"""


def test_what_large_pieces_of_work_have_freed_goes_back_at_the_next_look():
    said = subprocess.run(
        [sys.executable, "-c", GIVEN_BACK], check=True, capture_output=True, text=True
    ).stdout

    assert said.split() == ["True", "True", "1000"]
