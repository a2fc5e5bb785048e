"""The only writer of past queries: what somebody asked, with the numbers of the last time."""

import hashlib
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from django.db import IntegrityError, OperationalError
from django.db.models import Q, QuerySet

from feeds.work.short_waits import briefly
from search.models import PastQuery

# Of each person, unnamed: some months of work, and a page that can be looked through.
MOST_KEPT = 1_000
# A page waits no longer for its record than this.
WAIT_SECONDS = 0.05
# Who turns pages or goes back and forth asks the same question.
SAME_WITHIN = timedelta(minutes=1)
# Of all people, in one process; the oldest are lost.
MOST_WAITING = 200
_MOST_CHOICES_CHARS = 500
_DIGEST_BYTES = 16
_UNNAMED = Q(name="", folder="", note="")
logger = logging.getLogger(__name__)
_waiting: dict[tuple[int, str], PastQuery] = {}
_turn = Lock()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was answered.

    `view` is its page, `parameters` the query string that leads there again, `identity` what of it
    tells one question from another; `choices` are the page's own settings in words. `n_hits` is
    None for what is no search.
    """

    view: str
    parameters: str
    identity: str
    text: str
    choices: str
    n_hits: int | None
    generation: int

    @property
    def digest(self) -> str:
        """Name it among the questions of a person."""
        text = f"{self.view}?{self.identity}"
        return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def remember(owner: Any, asked: Asked, now: datetime) -> None:
    """Write down a question, or its numbers of now; forget the oldest above `MOST_KEPT`.

    Where the database is busy it waits in memory for the next that is written.
    """
    known = PastQuery.objects.filter(owner=owner, digest=asked.digest).first()
    if known is None or not _is_as_before(known, asked, now):
        with _turn:
            _waiting[owner.pk, asked.digest] = _row(owner.pk, asked, now)
        write_waiting(WAIT_SECONDS)


def _is_as_before(known: PastQuery, asked: Asked, now: datetime) -> bool:
    before = known.parameters, known.n_hits, known.generation
    is_same = before == (asked.parameters, asked.n_hits, asked.generation)
    return is_same and now - known.asked_at < SAME_WITHIN


def _row(owner_id: int, asked: Asked, now: datetime) -> PastQuery:
    return PastQuery(
        owner_id=owner_id,
        digest=asked.digest,
        view=asked.view,
        parameters=asked.parameters,
        text=asked.text,
        choices=asked.choices[:_MOST_CHOICES_CHARS],
        n_hits=asked.n_hits,
        generation=asked.generation,
        asked_at=now,
    )


def write_waiting(seconds: float) -> None:
    """Write what waits, behind another's lock for so long at most; else it waits on."""
    with _turn:
        rows = dict(_waiting)
    if not rows:
        return
    try:
        with briefly(seconds):
            _write(list(rows.values()))
    except OperationalError as error:
        logger.info("%d past queries wait: %s", len(rows), error)
        with _turn:
            for key in list(_waiting)[:-MOST_WAITING]:
                del _waiting[key]
        return
    except IntegrityError as error:  # somebody's account is gone
        logger.warning("%d past queries are lost: %s", len(rows), error)
    with _turn:
        for key, row in rows.items():
            if _waiting.get(key) is row:
                del _waiting[key]


def _write(rows: list[PastQuery]) -> None:
    PastQuery.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["owner", "digest"],
        update_fields=["parameters", "n_hits", "generation", "asked_at"],
    )
    for owner_id in {row.owner_id for row in rows}:
        unnamed = PastQuery.objects.filter(_UNNAMED, owner=owner_id)
        old = list(unnamed.values_list("pk", flat=True)[MOST_KEPT : 2 * MOST_KEPT])
        if old:
            PastQuery.objects.filter(pk__in=old).delete()


def past_queries(
    owner: Any, words: str = "", folder: str = "", view: str = ""
) -> QuerySet[PastQuery]:
    """Return somebody's past queries, those with some words, of a folder or view; newest first."""
    rows = PastQuery.objects.filter(owner=owner)
    if folder:
        rows = rows.filter(folder=folder)
    if view:
        rows = rows.filter(view=view)
    for word in words.split():
        rows = rows.filter(
            Q(text__icontains=word)
            | Q(choices__icontains=word)
            | Q(name__icontains=word)
            | Q(note__icontains=word)
            | Q(parameters__icontains=word)
        )
    return rows


def folders_of(owner: Any) -> list[str]:
    """Return the names of somebody's folders in order."""
    return _values_of(owner, "folder")


def views_of(owner: Any) -> list[str]:
    """Return the views that somebody has asked for."""
    return _values_of(owner, "view")


def _values_of(owner: Any, field: str) -> list[str]:
    rows = PastQuery.objects.filter(owner=owner).exclude(**{field: ""})
    return list(rows.order_by(field).values_list(field, flat=True).distinct())


def name_query(row: PastQuery, name: str, folder: str, note: str) -> None:
    """Give a past query a name, a folder, a note; with any of them it is kept for good."""
    row.name, row.folder, row.note = name, folder, note
    row.save(update_fields=["name", "folder", "note"])


def rename_folder(owner: Any, folder: str, name: str) -> int:
    """Give a folder another name, or put what is in it into none; returns how many queries."""
    return (
        PastQuery.objects.filter(owner=owner, folder=folder).exclude(folder="").update(folder=name)
    )


def forget_query(row: PastQuery) -> None:
    """Take one out."""
    row.delete()


def forget_unnamed(owner: Any) -> int:
    """Take out all that have no name, folder or note; returns how many."""
    n_gone, _ = PastQuery.objects.filter(_UNNAMED, owner=owner).delete()
    return n_gone
