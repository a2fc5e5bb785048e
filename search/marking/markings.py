"""Markings and what people say of their lines: the one writer of these tables."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from search.asking.address import Address
from search.asking.saving import permanent_address
from search.engine.index.documents import DocumentKind
from search.marking.drawing import DrawnLines
from search.marking.places import are_there
from search.models import LineMark, MarkedLine, Marker, Marking
from search.models.marking import DELETED, LONGEST_NOTE, MOST_CATEGORIES
from search.opened_index import current_snapshot

# Of one owner. Measured on SQLite: 68 bytes a line and 77 a mark, so a hundred of the longest lists
# are 68 MB, and 77 MB more for each person who sorts all of their lines.
MOST_MARKINGS = 100
MOST_MARKERS = 12  # of one marking: pairs are compared, and each has a column
MOST_AT_ONCE = 200  # marks of one form; pages have 50 lines
_ROWS_AT_A_TIME = 1_000


class MarkingRefusedError(Exception):
    """Raised with a sentence for the reader when nothing may be written."""


@dataclass(frozen=True, slots=True)
class MarkingToMake:
    """What somebody asks for; ``address`` is the search's."""

    name: str
    categories: Sequence[str]
    address: Address
    seed: int | None = None
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says of a line: place of the category, 0 to leave it out, None for neither."""

    value: int | None
    note: str = ""

    @property
    def is_nothing(self) -> bool:
        return self.value is None and not self.note


def seen_by(person: Any) -> QuerySet[Marking]:
    """Return the markings that somebody owns, or that are open to others too."""
    return Marking.objects.filter(Q(owner=person) | Q(is_shared=True)).select_related("owner")


def make_marking(wanted: MarkingToMake, drawn: DrawnLines, owner: Any, now: datetime) -> Marking:
    """Keep drawn lines under a name.

    Raises
    ------
    MarkingRefusedError
        When there are no lines, or the owner has as many markings as one may.
    """
    if not drawn.lines:
        raise MarkingRefusedError("This query has no hits, so there is nothing to mark.")
    _check_room(owner)
    counts = drawn.counts
    with transaction.atomic():
        row = Marking.objects.create(
            owner=owner,
            name=wanted.name,
            categories=list(wanted.categories),
            parameters=str(permanent_address(wanted.address, counts.generation)),
            generation=counts.generation,
            drawn_at=counts.generation,
            n_hits=counts.total,
            base_tokens=counts.base_tokens,
            n_lines=len(drawn.lines),
            seed=wanted.seed,
            is_shared=wanted.is_shared,
            created_at=now,
        )
        for line in drawn.lines:
            line.marking = row
        MarkedLine.objects.bulk_create(drawn.lines, batch_size=_ROWS_AT_A_TIME)
    return row


def _check_room(owner: Any) -> None:
    if Marking.objects.filter(owner=owner).count() >= MOST_MARKINGS:
        raise MarkingRefusedError(
            f"You have {MOST_MARKINGS} markings, as many as one may have. Remove one first."
        )


def add_category(marking: Marking, name: str) -> None:
    """Give the next key to a category.

    Raises
    ------
    MarkingRefusedError
    """
    with transaction.atomic():
        row = _locked(marking)
        if name.casefold() in (known.casefold() for known in row.categories):
            raise MarkingRefusedError(f"There is a category “{name}” already.")
        if len(row.categories) >= MOST_CATEGORIES:
            raise MarkingRefusedError(f"There are {MOST_CATEGORIES} categories, one for each key.")
        Marking.objects.filter(pk=row.pk).update(categories=[*row.categories, name])


def mark(marking: Marking, person: Any, said: Mapping[int, Said], now: datetime) -> int:
    """Keep what somebody says of lines, by their keys; returns how many of them are there.

    Raises
    ------
    MarkingRefusedError
        When the marks are opened, a category is none, or too many people mark.
    """
    with transaction.atomic():
        row = _locked(marking)
        _check_marks(row, said)
        lines = set(row.lines.filter(pk__in=said).values_list("pk", flat=True))
        empty = [line for line in lines if said[line].is_nothing]
        marker = row.markers.filter(person=person).first()
        if marker is None:
            if len(empty) == len(lines):
                return len(lines)
            marker = _new_marker(row, person)
        LineMark.objects.filter(marker=marker, line__in=empty).delete()
        LineMark.objects.bulk_create(
            [
                LineMark(
                    line_id=line,
                    marker=marker,
                    value=said[line].value,
                    note=said[line].note,
                    marked_at=now,
                )
                for line in sorted(lines)
                if not said[line].is_nothing
            ],
            update_conflicts=True,
            unique_fields=["marker", "line"],
            update_fields=["value", "note", "marked_at"],
        )
    return len(lines)


def _locked(marking: Marking) -> Marking:
    """Read a marking anew, so that nobody opens or changes it meanwhile. Needs a transaction."""
    return Marking.objects.select_for_update().get(pk=marking.pk)


def _check_marks(row: Marking, said: Mapping[int, Said]) -> None:
    if row.is_open:
        raise MarkingRefusedError("The marks are opened, so none is changed any more.")
    if len(said) > MOST_AT_ONCE:
        raise MarkingRefusedError(f"At most {MOST_AT_ONCE} lines are marked at once.")
    most = len(row.categories)
    if any(one.value is not None and not DELETED <= one.value <= most for one in said.values()):
        raise MarkingRefusedError("This marking has no such category.")
    if any(len(one.note) > LONGEST_NOTE for one in said.values()):
        raise MarkingRefusedError(f"A note has at most {LONGEST_NOTE} characters.")


def _new_marker(row: Marking, person: Any) -> Marker:
    if row.markers.count() >= MOST_MARKERS:
        raise MarkingRefusedError(f"{MOST_MARKERS} people mark these lines, as many as may.")
    return row.markers.create(person=person, name=person.get_full_name() or person.get_username())


def open_marks(marking: Marking, now: datetime) -> None:
    """Show all marks to all who may see the marking, and let none be changed any more."""
    Marking.objects.filter(pk=marking.pk, opened_at=None).update(opened_at=now)


def remove_marking(marking: Marking) -> None:
    """Delete a marking with its lines and everybody's marks."""
    marking.delete()


def carry(marking: Marking, owner: Any, now: datetime) -> Marking:
    """Copy a marking to the newest generation: lines, marks, notes, and whether they are opened.

    A line is carried where its text still has the same words at the same place; the others stay
    behind, and the marking they stand in is not changed.

    Raises
    ------
    MarkingRefusedError
    """
    snapshot = current_snapshot()
    if snapshot.generation <= marking.generation:
        raise MarkingRefusedError("There is no newer generation to carry the lines to.")
    _check_room(owner)
    lines = list(marking.lines.order_by("number"))
    there = are_there(lines, snapshot, snapshot.generation)
    carried = [line for line, is_there in zip(lines, there, strict=True) if is_there]
    if not carried:
        raise MarkingRefusedError("None of the lines is in the newest generation.")
    with transaction.atomic():
        row = _locked(marking)
        copy = Marking.objects.create(
            owner=owner,
            name=row.name,
            categories=row.categories,
            parameters=str(permanent_address(Address.parse(row.parameters), snapshot.generation)),
            generation=snapshot.generation,
            drawn_at=row.drawn_at,
            n_hits=row.n_hits,
            base_tokens=row.base_tokens,
            n_lines=row.n_lines,
            seed=row.seed,
            is_shared=row.is_shared,
            carried_from=row,
            created_at=now,
            opened_at=row.opened_at,
        )
        _copy_marks(row, copy, _copy_lines(copy, carried))
    return copy


def _copy_lines(copy: Marking, lines: Sequence[MarkedLine]) -> dict[int, MarkedLine]:
    """Copy lines; returns the copies by the keys of their originals."""
    copies = {
        line.pk: MarkedLine(
            marking=copy,
            number=line.number,
            kind=line.kind,
            key=line.key,
            article_key=line.article_key,
            position=line.position,
            length=line.length,
            words=line.words,
        )
        for line in lines
    }
    MarkedLine.objects.bulk_create(copies.values(), batch_size=_ROWS_AT_A_TIME)
    return copies


def _copy_marks(row: Marking, copy: Marking, lines: Mapping[int, MarkedLine]) -> None:
    for marker in row.markers.order_by("pk"):
        other = copy.markers.create(person=marker.person, name=marker.name)
        marks = [
            LineMark(
                line=lines[mark.line_id],
                marker=other,
                value=mark.value,
                note=mark.note,
                marked_at=mark.marked_at,
            )
            for mark in marker.marks.all()
            if mark.line_id in lines
        ]
        LineMark.objects.bulk_create(marks, batch_size=_ROWS_AT_A_TIME)


def forget(article_ids: Collection[int], comment_ids: Collection[int]) -> None:
    """Delete the lines of erased texts, each of which quotes one. Needs a transaction."""
    MarkedLine.objects.filter(article_key__in=article_ids).delete()
    of_comments = MarkedLine.objects.filter(kind=DocumentKind.COMMENT, key__in=comment_ids)
    of_comments.delete()
