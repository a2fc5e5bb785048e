"""Collections: publications whose texts somebody gives. The writer of their rows.

A collection has no site, feeds or pages. It never runs, so no crawl, alarm or plan of visits looks
at it; its texts are in the corpus whatever their length or kind.
"""

from datetime import datetime

from django.db import transaction

from feeds.models import Publication, PublicationKind, PublicationState, TakenKind
from feeds.sources.publications import MAX_NAME_LENGTH, PublicationProblem, unused_slug


def collection_of(name: str, now: datetime, note: str = "") -> Publication:
    """Find the collection of a name, or create it; `note` says where the texts are from.

    Raises
    ------
    PublicationProblem
        Where there is no name.
    """
    words = " ".join(name.split())[:MAX_NAME_LENGTH]
    if not words:
        raise PublicationProblem("The collection needs a name.")
    with transaction.atomic():
        known = Publication.collections.filter(name__iexact=words).order_by("pk").first()
        if known is None:
            return Publication.objects.create(
                name=words,
                slug=unused_slug(words, set(Publication.objects.values_list("slug", flat=True))),
                kind=PublicationKind.COLLECTION,
                home_url="",
                state=PublicationState.PAUSED,
                visit_share=0,
                min_characters=0,
                taken_kinds=TakenKind.values,
                created_at=now,
                note=note,
            )
        if note and note != known.note:
            known.note = note
            known.save(update_fields=["note"])
    return known


def collection_slugs() -> frozenset[str]:
    """Short names of all collections, those too that were removed; one query."""
    rows = Publication.objects.filter(kind=PublicationKind.COLLECTION)
    return frozenset(rows.values_list("slug", flat=True))
