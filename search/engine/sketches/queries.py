"""The query behind each number of a sketch.

Input → output: a list of a sketch, the word and perhaps its collocate → a query whose hits are
those that were counted, as a tree and as CQL.
"""

from dataclasses import dataclass

from search.engine.query.ast import (
    Alternatives,
    And,
    Attribute,
    AttributeMatch,
    Condition,
    Query,
    Token,
    Within,
)
from search.engine.query.language.to_cql import to_cql
from search.engine.sketches.grammar import BY, DEPENDENT, HEAD, SketchList


@dataclass(frozen=True, slots=True)
class Asked:
    """Lemmas of the labelled tokens; empty for any."""

    word: str = ""
    collocate: str = ""
    by: str = ""


def query_of(sketch_list: SketchList, asked: Asked) -> Query:
    """Return the query of a list with some lemmas."""
    patterns = []
    for pattern, word in sketch_list.sides:
        collocate = DEPENDENT if word == HEAD else HEAD
        lemmas = {word: asked.word, collocate: asked.collocate, BY: asked.by}
        tests = {label: lemma_is(lemma) for label, lemma in lemmas.items() if lemma}
        patterns.append(pattern.with_tests(tests))
    both = patterns[0] if len(patterns) == 1 else Alternatives(tuple(patterns))
    return Query(both, Within("s"))


def cql_of(sketch_list: SketchList, asked: Asked) -> str:
    """Return the query of a list with some lemmas, as CQL."""
    return to_cql(query_of(sketch_list, asked))


def lemma_is(lemma: str) -> Condition:
    """Test that a token has exactly this lemma."""
    return AttributeMatch(Attribute.LEMMA, lemma, literal=True)


def node_query(word_class: Condition, lemma: str) -> str:
    """Return the CQL of all tokens of a lemma and a class."""
    parts = word_class.conditions if isinstance(word_class, And) else (word_class,)
    return to_cql(Query(Token(And((lemma_is(lemma), *parts)))))
