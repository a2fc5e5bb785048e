"""What is asked for of web archives: which pages of which files, whither; one row a file."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from feeds.models import Publication, WarcImport
from feeds.warc_files.choosing import WarcChoice
from feeds.warc_files.files import WarcFile, warc_files
from feeds.work import leases


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants what; all texts go to `publication`, else to those of their hosts."""

    choice: WarcChoice = field(default_factory=WarcChoice)
    publication: Publication | None = None
    asked_by_id: int | None = None
    by_reference: bool = False
    is_look: bool = False
    only_new: bool = False

    @property
    def columns(self) -> dict[str, Any]:
        """Columns of a row by which the same wish is found again."""
        choice = self.choice
        return {
            "hosts": " ".join(choice.hosts),
            "address_pattern": choice.address_pattern,
            "languages": " ".join(choice.languages),
            "first_day": choice.first_day,
            "last_day": choice.last_day,
            "publication": self.publication,
            "by_reference": self.by_reference,
            "is_look": self.is_look,
            "only_new": self.only_new,
        }


def offer(path: Path, wish: Wish, now: datetime) -> list[WarcImport]:
    """Make the files at a path due to be imported; one row each.

    An import of the same file and choice that has not ended goes on where it was.

    Raises
    ------
    BadPattern
        Where what is chosen is no pattern.
    WarcFileError
        Where there is no WARC file.
    """
    wish.choice.check()
    return [offer_file(file, wish, now) for file in warc_files(path)]


def offer_file(file: WarcFile, wish: Wish, now: datetime) -> WarcImport:
    """Make one file due to be imported; one whose import has not ended goes on."""
    same = WarcImport.objects.filter(path=file.path, member=file.member, n_bytes=file.n_bytes)
    open_row = same.filter(**wish.columns, finished_at=None).first()
    if open_row is None:
        return WarcImport.objects.create(
            path=file.path,
            member=file.member,
            n_bytes=file.n_bytes,
            **wish.columns,
            asked_by_id=wish.asked_by_id,
            created_at=now,
            due_at=now,
        )
    leases.release_quarantine(same.filter(pk=open_row.pk), now)
    leases.resume(same.filter(pk=open_row.pk, due_at=None), now)
    return open_row
