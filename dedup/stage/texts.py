"""Texts and pairs of them: what the methods take and give, and the stored texts they compare with.

The newest reduced texts are kept in memory: candidates mostly came a short while ago.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import F, QuerySet, Window
from django.db.models.functions import Collate, RowNumber
from propcache.api import cached_property

from dedup.models import Detection, Duplicate
from dedup.similarity.near import Kinship, Match, Signature, kinship_of_part, relation, signature
from dedup.similarity.relations import Relation
from dedup.similarity.sentences import SentenceKey, sentence_hashes
from dedup.similarity.signatures import forget_words
from dedup.stage.hash_tables import is_postgres
from dedup.stage.rows import AGAIN, chunks
from extraction.models import Article
from extraction.text.sentences import split_sentences

# Some 45 kB each. Of 933 signatures asked for in an import of 600 pages 695 were made; with a
# thousand kept it would be 649, in .03 s less.
_KEPT = 200
_LONGEST_KEPT_CHARACTERS = 20_000
# Of texts that are compared by their sentences.
NO_SIGNATURE = signature("")
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
_COLUMNS = ("pk", "dated_at", "url", "text_digest", "text", "detection__original_id")
# Which of two articles is earlier: by time, then by address as a row of code points. Both are those
# of the pages, so that it does not matter which of them was read first.
Age = tuple[datetime, str, int]


def signature_of(body: str) -> Signature:
    """Reduce a text to its signature, or remember it."""
    return _signature_of(body) if len(body) <= _LONGEST_KEPT_CHARACTERS else signature(body)


def keyed(body: str) -> tuple[SentenceKey, ...]:
    """Reduce a text to the keys of its sentences, or remember them."""
    return _keyed(body) if len(body) <= _LONGEST_KEPT_CHARACTERS else _keyed.__wrapped__(body)


_signature_of = lru_cache(maxsize=_KEPT)(signature)


@lru_cache(maxsize=_KEPT)
def _keyed(body: str) -> tuple[SentenceKey, ...]:
    return tuple(sentence_hashes(body, split_sentences(body)))


def forget_signatures() -> None:
    """Let all that is remembered go: a process that has nothing to do needs none of it."""
    _signature_of.cache_clear()
    _keyed.cache_clear()
    forget_words()


@dataclass(frozen=True, slots=True)
class Text:
    """An article under detection."""

    article_id: int
    dated_at: datetime
    url: str
    digest: str
    keys: tuple[SentenceKey, ...]
    signature: Signature = NO_SIGNATURE

    @property
    def age(self) -> Age:
        """Sorting key: the earliest article is the original."""
        return self.dated_at, self.url, self.article_id

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


class KnownText:
    """A text that others may be compared with; its sentences are found when they are asked for.

    `cluster` is the name of its cluster: one's original, or minus the first one's number for a
    cluster that begins in the present batch.
    """

    def __init__(self, text: Text, cluster: int, body: str | None = None) -> None:
        self.text = text
        self.cluster = cluster
        self.body = body

    @cached_property
    def hashes(self) -> frozenset[int]:
        """The sentences; `body` stands in for a text that came without them."""
        if self.body is None:
            return self.text.hashes
        return frozenset(key.hash for key in keyed(self.body))


def pair_of(
    one: KnownText,
    another: KnownText,
    match: Match,
    *,
    joins: bool = True,
    is_one_text: bool = True,
) -> Pair:
    """Make the pair of two texts that were compared, the later of them first."""
    earlier, later = sorted((one, another), key=lambda known: known.text.age)
    signatures = later.text.signature, earlier.text.signature
    kinship = Kinship(Relation.SIMILAR, is_later_master=False)
    if match.is_part:
        kinship = kinship_of_part(*signatures)
    elif is_one_text:
        kinship = relation(*signatures)
    return Pair(
        later.text.article_id,
        earlier.text.article_id,
        kinship.relation,
        similarity=min(match.jaccard, 1.0),
        n_shared=len(one.hashes & another.hashes),
        joins=joins,
        closeness=0.0 if match.is_part else match.closeness,  # no limit makes them one
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


@dataclass(frozen=True, slots=True)
class Copy:
    """The earliest detected article of a digest, and the text that it was joined to."""

    article_id: int
    representative_id: int

    @property
    def both(self) -> tuple[int, int]:
        return self.article_id, self.representative_id


def copies_by_digest(texts: Sequence[Text]) -> dict[str, Copy]:
    """Find for each digest the earliest article with it, outside the batch and of the corpus.

    Articles that wait to be detected again are left out: where they belong was found under another
    limit, or with a text that is gone.
    """
    placed = Detection.objects.filter(representative__isnull=False)
    stored = earliest_by_digest(texts, placed.exclude(done_digest__startswith=AGAIN)).values_list(
        "article__text_digest", "article_id", "representative_id"
    )
    return {digest: Copy(article_id, name or article_id) for digest, article_id, name in stored}


def earliest_by_digest(texts: Sequence[Text], rows: "QuerySet[Detection]") -> "QuerySet[Detection]":
    """Choose the earliest of the rows with each digest of a batch, outside it and of the corpus."""
    return (
        rows.filter(
            article__text_digest__in={text.digest for text in texts if text.digest},
            article__in_corpus=True,
            detected_at__isnull=False,
        )
        .exclude(article_id__in=[text.article_id for text in texts])
        .annotate(
            rank=Window(
                RowNumber(),
                partition_by=F("article__text_digest"),
                order_by=["article__dated_at", by_code_points("article__url"), "article_id"],
            )
        )
        .filter(rank=1)
    )


def by_code_points(field: str) -> Collate:
    """Sort by a column as Python sorts texts, whatever the language of the database."""
    return Collate(field, "C" if is_postgres() else "BINARY")


def known_texts(article_ids: Collection[int]) -> dict[int, KnownText]:
    """Read and reduce articles; those that are gone are left out."""
    found: dict[int, KnownText] = {}
    for chunk in chunks(article_ids):
        rows = Article.objects.filter(pk__in=chunk, in_corpus=True)
        for pk, dated_at, url, digest, body, cluster in rows.values_list(*_COLUMNS):
            text = Text(pk, dated_at, url, digest, (), signature_of(body))
            found[pk] = KnownText(text, cluster or pk, body)
    return found
