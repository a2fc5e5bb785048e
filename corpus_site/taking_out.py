"""How all tables take texts out of the corpus: the only place that knows the service for it.

A text is never deleted here: it is withdrawn, leaves dedup, index and export, and can be put back.
Where nothing is connected, the tables offer no deletion of texts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from feeds.models import Publication

REASON = "Taken out under All tables"


@dataclass(frozen=True, slots=True)
class TextsToGo:
    """What goes, by whom (a user), when; a publication goes with all of its texts."""

    by: Any
    now: datetime
    articles: tuple[int, ...] = ()
    comments: tuple[int, ...] = ()
    publication: Publication | None = None
    reason: str = REASON


# Withdraws, and tells the stages that follow.
Service = Callable[[TextsToGo], None]
WITHDRAW: Service | None = None


def can_withdraw() -> bool:
    """Whether texts can be taken out at all."""
    return WITHDRAW is not None


def take_out(texts: TextsToGo) -> None:
    """Withdraw texts; only where `can_withdraw`."""
    if WITHDRAW is None:
        raise NotImplementedError("nothing withdraws texts")
    WITHDRAW(texts)
