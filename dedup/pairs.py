"""What the two methods take and give: articles under detection, pairs of like ones."""

from dataclasses import dataclass
from datetime import datetime

from dedup.similarity.near import Sketch, sketch
from dedup.similarity.relations import Relation
from dedup.similarity.sentences import SentenceKey

# Of texts that are compared by their sentences.
NO_SKETCH = sketch("")


@dataclass(frozen=True, slots=True)
class Text:
    """An article under detection; `dated_at` and then `article_id` say which of two is earlier."""

    article_id: int
    dated_at: datetime
    digest: str
    keys: tuple[SentenceKey, ...]
    sketch: Sketch = NO_SKETCH

    @property
    def age(self) -> tuple[datetime, int]:
        """Sorting key: the earliest article is the original."""
        return self.dated_at, self.article_id

    @property
    def hashes(self) -> frozenset[int]:
        """The article's sentences as a set."""
        return frozenset(key.hash for key in self.keys)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two like articles, the later first; `joins` when the method puts them into one cluster."""

    article_id: int
    other_id: int
    relation: Relation
    similarity: float
    n_shared: int
    joins: bool
    closeness: float
    is_later_master: bool = False
    containment: float | None = None
    jaccard: float | None = None
