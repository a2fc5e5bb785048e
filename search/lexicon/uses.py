"""How often the words of the lexicon are used and overrule the tagger: a round a day.

Words that the corpus does not have are not counted. What a job has tagged again is counted anew at
once.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from feeds.work import leases
from feeds.work.batches import Report
from feeds.work.leases import Claim
from search.engine.annotation.lexicon import WORD_SEPARATOR
from search.engine.query.filters import EVERY_TEXT, select
from search.engine.statistics.counting.type_counts import value_counts
from search.lexicon import entries
from search.lexicon.effects import LINES_LOOKED_AT, effect
from search.models import LexiconUse, UseCount
from search.opened_index import current_snapshot

ROUND = timedelta(days=1)
# Some 0.1 s each; texts that come in meanwhile wait for so many.
WORDS_PER_TURN = 10


def plan(now: datetime) -> None:
    """Have the first round counted; later ones follow by themselves."""
    UseCount.objects.get_or_create(pk=1, defaults={"due_at": now})


def count_anew(words: Collection[str], now: datetime) -> None:
    """Forget the counts of some words, in small letters, and count them soon."""
    LexiconUse.objects.filter(word__in=list(words)).delete()
    plan(now)
    UseCount.objects.filter(quarantined_at=None).reschedule(now)


def run(terms: Claim) -> Report:
    """Count the next words of the round."""
    claimed = leases.claim(UseCount.objects.all(), 1, terms)
    for row in UseCount.objects.filter(pk__in=claimed):
        words = _uncounted(terms.now)
        for word in words[:WORDS_PER_TURN]:
            count_uses(word, terms.now)
        is_last = len(words) <= WORDS_PER_TURN
        leases.complete(
            row,
            terms.owner,
            due_at=terms.now + ROUND if is_last else terms.now,
            last_word=words[:WORDS_PER_TURN][-1] if words else row.last_word,
        )
    return Report(len(claimed))


def count_uses(word: str, now: datetime) -> LexiconUse:
    """Tag the newest occurrences of a word with and without its entry, and keep the numbers."""
    found = effect(
        [word], entries.overrides_but(word), entries.overrides(), n_lines=LINES_LOOKED_AT
    )
    numbers = {
        "n_hits": found.n_hits,
        "n_texts": found.n_texts,
        "n_checked": found.n_looked_at,
        "n_decided": found.n_decided,
        "n_overrode": found.n_changed,
        "counted_at": now,
    }
    return LexiconUse.objects.update_or_create(word=word.lower(), defaults=numbers)[0]


def _uncounted(now: datetime) -> list[str]:
    """Return words in force that the corpus has and this round has not counted."""
    counted = set(
        LexiconUse.objects.filter(counted_at__gt=now - ROUND).values_list("word", flat=True)
    )
    snapshot = current_snapshot()
    n_tokens = value_counts(select(snapshot, EVERY_TEXT), "lower")

    def is_there(token: str) -> bool:
        form = snapshot.lexicon.find_form(token)
        return form is not None and bool(n_tokens[form])

    return sorted(
        word
        for word in {entry.word.lower() for entry in entries.overrides().entries} - counted
        if all(map(is_there, word.split(WORD_SEPARATOR)))
    )
