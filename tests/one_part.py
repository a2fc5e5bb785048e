"""pytest with arguments, on one wide piece of Python's own stack: `python tests/one_part.py …`.

CPython keeps frames in pieces of 16 kB (`DATA_STACK_CHUNK_SIZE`, since 3.11); a call that needs the
next piece asks the kernel for it, and its return gives it back. The hot calls of a test stand
deep, below pytest, the client and a template: where they stand at the end of a piece each call
maps and unmaps memory (840 times in each test of the sources' pages, a twelfth of the processor
time). What is called from a frame that claims a megabyte stays in its piece.
"""

import sys
from collections.abc import Callable
from types import FunctionType

import pytest

N_SLOTS = 1 << 16  # of 8 bytes; the piece is the next power of two, half of it for what is called


def _call(called: Callable[[], int]) -> int:
    return called()


in_wide_frame = FunctionType(_call.__code__.replace(co_stacksize=N_SLOTS), {})

if __name__ == "__main__":
    sys.exit(in_wide_frame(lambda: pytest.main(sys.argv[1:])))
