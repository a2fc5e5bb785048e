"""Every number of a sketch against the hits of its query, on corpora where matches overlap."""

import random

import numpy as np
import pytest
from small_corpora import document, write

from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.run import run
from search.engine.sketches.counting import GROUP_SHIFT, Counts, Keys
from search.engine.sketches.grammar import read_grammar
from search.engine.sketches.queries import Asked, query_of
from search.engine.sketches.sketch import word_counts
from search.engine.sketches.totals import list_totals

# Few words, so that a word has the same collocate several times, in several ways.
TOKENS = (
    "bread/bread/N",
    "salt/salt/N",
    "bread/bread/V",
    "eat/eat/V",
    "of/of/P",
    "in/in/P",
    "a/a/D",
)
GRAMMAR = read_grammar(
    """
language en English
class NOUN = [pos="N"]
class VERB = [pos="V"]
define GAP = ([pos="D"] [pos="N"]? | [pos="P"]){0,2}
relation object / object of
    head:VERB GAP dep:[NOUN & word!="x"] [pos!="N"]
    dep:NOUN [pos="V"]{0,2} head:VERB
    [pos="D"] [pos="P|N"]{0,2} dep:NOUN head:VERB
relation * … / … *
    head:NOUN [pos="D"]? by:[pos="P"] GAP dep:NOUN
    head:VERB by:[pos="P|D"] dep:NOUN ([pos="V"] | </s>)
symmetric and/or
    head:NOUN []{1,3} dep:NOUN
    <s> head:VERB [pos!="P"]{0,2} dep:VERB
relation first / -
    dep:[pos="D|P"] [pos="N"]? head:NOUN
"""
)


@pytest.fixture(scope="module", params=[1, 2, 3])
def selection(request, tmp_path_factory):
    chance = random.Random(request.param)
    kinds = (DocumentKind.ARTICLE, DocumentKind.COMMENT)

    def text():
        sentences = [chance.choices(TOKENS, k=chance.randint(1, 9)) for _ in range(6)]
        return "|".join(" ".join(sentence) for sentence in sentences)

    texts = [document(key, text(), kind=chance.choice(kinds)) for key in range(8)]
    folder = tmp_path_factory.mktemp("sketched")
    write(folder, texts[:5], texts[5:], tail_tokens=100)
    wanted = DocumentFilter() if request.param == 1 else DocumentFilter(kinds=frozenset({kinds[0]}))
    return wanted, select(IndexReader(folder).snapshot, wanted)


@pytest.mark.parametrize("word", [("bread", "NOUN"), ("bread", "VERB"), ("salt", "NOUN")])
def test_counts_are_hits_of_their_queries(selection, word):
    wanted, chosen = selection
    lemma, word_class = word
    keys = Keys(chosen.snapshot.lexicon)
    counted = word_counts(chosen, GRAMMAR, word_class, lemma)
    totals = list_totals(chosen, GRAMMAR, word_class)
    differing, n_compared = [], 0

    for number, each in enumerate(GRAMMAR.lists_of(word_class)):
        of_collocates, of_groups = counted.collocates[number], counted.groups[number]
        for counts, is_group in ((of_collocates, False), (of_groups, True)):
            for key in counts.keys.tolist():
                by, collocate = keys.names(key << GROUP_SHIFT if is_group else key)
                by = by if each.has_by else ""
                asked = Asked(lemma, "" if is_group else collocate, by)
                n = run(chosen.snapshot, query_of(each, asked), wanted).total
                differing += [(each.name, asked, n)] if n != count(counts, key) else []
                n_compared += 1
        for key in counted_keys(totals, number):
            by, collocate = keys.names(key)
            asked = Asked("", collocate, by if each.has_by else "")
            n = run(chosen.snapshot, query_of(each, asked), wanted).total
            differing += (
                [(each.name, asked, n)] if n != int(totals.at(number, np.array([key]))[0]) else []
            )

    assert (differing, totals.is_exact, n_compared > 4) == ([], True, True)


def counted_keys(totals, number):
    return sorted({key for counts, _ in totals.parts for key in counts[number].keys.tolist()})


def count(counts: Counts, key: int) -> int:
    return int(counts.at([key])[0])
