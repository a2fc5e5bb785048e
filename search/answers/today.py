"""What today's texts bring: words never seen before, and words more frequent than usual.

Input → output: today's date → `WordsToday`, remembered until the corpus changes. The pages of new
words and of keyness show the same numbers.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta

from search.answers.answering import selection_of
from search.answers.ignoring import ignored_forms
from search.asking.request import ARTICLES, Texts
from search.engine.index.documents import UNIX_EPOCH
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered
from search.engine.index.selection import Base, Selection
from search.engine.statistics.keyness import Keyness, KeynessRequest, keyness
from search.engine.statistics.vocabulary.new_words import NewWords, NewWordsRequest, new_words
from search.opened_index import current_snapshot

RECENT_DAYS = 2  # today and yesterday: a day that has just begun has few words
USUAL_DAYS = 30  # before them
N_NEW = 5
N_KEY = 6


@dataclass(frozen=True, slots=True)
class WordsToday:
    """New words of a day, words more frequent lately than in the days before, and both bases."""

    snapshot: Snapshot
    new: NewWords
    key: Keyness
    recent: Base
    usual: Base


# Few days are asked for beside today; lists of ignored words change them.
_DAYS: Remembered[tuple[date, frozenset[str]], WordsToday] = Remembered(8)


def words_today(today: date) -> WordsToday:
    """Return what today brings, in articles, copies counted once."""
    snapshot = current_snapshot()
    ignored = ignored_forms()
    return _DAYS.of(snapshot).get_or((today, ignored), lambda: _find(snapshot, today, ignored))


def _find(snapshot: Snapshot, today: date, ignored: frozenset[str]) -> WordsToday:
    day = (today - UNIX_EPOCH).days
    first = today - timedelta(days=RECENT_DAYS - 1)
    recent = _published(first, None)
    usual = _published(first - timedelta(days=USUAL_DAYS), first - timedelta(days=1))
    wanted = KeynessRequest(without_function_words=True, without_names=True, limit=N_KEY)
    return WordsToday(
        snapshot,
        new_words(_published(None, None), NewWordsRequest(day, day, ignored=ignored, limit=N_NEW)),
        keyness(recent, usual, wanted),
        recent.base,
        usual.base,
    )


def _published(first: date | None, last: date | None) -> Selection:
    return selection_of(Texts(replace(ARTICLES, first_day=first, last_day=last)))
