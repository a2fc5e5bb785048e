"""Wording that a publication's articles share, for its editor to remove: the newest texts, once."""

from django.db.models import F

from dedup.models import Detection
from dedup.similarity.recurring import RecurringSentence, recurring_sentences

# The newest texts say what the site prints now; 200 are read in a tenth of a second.
TEXTS_READ = 200
# As many as an editor looks through at once.
MAX_OFFERED = 10


def recurring_of(publication_id: int) -> list[RecurringSentence]:
    """Find sentences that ten or more of a publication's newest texts hold, most frequent first."""
    texts = (
        Detection.objects.filter(
            article__publication=publication_id,
            article__in_corpus=True,
            original_id=F("article_id"),
        )
        .order_by("-article__dated_at", "-article_id")
        .values_list("article__text", flat=True)[:TEXTS_READ]
    )
    return recurring_sentences(texts)[:MAX_OFFERED]
