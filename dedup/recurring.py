"""Wording that a publication's articles share, for its editor to remove: the newest texts, once."""

from django.db.models import F

from dedup.models import Detection
from dedup.similarity.recurring import RecurringSentence, recurring_sentences
from extraction.models import Article

# The newest texts say what the site prints now; 200 are read in a tenth of a second.
TEXTS_READ = 200
# Of so many times as many texts the originals are read: more than half are copies nowhere.
_LOOKED_AT = 2
# As many as an editor looks through at once.
MAX_OFFERED = 10


def recurring_of(publication_id: int) -> list[RecurringSentence]:
    """Find sentences that ten or more of a publication's newest texts hold, most frequent first."""
    # The newest first, by their index: nothing tells PostgreSQL that most texts are their own
    # originals, and it would read those of all publications.
    newest = Article.objects.filter(publication=publication_id, in_corpus=True)
    ids = newest.order_by("-dated_at").values_list("pk", flat=True)[: _LOOKED_AT * TEXTS_READ]
    texts = (
        Detection.objects.filter(article__in=list(ids), original_id=F("article_id"))
        .order_by("-article__dated_at", "-article_id")
        .values_list("article__text", flat=True)[:TEXTS_READ]
    )
    return recurring_sentences(texts)[:MAX_OFFERED]
