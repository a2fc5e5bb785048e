"""What the corpus knows of words that are looked at in the tagged view: hits, first text."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from search.answers.answering import counts_of, hits_of, selection_of
from search.answers.word_profile import first_of_form
from search.asking.request import ARTICLES, Texts, asked_in_cql
from search.asking.value_queries import value_query
from search.engine.index.documents import ARTICLE_KINDS
from search.engine.index.reader import Snapshot
from search.engine.query.filters import Copies
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.counting.type_counts import type_counts
from search.engine.statistics.vocabulary.new_words import FirstSight

# More frequent words are taken to be older than any one article: looking through all the texts of
# each would take longer than the page may.
MOST_HITS_OF_FIRST = 10_000


@dataclass(frozen=True, slots=True)
class WordInCorpus:
    """Hits in articles in any case, copies counted once, and where the word first stood."""

    query: str
    n_hits: int
    base_tokens: int
    first: FirstSight | None
    snapshot: Snapshot


def word_in_corpus(word: str) -> WordInCorpus:
    """Count a word as the concordance does that is linked beside the number."""
    query = value_query("lower", word.lower())
    request = asked_in_cql(query)
    hits = hits_of(request)
    counts = counts_of(hits)
    first = first_of_form(selection_of(request.texts), word.lower()) if counts.total else None
    return WordInCorpus(query, counts.total, counts.base_tokens, first, hits.snapshot)


def first_seen_in(article_id: int, words: Iterable[str]) -> frozenset[str]:
    """Return those of some words in small letters that no earlier article has."""
    selection = selection_of(Texts(replace(ARTICLES, copies=Copies.ALL)))
    lexicon = selection.snapshot.lexicon
    values = type_values(lexicon, "lower")
    hits = values.fold(type_counts(selection))
    known = {
        number: word
        for word in words
        if (number := lexicon.find_form(word)) is not None
        and 0 < hits[number] <= MOST_HITS_OF_FIRST
    }
    numbers = np.array(sorted(known), dtype=np.int64)
    firsts = spread_of(selection, values.numbers, numbers).first_documents()
    return frozenset(
        known[int(number)]
        for number, first in zip(numbers.tolist(), firsts, strict=True)
        if first is not None
        and first.view.segment.documents.kind[first.row] in ARTICLE_KINDS
        and first.view.segment.documents.key[first.row] == article_id
    )
