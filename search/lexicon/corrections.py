"""Marking a wrong tag, and what an editor does with it.

A correction of one token, or of a word in one text, is a row that the index stage reads; one for
all texts becomes an entry of the lexicon. In each case decision, entry and what is to be tagged
again are written together.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower

from extraction.models import Article
from search import indexing
from search.engine.annotation.annotate import AnnotatedToken
from search.engine.annotation.languages import has_lexicon, tagged_language
from search.engine.annotation.lexicon import LexiconWord
from search.engine.annotation.tagset import TAG_SEPARATOR
from search.lexicon import changes
from search.lexicon.changes import EntryValues, Somebody, entry_for, key_of, values_of
from search.lexicon.correction_rulings import TokenPlace
from search.lexicon.entries import known_lemma
from search.models import CorrectionState, Scope, TagCorrection

MOST_OPEN = 500  # of one person: a queue that nobody can read helps nobody


class CorrectionError(ValueError):
    """A correction that cannot be taken; the message is shown to whoever made it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a token should be tagged, and how far that reaches."""

    scope: Scope
    tag: str
    lemma: str = ""
    note: str = ""
    word: str = ""  # the spelling that rules, where it reaches further than the token


@dataclass(frozen=True, slots=True)
class _Decision:
    """What becomes of an open correction, and who says so."""

    state: CorrectionState
    user: Somebody
    now: datetime
    reason: str = ""


def ask(
    article: Article, token: AnnotatedToken, wish: Wish, user: Somebody, now: datetime
) -> TagCorrection:
    """Put a correction into the queue; without a lemma, that of the lexicon is kept.

    Raises
    ------
    LexiconError
        When tag or lemma cannot be used.
    CorrectionError
        When it changes nothing, is in the queue already, or the queue is full of the person's own.
    """
    parsed = _parse(token, wish, article.language)
    _refuse_idle(token, parsed, wish.scope)
    if wish.scope == Scope.ALWAYS and not has_lexicon(article.language):
        raise CorrectionError("The lexicon rules over English texts only: choose how far else.")
    tags = TAG_SEPARATOR.join(parsed.tags)
    own = TagCorrection.objects.filter(asked_by=key_of(user), state=CorrectionState.OPEN)
    if own.filter(article=article, start=token.start, scope=wish.scope, tag=tags).exists():
        raise CorrectionError("You have marked this already; an editor will look at it.")
    if own.count() >= MOST_OPEN:
        raise CorrectionError(
            f"{MOST_OPEN} corrections of yours wait for an editor: no more until some are decided."
        )
    place = TokenPlace.in_text(article.whole_text, token.start, token.word)
    return TagCorrection.objects.create(
        article=article,
        scope=wish.scope,
        word=parsed.word,
        start=place.start,
        before=place.before,
        after=place.after,
        tag_was=token.tag,
        tag=tags,
        lemma=parsed.lemma or _known_lemma(parsed, article.language),
        note=wish.note,
        asked_by_id=key_of(user),
        asked_at=now,
    )


def lemmas_without_wish(token: AnnotatedToken, wish: Wish, language: str) -> dict[str, str]:
    """Say by tag which lemma the token gets when the wish names none; LexiconError as `ask`."""
    parsed = _parse(token, wish, language)
    known = _known_lemma(parsed, language)
    entry = tagged_language(language)
    if known or entry is None:
        return dict.fromkeys(parsed.tags, known)
    return {tag: entry.lemmas([parsed.word], [tag])[0] for tag in parsed.tags}


def scopes_of(language: str) -> list[tuple[str, str]]:
    """Return how far a correction in a text of a language may reach, with its words."""
    return [
        (value, label)
        for value, label in Scope.choices
        if value != Scope.ALWAYS or has_lexicon(language)
    ]


def _known_lemma(wanted: LexiconWord, language: str) -> str:
    return known_lemma(wanted) if has_lexicon(language) else ""


def _parse(token: AnnotatedToken, wish: Wish, language: str) -> LexiconWord:
    word = token.word if wish.scope == Scope.TOKEN else wish.word or token.word
    return LexiconWord.parse(word, wish.tag, wish.lemma, language)


def _refuse_idle(token: AnnotatedToken, wanted: LexiconWord, scope: Scope) -> None:
    is_same_lemma = not wanted.lemma or wanted.lemma == token.lemma
    if scope == Scope.TOKEN and wanted.tags == (token.tag,) and is_same_lemma:
        raise CorrectionError(f"“{token.word}” is {token.tag} already: nothing would change.")
    if wanted.word.lower() != token.word.lower():
        raise CorrectionError(
            f"“{wanted.word}” is not the word that stands there, which is “{token.word}”."
        )


@transaction.atomic
def accept(correction: TagCorrection, user: Somebody, now: datetime) -> bool:
    """Put an open correction in force; False when somebody else has decided meanwhile."""
    if not _decide(correction, _Decision(CorrectionState.ACCEPTED, user, now)):
        return False
    if correction.scope == Scope.ALWAYS:
        values = entry_values(correction)
        changes.save_entries([values], user, now)
    else:
        indexing.register([correction.article_id], now)
    return True


def entry_values(correction: TagCorrection) -> EntryValues:
    """Return the lexicon entry that a correction asks for; what else is known of the word stays."""
    entry = entry_for(correction.word)
    known = values_of(entry) if entry else None
    return EntryValues(
        word=correction.word,
        tag=correction.tag,
        lemma=correction.lemma,
        language_of_origin=known.language_of_origin if known else "",
        note=known.note if known else correction.note,
        source=known.source if known else f"correction {correction.pk}",
    )


@transaction.atomic
def refuse(correction: TagCorrection, user: Somebody, reason: str, now: datetime) -> bool:
    """Leave things as they are; False when somebody else has decided meanwhile."""
    return _decide(correction, _Decision(CorrectionState.REFUSED, user, now, reason))


@transaction.atomic
def end(correction: TagCorrection, user: Somebody, now: datetime) -> bool:
    """Take a correction back: an open one from the queue, one of a text out of force."""
    rows = TagCorrection.objects.filter(
        pk=correction.pk, state__in=[CorrectionState.OPEN, CorrectionState.ACCEPTED]
    ).exclude(state=CorrectionState.ACCEPTED, scope=Scope.ALWAYS)
    if not rows.update(state=CorrectionState.ENDED, decided_by=key_of(user), decided_at=now):
        return False
    indexing.register([correction.article_id], now)
    return True


def _decide(correction: TagCorrection, decision: _Decision) -> bool:
    """Move an open correction on; its row is held while what it replaces is ended."""
    rows = TagCorrection.objects.filter(pk=correction.pk, state=CorrectionState.OPEN)
    if not rows.select_for_update().exists():
        return False
    if decision.state == CorrectionState.ACCEPTED:
        _rivals(correction).update(state=CorrectionState.ENDED)
    rows.update(
        state=decision.state,
        decided_by=key_of(decision.user),
        decided_at=decision.now,
        reason=decision.reason,
    )
    return True


def _rivals(correction: TagCorrection) -> QuerySet[TagCorrection]:
    """Find what is in force at the same place: the later correction takes its turn."""
    rows = TagCorrection.objects.filter(
        article=correction.article_id, scope=correction.scope, state=CorrectionState.ACCEPTED
    )
    if correction.scope == Scope.TOKEN:
        return rows.filter(start=correction.start)
    if correction.scope == Scope.TEXT:
        return rows.annotate(folded=Lower("word")).filter(folded=correction.word.lower())
    return rows.none()
