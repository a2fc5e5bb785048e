"""Who reads a file too slowly gives back what is held for it."""

from contextlib import ExitStack
from itertools import repeat

import pytest

from corpus_site.running.streams import LEAST_BYTES_A_SECOND, PATIENCE_SECONDS, Cost, Stream

PIECE = b"x" * (10 * LEAST_BYTES_A_SECOND)


def read(seconds_a_piece: float, n_pieces: int) -> int:
    """Read some pieces, each for so long: how many came."""
    clock = [0.0]
    stream = Stream(repeat(PIECE, n_pieces), Cost(), ExitStack(), lambda: clock[0])
    n_read = 0
    for _ in stream:
        n_read += 1
        clock[0] += seconds_a_piece
    return n_read


def test_a_slow_line_reads_its_file_to_the_end():
    assert read(9.9, 1_000) == 1_000


def test_a_pause_is_waited_for():
    assert read(PATIENCE_SECONDS - 1, 1) == 1


def test_who_reads_slower_than_any_line_is_sent_away():
    with pytest.raises(ConnectionResetError):
        read(12.0, 1_000)
