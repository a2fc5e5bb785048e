"""Which sketch a lemma has: its language and class, or why it has none and what is near.

Input → output: a lemma and perhaps a class and a language → `SketchedWord`.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.text.language_names import language_name
from search.asking.sketch_grammars import grammar_in_force, grammar_languages
from search.engine.annotation.languages import UNIVERSAL, tagged_languages
from search.engine.index.reader import Snapshot
from search.engine.query.ast import Query, Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.filters import EVERY_TEXT
from search.engine.query.run import run
from search.engine.sketches.grammar import Grammar
from search.engine.sketches.queries import lemma_is
from search.engine.statistics.facets import count_by_column
from search.wording.near_words import one_change_away

I64 = npt.NDArray[np.int64]

MOST_NEAR = 6
CLASS_WORDS = {"NOUN": "noun", "VERB": "verb", "ADJ": "adjective", "ADV": "adverb"}


class NoSketchError(Exception):
    """A lemma that cannot be sketched; raised by `sketched_word`, shown with the lemmas near it.

    ``near`` are lemmas to take instead, ``classes`` classes that the lemma does have.
    """

    def __init__(
        self, message: str, near: tuple[str, ...] = (), classes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.near = near
        self.classes = classes


@dataclass(frozen=True, slots=True)
class SketchedWord:
    """A lemma with the grammar and class that it is sketched by.

    ``classes`` are all it has in that language, with their tokens in the whole index.
    """

    lemma: str
    grammar: Grammar
    word_class: str
    classes: tuple[tuple[str, int], ...]


def sketched_word(
    snapshot: Snapshot,
    lemma: str,
    word_class: str = "",
    language: str = "",
    texts_in: Collection[str] = (),
) -> SketchedWord:
    """Choose grammar and class of a lemma: those of most of its tokens where none are asked for.

    Where `texts_in` names the languages of the texts, a grammar of one of these is taken.

    Raises
    ------
    NoSketchError
    """
    if language and language not in grammar_languages():
        known = ", ".join(f"{language_name(code)} ({code})" for code in grammar_languages())
        raise NoSketchError(f"There is no sketch grammar of “{language}”; there is one of {known}.")
    codes = [code for code in grammar_languages() if language in ("", code)]
    if not language:
        codes = [code for code in codes if code in texts_in] or codes
    types = _types_of(snapshot, lemma)
    counted = [
        (grammar, name, n)
        for grammar in _of_texts(snapshot, lemma, [grammar_in_force(code) for code in codes])
        for name, n in _counts(snapshot, grammar, types)
        if n
    ]
    if not len(types):
        raise NoSketchError(f"The lemma “{lemma}” is not in the corpus.", _near(snapshot, lemma))
    fitting = [(n, grammar, name) for grammar, name, n in counted if word_class in ("", name)]
    if not fitting:
        raise _without_class(snapshot, lemma, word_class, types, counted)
    _, grammar, chosen = max(fitting, key=lambda each: each[0])
    classes = tuple((name, n) for other, name, n in counted if other is grammar)
    return SketchedWord(lemma, grammar, chosen, classes)


def languages_of_lemma(snapshot: Snapshot, lemma: str) -> dict[str, int]:
    """Count the tokens of a lemma by the language of their texts; codes without country."""
    hits = run(snapshot, Query(Token(lemma_is(lemma))), EVERY_TEXT)
    found: dict[str, int] = {}
    for row in count_by_column(hits, "language"):
        code = row.value.partition("-")[0]
        found[code] = found.get(code, 0) + row.n_hits
    return found


def _of_texts(snapshot: Snapshot, lemma: str, grammars: list[Grammar]) -> list[Grammar]:
    """Put the grammars whose tags are the same in the order of the lemma's texts.

    Such tags do not tell languages apart, their texts do; the first of equal ones is chosen.
    """
    universal = {entry.code for entry in tagged_languages() if entry.tag_set is UNIVERSAL}
    alike = [grammar for grammar in grammars if grammar.language in universal]
    if len(alike) < 2:
        return grammars
    n_tokens = languages_of_lemma(snapshot, lemma)
    there = [grammar for grammar in alike if n_tokens.get(grammar.language)]
    best = max(there, key=lambda grammar: n_tokens[grammar.language], default=alike[0])
    return [grammar for grammar in grammars if grammar is best or grammar not in alike]


def class_word(word_class: str) -> str:
    """Return what a class of a grammar is called in a sentence."""
    return CLASS_WORDS.get(word_class, word_class.lower())


def _without_class(
    snapshot: Snapshot,
    lemma: str,
    word_class: str,
    types: I64,
    counted: list[tuple[Grammar, str, int]],
) -> NoSketchError:
    if counted:
        classes = tuple(dict.fromkeys(name for _, name, _ in counted))
        words = " and ".join(class_word(name) for name in classes)
        return NoSketchError(
            f"“{lemma}” is never {_article(class_word(word_class))} here, but {words}.",
            classes=classes,
        )
    tags = sorted({snapshot.lexicon.tag(int(tag)) for tag in snapshot.lexicon.tags[types]})
    return NoSketchError(
        f"“{lemma}” has none of the classes that a sketch can be of; its tags: {', '.join(tags)}.",
        _near(snapshot, lemma),
    )


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _types_of(snapshot: Snapshot, lemma: str) -> I64:
    number = snapshot.lexicon.find_form(lemma)
    if number is None:
        return np.empty(0, dtype=np.int64)
    return _used(snapshot, np.flatnonzero(snapshot.lexicon.lemmas == number))


def _used(snapshot: Snapshot, types: I64) -> I64:
    return types[snapshot.type_counts[types] > 0]


def _counts(snapshot: Snapshot, grammar: Grammar, types: I64) -> list[tuple[str, int]]:
    """Count the tokens of each class among some types."""
    found = []
    for name, condition in grammar.classes.items():
        meets = TokenCondition(snapshot, condition).holds_types(types.astype(np.uint32))
        found.append((name, int(snapshot.type_counts[types[meets]].sum())))
    return found


def _near(snapshot: Snapshot, lemma: str) -> tuple[str, ...]:
    """Return lemmas that the word is a form of, then those spelled nearly like it."""
    lexicon, counts = snapshot.lexicon, snapshot.type_counts
    totals = np.bincount(lexicon.lemmas, weights=counts, minlength=lexicon.size.n_forms)
    found: list[str] = []
    number = lexicon.find_form(lemma.lower())
    if number is not None:
        types = _used(snapshot, np.flatnonzero(lexicon.lower[lexicon.words] == number))
        found += _by_frequency(snapshot, np.unique(lexicon.lemmas[types]).tolist(), totals)
    candidates = [
        candidate
        for written in sorted({*one_change_away(lemma), lemma.lower(), lemma.capitalize()})
        if (candidate := lexicon.find_form(written)) is not None and totals[candidate]
    ]
    found += _by_frequency(snapshot, candidates, totals)
    return tuple(dict.fromkeys(each for each in found if each != lemma))[:MOST_NEAR]


def _by_frequency(
    snapshot: Snapshot, numbers: list[int], totals: npt.NDArray[np.number]
) -> list[str]:
    ordered = sorted(numbers, key=lambda number: (-totals[number], number))
    return [snapshot.lexicon.form(number) for number in ordered]
