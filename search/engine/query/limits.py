"""How much one query may cost, in token visits, so that the limit is the same on any machine."""

from collections.abc import Callable
from dataclasses import dataclass

from search.engine.allowance import go_on
from search.engine.query.errors import QueryCancelledError, QueryTooExpensiveError

DEFAULT_VISITS = 1_000_000_000  # about 10 s: measured 6 to 50 ns a visit on a busy core
# Tokens compared in blocks for the price of a visit: 0.06 ns each for a tag, 2 at most for a type.
SCANNED_PER_VISIT = 4
# Matches whose begins and ends are held at once, 16 bytes each, beside what finding them takes.
MOST_HELD = 24_000_000
MAX_ELEMENTS = 1_000  # tokens of a pattern with its repetitions written out
# Ways from one token of a pattern to another, half a second's work: two lists of 400 words one
# behind the other have 160,000, 600 tokens that may all be left out 180,000.
MAX_WAYS = 200_000


@dataclass(slots=True)
class Budget:
    """What a query may still spend, and whether its caller still wants it.

    Parameters
    ----------
    visits : int
        Token visits allowed.
    is_cancelled : callable
        Asked between blocks of work.
    """

    visits: int = DEFAULT_VISITS
    is_cancelled: Callable[[], bool] = lambda: False
    n_held: int = 0

    def hold(self, n_matches: int) -> None:
        """Count matches that are kept until the answer is made.

        Raises QueryTooExpensiveError where they would take too much memory.
        """
        self.n_held += n_matches
        if self.n_held > MOST_HELD:
            message = (
                f"This query has more than {MOST_HELD:,} matches of several words. Make it more "
                "specific, or search a shorter period or fewer publications."
            )
            raise QueryTooExpensiveError(message)

    def scan(self, n_tokens: int) -> None:
        """Count tokens that are about to be compared in blocks; raises what `spend` does."""
        self.spend(n_tokens // SCANNED_PER_VISIT)

    def spend(self, visits: int) -> None:
        """Count work that is about to be done.

        Raises
        ------
        QueryTooExpensiveError, QueryCancelledError
        AllowanceUsedError
            By the allowance of whoever asks, where there is one.
        """
        self.visits -= visits
        if self.visits < 0:
            message = (
                "This query would look at too many places. Make it more specific, search a shorter "
                "period or fewer publications, or keep the match within a sentence."
            )
            raise QueryTooExpensiveError(message)
        go_on()
        if self.is_cancelled():
            raise QueryCancelledError
