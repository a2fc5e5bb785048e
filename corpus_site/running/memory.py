"""Memory of processes that live long: how seldom it is searched for garbage, and its return.

Loads nothing of the site, since gunicorn's first process reads this too.
"""

import ctypes
import gc
import sys

# Objects more than at the last collection before there is another: with Python's 700 a crawl of
# 689 articles is interrupted 6,000 times, for a tenth of its processor time.
COLLECTOR_THRESHOLDS = (20_000, 20, 20)


def settle() -> None:
    """Leave what is loaded out of all collections, and collect more seldom; once a process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)


def return_free() -> None:
    """Give the system back what nothing uses any more (Linux; elsewhere it is collected only)."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
