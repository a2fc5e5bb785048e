"""Wrong passwords of one address, under whatever names: few, then one a minute.

The lock of a name sees nothing where each name is tried a few times only. What was wrong is
forgotten evenly, so that a room of people behind one address is not shut out for long. Counted by
each web process, of which a site has one unless its admin asks for more.
"""

import math
from time import monotonic

from corpus_site.api.limits import Buckets

MOST_WRONG = 10
# A bucket fills in a minute of its clock; ours takes as many minutes as it holds.
_SLOWER = MOST_WRONG


class WrongPasswords:
    """Buckets of wrong passwords by address."""

    def __init__(self) -> None:
        self._buckets = Buckets(clock=lambda: monotonic() / _SLOWER)

    def wait(self, address: str) -> int:
        """Tell the seconds until somebody there may try again; 0 for now."""
        return math.ceil(self._buckets.wait(address, MOST_WRONG) * _SLOWER)

    def note(self, address: str) -> None:
        self._buckets.take(address, MOST_WRONG)

    def clear(self) -> None:
        self._buckets.clear()


wrong_passwords = WrongPasswords()
