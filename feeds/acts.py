"""Who acts on a host, a feed or a parameter, when and why; the refusal of what cannot be done."""

from dataclasses import dataclass
from datetime import datetime

MAX_REASON = 200  # what the columns hold


class ActRefusedError(ValueError):
    """Raised with a sentence for the page: nothing was done, and nothing is logged."""


@dataclass(frozen=True, slots=True)
class Act:
    """Who acts, when and why; the reason stands in the log."""

    made_by: int | None
    at: datetime
    reason: str
