"""How the time of a pattern grows with its text: by the doubling, on this machine."""

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from module_patterns import ModulePattern
from worst_strings import Attack

SHORT, LONG = 4_096, 16_384
# Where the growth is near the bound: what takes the square shows it the more the longer the text,
# what was the machine's caches and clock does not.
_LONGER, _LONGEST = 65_536, 262_144
# Of time, when a text becomes twice as long: 2 for a linear pattern, 4 for a quadratic one.
MAX_GROWTH = 2.2
_MAX_RATIO = MAX_GROWTH**2  # from 4 k to 16 k are two doublings
# Below, a run is start-up and clock: so little, growing with the square, is 0.2 s for a megabyte.
_LEAST_SECONDS = 50e-6
_N_RUNS = 7
_N_LOOKS = 5
# So long a run that grew so much needs no second look.
_SURE_SECONDS, _SURE_RATIO = 0.02, 10


def growth_of(named: ModulePattern, texts: Sequence[Attack]) -> tuple[float, Attack] | None:
    """Give the first text on which the pattern grows too fast, with the growth; else None."""
    for attack in texts:
        growth, is_sure = _growth(named, attack, (SHORT, LONG))
        for look in range(_N_LOOKS):  # or is it the clock, the cache, or what else runs?
            if is_sure or growth <= MAX_GROWTH:
                break
            lengths = (_LONGER, _LONGEST) if look % 2 else (LONG, _LONGER)
            once_more, is_sure = _growth(named, attack, lengths)
            growth = min(growth, once_more)
        if growth > MAX_GROWTH:
            return round(growth, 2), attack
    return None


def _growth(named: ModulePattern, attack: Attack, lengths: tuple[int, int]) -> tuple[float, bool]:
    """Give the growth by a doubling, and whether so long a run grew so much that it is sure.

    Microseconds that grew are none: what needs 4,000 characters has nothing to try in the shorter
    text and much in the longer one.
    """
    is_bytes = isinstance(named.pattern.pattern, bytes)
    short, long = (
        attack.text(length).encode("latin-1", "replace") if is_bytes else attack.text(length)
        for length in lengths
    )
    seconds = [_seconds(named, short), _seconds(named, long)]
    is_sure = False
    for run in range(_N_RUNS):
        # One run may be the machine's stall; two are not.
        if run and seconds[1] > _SURE_SECONDS and seconds[1] > _SURE_RATIO * seconds[0]:
            is_sure = True
            break
        if seconds[1] < _LEAST_SECONDS or seconds[1] <= _MAX_RATIO * seconds[0]:
            return 1.0, False
        # What else runs on the machine makes a run longer, never shorter.
        seconds = [min(seconds[0], _seconds(named, short)), min(seconds[1], _seconds(named, long))]
    return float((seconds[1] / seconds[0]) ** 0.5), is_sure


def _seconds(named: ModulePattern, text: Any) -> float:
    """Give the seconds of a run, of as many as the clock needs to move."""
    n_runs, begun = 0, time.thread_time()
    while True:
        if named.method == "finditer":
            deque(named.pattern.finditer(text), maxlen=0)
        else:
            getattr(named.pattern, named.method)(text)
        n_runs += 1
        if seconds := time.thread_time() - begun:
            return seconds / n_runs
