"""Similar words against the measure counted by hand from the queries' own pairs."""

from collections import Counter
from math import log

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.sketches.grammar import read_grammar
from search.engine.sketches.similar import similar_words

GRAMMAR = read_grammar(
    """
language en English
class NOUN = [pos="N"]
class VERB = [pos="V"]
relation object / object of
    head:VERB dep:NOUN
relation * … / … *
    head:NOUN by:[pos="P"] dep:NOUN
"""
)
VERBS = {
    "bread": "eat eat bake slice cut",
    "cake": "eat bake cut cut slice",
    "car": "buy see see drive drive park",
}
OF = {"bread": "wheat rye", "cake": "wheat", "car": "steel"}


@pytest.fixture(scope="module")
def selection(tmp_path_factory):
    sentences = [f"{v}/{v}/V {n}/{n}/N" for n, verbs in VERBS.items() for v in verbs.split()]
    sentences += [f"{n}/{n}/N of/of/P {m}/{m}/N" for n, words in OF.items() for m in words.split()]
    folder = tmp_path_factory.mktemp("similar")
    return select(snapshot_of(folder, [document(1, " | ".join(sentences))]), DocumentFilter())


def plain_information():
    """What each noun's relations tell, by word, from a list of pairs."""
    pairs = [(n, "object of", v) for n, verbs in VERBS.items() for v in verbs.split()]
    pairs += [(n, "of …", m) for n, words in OF.items() for m in words.split()]
    pairs += [(m, "… of", n) for n, words in OF.items() for m in words.split()]
    joint = Counter(pairs)
    of_word, of_feature = Counter((w, r) for w, r, _ in pairs), Counter((r, c) for _, r, c in pairs)
    of_list = Counter(r for _, r, _ in pairs)
    found = {}
    for (w, r, c), n in joint.items():
        bits = log(n * of_list[r] / (of_word[w, r] * of_feature[r, c]))
        if bits > 1e-12:
            found.setdefault(w, {})[r, c] = bits
    return found


def test_likeness_is_lins_measure(selection):
    found = {row.lemma: row for row in similar_words(selection, GRAMMAR, ("cake", "NOUN"), 10).rows}
    known = plain_information()
    cake, bread = known["cake"], known["bread"]
    shared = cake.keys() & bread.keys()
    expected = sum(cake[f] + bread[f] for f in shared) / (sum(cake.values()) + sum(bread.values()))

    assert list(found) == ["bread"]
    assert found["bread"].n_shared == len(shared)
    assert found["bread"].similarity == pytest.approx(expected)


def test_an_unknown_word_has_none(selection):
    assert similar_words(selection, GRAMMAR, ("train", "NOUN"), 10).rows == ()
