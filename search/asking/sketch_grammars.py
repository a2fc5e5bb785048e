"""Sketch grammars in force: the newest version that an editor made, or the one that ships."""

from functools import lru_cache
from typing import Any

from django.db import IntegrityError, transaction

from search.engine.sketches.grammar import Grammar, GrammarError, Mistake, read_grammar
from search.engine.sketches.shipped import shipped_languages, shipped_text
from search.models import SketchGrammar

KEPT_GRAMMARS = 16  # that were read; a sketch asks for one of each language


class ChangedMeanwhileError(Exception):
    """Somebody else made a version at the same time; raised by `keep_grammar`."""


def grammar_languages() -> list[str]:
    """Return the codes of the languages that have a grammar."""
    return shipped_languages()


def grammar_in_force(language: str) -> Grammar:
    """Return the grammar of a language.

    Raises
    ------
    KeyError
        If it has none.
    """
    return _read(text_in_force(language))


def text_in_force(language: str) -> str:
    """Return the text of a language's grammar, see `grammar_in_force`."""
    shipped = shipped_text(language)
    newest = newest_version(language)
    return newest.text if newest is not None and newest.text else shipped


def newest_version(language: str) -> SketchGrammar | None:
    """Return the newest version that an editor made of a language's grammar."""
    return SketchGrammar.objects.filter(language=language).order_by("-version").first()


def checked_grammar(language: str, text: str) -> Grammar:
    """Read a grammar that is to be kept for a language.

    Raises
    ------
    GrammarError
        With the place of each mistake.
    """
    grammar = read_grammar(text)
    if grammar.language != language:
        message = f"The grammar is of “{grammar.language}”, this page of “{language}”."
        raise GrammarError((Mistake(1, 1, message),))
    return grammar


def keep_grammar(language: str, text: str, note: str, user: Any, after: int) -> SketchGrammar:
    """Keep a version that follows a known one; an empty text brings the shipped one back.

    Raises
    ------
    GrammarError
        If the text is no grammar of the language.
    ChangedMeanwhileError
        If ``after`` is not the newest version any more.
    """
    if text:
        checked_grammar(language, text)
    newest = newest_version(language)
    if (newest.version if newest else 0) != after:
        raise ChangedMeanwhileError
    try:
        with transaction.atomic():
            return SketchGrammar.objects.create(
                language=language, version=after + 1, text=text, note=note, made_by=user
            )
    except IntegrityError:
        raise ChangedMeanwhileError from None


@lru_cache(KEPT_GRAMMARS)
def _read(text: str) -> Grammar:
    return read_grammar(text)
