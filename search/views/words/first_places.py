"""Where words first stand, for readers: the sentence, its text's title and publication, a link."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.urls import reverse

from extraction.models import Article
from search.answers.part_places import hit_name
from search.asking.address import Address
from search.engine.index.documents import DocumentInfo, DocumentKind
from search.engine.index.reader import Snapshot
from search.engine.statistics.vocabulary.new_words import FirstSight

MOST_TOKENS = 30  # on each side; longer "sentences" are lists


@dataclass(frozen=True, slots=True)
class FirstPlace:
    """The sentence in three pieces and where it stands."""

    left: str
    node: str
    right: str
    title: str
    publication: str
    is_comment: bool
    published: datetime | None
    address: str


def first_places(
    snapshot: Snapshot, sights: Iterable[tuple[FirstSight, Address]], names: dict[str, str]
) -> list[FirstPlace]:
    """Read the sentences from the index and the titles from the database, in one query.

    Each sight comes with the address of the hits of its word; ``names`` are those of publications
    by slug.
    """
    found = [
        (sight, address, snapshot.document_info(sight.view, sight.row)) for sight, address in sights
    ]
    ids = [_article_id(info) for _, _, info in found]
    titles = dict(Article.objects.filter(pk__in=ids).values_list("pk", "title"))
    return [
        FirstPlace(
            left=_text(
                snapshot, sight, max(sight.start, sight.position - MOST_TOKENS), sight.position
            ),
            node=_text(snapshot, sight, sight.position, sight.position + 1).strip(),
            right=_text(
                snapshot, sight, sight.position + 1, min(sight.stop, sight.position + MOST_TOKENS)
            ),
            title=titles.get(_article_id(info), ""),
            publication=names.get(info.publication, info.publication),
            is_comment=info.kind is DocumentKind.COMMENT,
            published=None
            if info.is_undated
            else datetime.fromtimestamp(info.published_seconds, UTC),
            address=_address(sight, address, info),
        )
        for sight, address, info in found
    ]


def _article_id(info: DocumentInfo) -> int:
    return info.parent_key if info.kind is DocumentKind.COMMENT else info.key


def _address(sight: FirstSight, address: Address, info: DocumentInfo) -> str:
    """Address of the hit in its article or under it."""
    is_comment = info.kind is DocumentKind.COMMENT
    offset = sight.position - int(sight.view.segment.bounds[sight.row])
    hit = hit_name(info.kind, info.key, offset)
    page = reverse("article-comments" if is_comment else "article", args=[_article_id(info)])
    return f"{address.change(hit=hit).query_part().at(page)}#h{hit}"


def _text(snapshot: Snapshot, sight: FirstSight, start: int, stop: int) -> str:
    segment = sight.view.segment
    tokens = snapshot.tokens(segment.stream[start:stop])
    spaces = segment.space_before(start, stop).tolist()
    return "".join(
        f"{' ' if space else ''}{token.word}" for token, space in zip(tokens, spaces, strict=True)
    )
