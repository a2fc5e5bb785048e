"""Changing the lexicon: an entry, its history and the job that tags old texts again, all at once.

Changes go one after the other under a lock, so that revisions are numbered in the order in which
they can be seen: whoever reads the last one has read all before it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models.functions import Lower

from feeds.work import leases
from feeds.work.leases import Claim
from search.engine.annotation.lexicon import Entry, parse_entry
from search.models import (
    ChangeKind,
    CorrectionState,
    LexiconChange,
    LexiconEntry,
    Retagging,
    Scope,
    TagCorrection,
)

LEXICON_LOCK = "lexicon"
WORDS_IN_A_TITLE = 3

# Who changes something; None for the program itself.
Somebody = AbstractBaseUser | AnonymousUser | None


@dataclass(frozen=True, slots=True)
class EntryValues:
    """What an editor says of a word or an expression."""

    word: str
    tag: str
    lemma: str = ""
    language_of_origin: str = ""
    note: str = ""
    source: str = ""

    def parsed(self) -> Entry:
        """Check the values; LexiconError with a sentence when something is wrong."""
        return parse_entry(self.word, self.tag, self.lemma)


_FIELDS = tuple(field.name for field in fields(EntryValues))


def values_of(row: LexiconEntry | LexiconChange) -> EntryValues:
    return EntryValues(**{name: getattr(row, name) for name in _FIELDS})


def entry_for(word: str) -> LexiconEntry | None:
    """Find the editors' entry for a word in whatever spelling."""
    return LexiconEntry.objects.filter(word__iexact=word, is_active=True).first()


@transaction.atomic
def save_entries(values: Sequence[EntryValues], user: Somebody, now: datetime) -> Retagging | None:
    """Enter words, or change the entries that there are for them.

    Returns the job that tags old texts again; None when nothing is new.

    Raises
    ------
    LexiconError
        When a value cannot be used; nothing is written then.
    """
    _one_at_a_time(now)
    changes = [change for item in values if (change := _save(item, user, now))]
    return _follow_up(changes, user, now)


@transaction.atomic
def remove_entry(entry: LexiconEntry, user: Somebody, now: datetime) -> Retagging:
    """Leave a word to the shipped list and the tagger again."""
    _one_at_a_time(now)
    change = LexiconChange.objects.create(
        word=entry.word, kind=ChangeKind.REMOVED, made_by_id=key_of(user), made_at=now
    )
    # What put it into the lexicon rules no more; otherwise the queue would list it as in force.
    TagCorrection.objects.annotate(folded=Lower("word")).filter(
        folded=entry.word.lower(), scope=Scope.ALWAYS, state=CorrectionState.ACCEPTED
    ).update(state=CorrectionState.ENDED)
    entry.delete()
    job = _follow_up([change], user, now)
    if job is None:
        raise AssertionError("a removal is a change")
    return job


def _one_at_a_time(now: datetime) -> None:
    """Wait for whoever changes the lexicon now: the lock's row stays ours until the commit."""
    leases.take_lock(LEXICON_LOCK, Claim(LEXICON_LOCK, now, timedelta(0)))


def _save(values: EntryValues, user: Somebody, now: datetime) -> LexiconChange | None:
    parsed = values.parsed()
    values = replace(values, word=parsed.word, tag=parsed.tag, lemma=parsed.lemma)
    entry = LexiconEntry.objects.filter(word__iexact=parsed.word).first()
    if entry and entry.is_active and values_of(entry) == values:
        return None
    kind = ChangeKind.CHANGED if entry and entry.is_active else ChangeKind.ADDED
    entry = entry or LexiconEntry(created_by_id=key_of(user))
    for name, value in asdict(values).items():
        setattr(entry, name, value)
    entry.is_active = True
    entry.save()
    return LexiconChange.objects.create(
        kind=kind, made_by_id=key_of(user), made_at=now, **asdict(values)
    )


def _follow_up(changes: Sequence[LexiconChange], user: Somebody, now: datetime) -> Retagging | None:
    if not changes:
        return None
    words = list(dict.fromkeys(change.word.lower() for change in changes))
    return Retagging.objects.create(
        title=_title([change.word for change in changes]),
        words=words,
        revision=changes[-1].pk,
        created_by_id=key_of(user),
        created_at=now,
        due_at=now,
    )


def _title(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:WORDS_IN_A_TITLE])
    n_more = len(words) - WORDS_IN_A_TITLE
    return shown if n_more < 1 else f"{shown} and {n_more} more"


def key_of(user: Somebody) -> int | None:
    return None if user is None else user.pk
