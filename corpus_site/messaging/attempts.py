"""What came of one try to hand a message over: the value that all carriers give back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """`code` is HTTP's or SMTP's; `is_final` says that trying again is of no use.

    `is_ours` says that the fault lies on our side of the way (no mail server, a server that does
    not answer), so that it is told once and not for each message.
    """

    sentence: str
    code: int | None = None
    elapsed_ms: int = 0
    is_taken: bool = False
    is_final: bool = False
    is_ours: bool = False
