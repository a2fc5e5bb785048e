"""Two texts that were compared, as a pair to be stored."""

from datetime import datetime
from functools import cached_property

from dedup.models import Duplicate
from dedup.pairs import Pair, Text
from dedup.similarity.near import Kinship, Match, relation
from dedup.similarity.relations import Relation
from dedup.sketching import keyed

# What a method says of a pair; an editor's verdict stands beside it.
FOUND_FIELDS = (
    "relation",
    "is_later_master",
    "joins",
    "similarity",
    "containment",
    "jaccard",
    "closeness",
    "n_shared",
)


class Known:
    """A text that others may be compared with; its sentences are found when they are asked for.

    `cluster` is the name of its cluster: one's original, or minus the first one's number for a
    cluster that begins in the present batch.
    """

    def __init__(self, text: Text, cluster: int, body: str | None = None) -> None:
        self.text = text
        self.cluster = cluster
        self._body = body

    @cached_property
    def hashes(self) -> frozenset[int]:
        """The sentences; `body` stands in for a text that came without them."""
        if self._body is None:
            return self.text.hashes
        return frozenset(key.hash for key in keyed(self._body))


def pair_of(
    one: Known, another: Known, match: Match, *, joins: bool = True, is_one_text: bool = True
) -> Pair:
    """Make the pair of two texts that were compared, the later of them first."""
    earlier, later = sorted((one, another), key=lambda known: known.text.age)
    kinship = Kinship(Relation.SIMILAR, is_later_master=False)
    if is_one_text:
        kinship = relation(later.text.sketch, earlier.text.sketch)
    return Pair(
        later.text.article_id,
        earlier.text.article_id,
        kinship.relation,
        similarity=min(match.jaccard, 1.0),
        n_shared=len(one.hashes & another.hashes),
        joins=joins,
        closeness=match.closeness,
        is_later_master=kinship.is_later_master,
        containment=min(match.containment, 1.0),
        jaccard=min(match.jaccard, 1.0),
    )


def as_row(pair: Pair, now: datetime) -> Duplicate:
    """Make the row of a pair, without a verdict."""
    found = {name: getattr(pair, name) for name in FOUND_FIELDS}
    return Duplicate(article_id=pair.article_id, other_id=pair.other_id, detected_at=now, **found)


def ends_of(pair: Pair | Duplicate) -> frozenset[int]:
    """Both articles of a pair, in whatever order."""
    return frozenset((pair.article_id, pair.other_id))
