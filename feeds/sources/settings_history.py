"""Who changed which setting of a publication, when, from what to what."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import QuerySet

from feeds.models import Account, Publication, PublicationChange

# What workers write, and what follows from a change.
_NO_SETTINGS = frozenset({"id", "comments_open_days", "created_at", "started_at", "paused_at"})
_SETTINGS = tuple(
    field
    for field in Publication._meta.concrete_fields
    if field.name not in _NO_SETTINGS and not field.is_relation
)


@contextmanager
def kept_changes(ids: Collection[int], user: Any, now: datetime) -> Iterator[None]:
    """Keep what changes in the settings of these publications inside of the block.

    The block is one transaction; `user` is who changes them, None for a command.
    """
    with transaction.atomic():
        before = _settings(ids)
        yield
        after = _settings(ids)
        PublicationChange.objects.bulk_create(
            PublicationChange(
                publication_id=pk,
                field=field.name,
                before=_words(field, before[pk][field.name]),
                after=_words(field, after[pk][field.name]),
                made_by=user,
                made_at=now,
            )
            for pk in after.keys() & before.keys()
            for field in _SETTINGS
            if before[pk][field.name] != after[pk][field.name]
        )


@contextmanager
def kept_accounts(publication: Publication, user: Any, now: datetime) -> Iterator[None]:
    """Keep that the accounts of a publication changed inside of the block; no secret is kept."""
    with transaction.atomic():
        before = _accounts(publication)
        yield
        PublicationChange.objects.create(
            publication=publication,
            field="accounts",
            before=before,
            after=_accounts(publication),
            made_by=user,
            made_at=now,
        )


def _accounts(publication: Publication) -> str:
    rows = Account.objects.filter(publication=publication)
    return "; ".join(
        f"{row.get_kind_display()}{f', {row.host}' if row.host else ''}"
        f"{'' if row.is_active else ', not used'}"
        for row in rows
    )


def changes_of(publication: Publication) -> QuerySet[PublicationChange]:
    """All kept changes of a publication, the newest first."""
    return PublicationChange.objects.filter(publication=publication).select_related("made_by")


def _settings(ids: Collection[int]) -> dict[int, dict[str, Any]]:
    rows = Publication.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return {row["id"]: row for row in rows.values("id", *(field.name for field in _SETTINGS))}


def _words(field: "models.Field[Any, Any]", value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    labels = dict(field.flatchoices)
    return str(labels.get(value, "" if value is None else value))
