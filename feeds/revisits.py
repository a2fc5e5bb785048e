"""What visits find is learnt from here: when a page is worth another one."""

from datetime import datetime


def record_finding(page_id: int, is_changed: bool, now: datetime) -> None:
    """Hear that a new document of a known article was read, and whether its text had changed."""
