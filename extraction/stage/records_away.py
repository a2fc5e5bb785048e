"""Pages whose archived copy cannot be read here and now: they wait and come back by themselves.

A file of the archive may lie on another machine, be restored late, be cut off or damaged. That is
no property of the page: its row keeps what was said of it, is tried again after as long as it has
waited already, and at once when a file of the archive can be read again.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min

from extraction.models import Extraction
from feeds.archive.fetches import ArchiveAwayError, RecordAwayError, read_archived
from feeds.models import Fetch, WorkQuerySet
from feeds.work import leases
from feeds.work.leases import Claim

# A share that is a little behind is so for seconds; whoever mends an archive looks the same day.
FIRST_WAIT = timedelta(seconds=30)
_LONGEST_WAIT = timedelta(hours=6)
# Of so many waiting pages at either end a sweep looks whether their files are there.
_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class RecordsAway:
    """How many pages wait for their records, since when the first does, and what is said of it."""

    n_pages: int
    since: datetime
    example: str


def wait(row: Extraction, error: RecordAwayError, terms: Claim) -> None:
    """Close a claimed row's lease until its record may be there again; no attempt is lost."""
    since = row.unread_since or terms.now
    leases.complete(
        row,
        terms.owner,
        due_at=terms.now + min(max(terms.now - since, FIRST_WAIT), _LONGEST_WAIT),
        last_error=str(error),
        unread_since=since,
    )


def bring_back(now: datetime) -> int:
    """Make pages due whose files of the archive can be read again; returns how many."""
    names = {name for name, is_readable in _looked_at() if is_readable}
    if not names:
        return 0
    back = _waiting().filter(page__content_fetch__archive_file__in=names, due_at__gt=now)
    return back.reschedule(now)


def records_away() -> RecordsAway | None:
    """Count the pages that wait for their records; None where none does."""
    first = _waiting().order_by("unread_since").values_list("last_error", flat=True).first()
    if first is None:
        return None
    since = _waiting().aggregate(at=Min("unread_since"))["at"]
    return RecordsAway(_waiting().count(), since, first)


def _waiting() -> "WorkQuerySet[Extraction]":
    return Extraction.objects.filter(unread_since__isnull=False)


def _looked_at() -> Collection[tuple[str, bool]]:
    """Try a record of some files: the name of each, and whether it can be read."""
    rows = _waiting().select_related("page__content_fetch")
    some = [row for end in ("", "-") for row in rows.order_by(f"{end}unread_since")[:_LOOKED_AT]]
    fetches = [row.page.content_fetch for row in some]
    return {(fetch.archive_file, _is_readable(fetch)) for fetch in fetches if fetch is not None}


def _is_readable(fetch: Fetch) -> bool:
    try:
        return read_archived(fetch) is not None
    except (ArchiveAwayError, RecordAwayError):
        return False
