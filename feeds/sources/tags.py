"""Tags of publications: words by which editors group them. The only writer of tags."""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction

from feeds.models import Publication, Tag
from feeds.sources.publications import PublicationProblem

MAX_TAG_LENGTH = 60


def clean_tag(text: str) -> str:
    """Give a tag as it is stored.

    Raises
    ------
    PublicationProblem
        When it is empty, too long, or holds a comma, which parts tags in files.
    """
    name = " ".join(text.split())
    if not name or "\0" in name:
        raise PublicationProblem("Give the tag a name.")
    if len(name) > MAX_TAG_LENGTH:
        raise PublicationProblem(f"A tag has at most {MAX_TAG_LENGTH} characters.")
    if "," in name:
        raise PublicationProblem("A tag holds no comma.")
    return name


@transaction.atomic
def add_tags(names_by_publication: Mapping[int, Iterable[str]]) -> int:
    """Tag publications; returns how many of the tags were new to them."""
    names = {name for wanted in names_by_publication.values() for name in wanted}
    if not names:
        return 0
    Tag.objects.bulk_create([Tag(name=name) for name in sorted(names)], ignore_conflicts=True)
    ids = dict(Tag.objects.filter(name__in=names).values_list("name", "pk"))
    links = Publication.tags.through.objects
    held = set(
        links.filter(publication__in=names_by_publication).values_list("publication_id", "tag_id")
    )
    wanted = {(pk, ids[name]) for pk, own in names_by_publication.items() for name in own}
    links.bulk_create(
        [
            Publication.tags.through(publication_id=pk, tag_id=tag)
            for pk, tag in sorted(wanted - held)
        ],
        ignore_conflicts=True,
    )
    return len(wanted - held)


@transaction.atomic
def remove_tag(publication_ids: Collection[int], name: str) -> int:
    """Take a tag off publications; one that nobody has any more is gone. Returns how many."""
    n_gone, _ = Publication.tags.through.objects.filter(
        publication__in=publication_ids, tag__name=name
    ).delete()
    Tag.objects.filter(name=name, publications=None).delete()
    return n_gone


def publications_by_tag() -> dict[str, tuple[str, ...]]:
    """Short names of the publications that have each tag, in one query."""
    found: dict[str, list[str]] = {}
    rows = Publication.kept.filter(tags__isnull=False).order_by("tags__name", "slug")
    for name, slug in rows.values_list("tags__name", "slug"):
        found.setdefault(name, []).append(slug)
    return {name: tuple(slugs) for name, slugs in found.items()}
