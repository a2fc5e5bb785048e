"""Why a query may have found nothing, in sentences: tags and words that the corpus does not have.

Input → output: a query without hits and the snapshot it ran on → remarks, at most one per token.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from presentation.wording.figures import counted
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.reader import Snapshot
from search.engine.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    AttributeMatch,
    Condition,
    Meet,
    Not,
    Or,
    Pattern,
    Query,
    Repetition,
    Sequence,
    Token,
    Union,
)
from search.engine.query.conditions.literals import literal_of, literals_of
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.language.habits import brackets_in, habit_in, in_one_sentence
from search.engine.query.language.simple import PARTS_OF_SPEECH, SimpleOptions

MOST_REMARKS = 3
MOST_MET = 4  # tokens that are offered to be looked for in one sentence
SINGLE, DOUBLE = "'’‘", '"“”'


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, and the query it recommends if it does."""

    words: str
    query: str = ""
    language: str = "cql"

    def __str__(self) -> str:
        return f"{self.words} {self.query}".rstrip()


def remark_on_habit(text: str, options: SimpleOptions) -> Remark | None:
    """Explain the signs of other tools in a simple query."""
    habit = habit_in(text, options)
    return None if habit is None else Remark(habit.words, habit.query, habit.language)


def remark_on_brackets(text: str, options: SimpleOptions) -> Remark | None:
    """Say of brackets around one word that the hits are without them."""
    habit = brackets_in(text, options)
    return None if habit is None else Remark(habit.words, habit.query, habit.language)


def remarks_on(query: Query, snapshot: Snapshot) -> tuple[Remark, ...]:
    """Explain the parts of a query that no token of the corpus meets, or that all are met apart."""
    found: list[Remark] = []
    for match in conditions_of(query.pattern):
        if match.negated or TokenCondition(snapshot, match).n_tokens:
            continue
        remark = _on_sets(match, query.text) or _on_quotes(match, query.text, snapshot)
        if remark is None and (words := _remark(match, snapshot.lexicon)):
            remark = Remark(words)
        if remark is not None and remark not in found:
            found.append(remark)
    if not found and (apart := _on_order(query)):
        return (apart,)
    return tuple(found[:MOST_REMARKS])


def _on_order(query: Query) -> Remark | None:
    """Offer the same tokens in any order of a sentence, where each occurs somewhere."""
    parts = query.pattern.items if isinstance(query.pattern, Sequence) else ()
    tokens = [part for part in parts if isinstance(part, Token)]
    is_plain = len(tokens) == len(parts) and not query.constraint and not query.within
    if not is_plain or not 2 <= len(set(tokens)) == len(tokens) <= MOST_MET:
        return None
    if any(isinstance(token.condition, Anything) for token in tokens):
        return None
    words = "Each of these occurs, but not one behind the other. In one sentence, in any order:"
    return Remark(words, in_one_sentence([replace(query, pattern=token) for token in tokens]))


def _on_quotes(match: AttributeMatch, text: str, snapshot: Snapshot) -> Remark | None:
    """Name the same string with the quotes that newspapers write."""
    if match.attribute is Attribute.TAG or not set(match.pattern) & set(SINGLE + DOUBLE):
        return None
    found = []
    for single, double in product(SINGLE, DOUBLE):
        signs = dict.fromkeys(SINGLE, single) | dict.fromkeys(DOUBLE, double)
        other = "".join(signs.get(sign, sign) for sign in match.pattern)
        n_tokens = TokenCondition(snapshot, replace(match, pattern=other)).n_tokens
        found.append((n_tokens, other))
    n_tokens, other = max(found)
    if not n_tokens:
        return None
    words = (
        f"“{match.pattern}” does not occur; {other} does, {counted(n_tokens, 'time')} in all texts"
    )
    query = _with_pattern(text, match.pattern, other)
    return Remark(f"{words}:" if query else f"{words}.", query)


_SET_TEST = re.compile(r"\b(not\s+)?(contains|matches)\s+([\"'])(.*?)\3")


def _on_sets(match: AttributeMatch, text: str) -> Remark | None:
    """Tell who looks for a part of a word by `contains`, which looks into sets of values."""
    if not match.pattern.startswith((r".*\|(", r"\|((")):
        return None

    def equal(found: re.Match[str]) -> str:
        negation, feature, mark, pattern = found.groups()
        whole = f".*({pattern}).*" if feature == "contains" else pattern
        return f"{'!=' if negation else '='} {mark}{whole}{mark}"

    words = "“contains” and “matches” look into sets such as |a|b|, which no attribute is here."
    return Remark(words, _SET_TEST.sub(equal, text))


def _with_pattern(text: str, pattern: str, other: str) -> str:
    """Write another pattern in the place of one; empty if it is not found in the text."""
    in_double, in_single = pattern.replace('"', '""'), pattern.replace("'", "''")
    written = other.replace('"', '""')
    for old in (f'"{in_double}"', f"'{in_single}'"):
        if old in text:
            return text.replace(old, f'"{written}"')
    return ""


def _remark(match: AttributeMatch, lexicon: LexiconView) -> str:
    if match.attribute is Attribute.TAG:
        known = PARTS_OF_SPEECH.get(match.pattern.upper())
        if known is not None:
            return f'{match.pattern} is not a tag of this corpus; write pos="{known}" for it.'
        return f"No token has a tag that matches {match.pattern}."
    literal = match.pattern if match.literal else literal_of(match.pattern)
    if literal is None:
        literal = next(iter(literals_of(match.pattern)), None)
    if literal is None:
        return f"No {match.attribute.value} in the corpus matches {match.pattern}."
    if not literal:
        return "Empty quotes are no word; [] finds any token."
    return _remark_on_literal(literal, match, lexicon)


def _remark_on_literal(literal: str, match: AttributeMatch, lexicon: LexiconView) -> str:
    bare = literal.removeprefix("^").removesuffix("$")
    if bare and bare != literal and match.literal:
        return f"“{literal}” was looked for with its ^ or $. Write “{bare}”: it is the whole word."
    if match.attribute is Attribute.LEMMA:
        lemma = _lemma_of(literal, lexicon)
        if lemma:
            return f"“{literal}” is a form of “{lemma}”; search for that lemma."
        return f"No word in the corpus has the lemma “{literal}”."
    if lexicon.find_form(literal.lower()) is not None and not match.ignore_case:
        return f"“{literal}” does not occur in this spelling; other capitals may."
    return f"“{literal}” does not occur in the corpus."


def _lemma_of(form: str, lexicon: LexiconView) -> str:
    """Return a lemma of a word form, an empty string if it has none of its own."""
    number = lexicon.find_form(form)
    if number is None:
        return ""
    types = np.flatnonzero(lexicon.words == number)
    lemmas = {int(lemma) for lemma in lexicon.lemmas[types]} - {number}
    return lexicon.form(min(lemmas)) if lemmas else ""


def conditions_of(pattern: Pattern) -> Iterator[AttributeMatch]:
    """Give the tests of attributes in a pattern, in the order of the text."""
    match pattern:
        case Token(condition):
            yield from _matches_in(condition)
        case Sequence(parts) | Alternatives(parts):
            for part in parts:
                yield from conditions_of(part)
        case Repetition(part):
            yield from conditions_of(part)
        case Meet(left, right) | Union(left, right):
            yield from conditions_of(left)
            yield from conditions_of(right)


def _matches_in(condition: Condition) -> Iterator[AttributeMatch]:
    match condition:
        case AttributeMatch():
            yield condition
        case Not(inner):
            yield from _matches_in(inner)
        case And(conditions) | Or(conditions):
            for part in conditions:
                yield from _matches_in(part)
