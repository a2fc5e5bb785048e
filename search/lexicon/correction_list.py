"""Read side of corrections: the queue by state, one with what it would change, those of a text."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from extraction.models import Article
from search.engine.annotation.lexicon import LexiconError
from search.lexicon import entries
from search.lexicon.correction_rulings import place_of
from search.lexicon.corrections import entry_values
from search.lexicon.effects import Effect, effect
from search.models import CorrectionState, Scope, TagCorrection

MOST_OF_A_TEXT = 20
# A correction quotes its text.
_IS_SHOWN = Q(article__withdrawn_at=None)


@dataclass(frozen=True, slots=True)
class StateCount:
    """A state in words, and how many corrections are in it."""

    state: str
    words: str
    n: int


@dataclass(frozen=True, slots=True)
class ExpectedEffect:
    """What an open wish for all texts would change; `refusal` tells why it cannot be."""

    effect: Effect | None = None
    refusal: str = ""


def corrections_in(state: str) -> QuerySet[TagCorrection]:
    """Return the corrections in a state, newest first."""
    rows = TagCorrection.objects.filter(_IS_SHOWN, state=state)
    return rows.select_related("article", "asked_by", "decided_by")


def state_counts() -> list[StateCount]:
    counted = dict(
        TagCorrection.objects.filter(_IS_SHOWN)
        .order_by()
        .values_list("state")
        .annotate(Count("pk"))
    )
    return [
        StateCount(value, words, counted.get(value, 0)) for value, words in CorrectionState.choices
    ]


def n_open() -> int:
    """Count the corrections that wait for an editor."""
    return TagCorrection.objects.filter(_IS_SHOWN, state=CorrectionState.OPEN).count()


def corrections_of(article: Article) -> list[TagCorrection]:
    """Return what is open or in force in an article."""
    rows = TagCorrection.objects.filter(
        article=article, state__in=[CorrectionState.OPEN, CorrectionState.ACCEPTED]
    )
    return list(rows.select_related("asked_by")[:MOST_OF_A_TEXT])


def is_gone(row: TagCorrection) -> bool:
    """Whether the text has changed so that the place cannot be found."""
    return row.scope == Scope.TOKEN and place_of(row).find(row.article.whole_text) is None


def expected_effect(row: TagCorrection) -> ExpectedEffect:
    """Compare the lexicon with the one that an open wish for all texts asks for."""
    if row.scope != Scope.ALWAYS or row.state != CorrectionState.OPEN:
        return ExpectedEffect()
    try:
        wanted = entry_values(row).parsed()
    except LexiconError as error:
        return ExpectedEffect(refusal=str(error))
    then = entries.overrides_with((wanted,))
    return ExpectedEffect(effect([row.word], entries.overrides(), then))
