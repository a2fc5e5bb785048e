"""Kept example lines are those that are found for all collocates at once."""

from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.sketches.counting import WordPlaces
from search.engine.sketches.examples import example_sentences, examples
from search.engine.sketches.grammar import read_grammar
from search.engine.sketches.sketch import word_counts

GRAMMAR = read_grammar(
    """
language en English
class NOUN = [pos="N"]
class VERB = [pos="V"]
relation object / object of
    head:VERB dep:NOUN
relation subject / subject of
    dep:NOUN head:VERB
"""
)
TEXTS = (
    "eat/eat/V bread/bread/N | bake/bake/V bread/bread/N | bread/bread/N rise/rise/V",
    "bake/bake/V bread/bread/N rise/rise/V | eat/eat/V bread/bread/N . cut/cut/V cake/cake/N",
)


def test_lines_asked_for_bit_by_bit_are_those_of_all(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(key, text) for key, text in enumerate(TEXTS, 1)])
    selection = select(snapshot, DocumentFilter())
    counts = word_counts(selection, GRAMMAR, "NOUN", "bread").collocates
    wanted = {number: each.keys.tolist() for number, each in enumerate(counts)}
    places = WordPlaces(selection, GRAMMAR, "NOUN", "bread")
    lines = examples(places, selection, GRAMMAR, wanted, 1)
    every = {key: f"{one.left}{one.node}{one.right}" for key, (one,) in lines.items()}
    word = ("NOUN", "bread")

    some = dict(example_sentences(selection, GRAMMAR, word, {0: wanted[0][:1]}))
    more = example_sentences(selection, GRAMMAR, word, wanted)
    again = example_sentences(selection, GRAMMAR, word, wanted)

    assert len(every) == 3
    assert all("bread" in sentence for sentence in every.values())
    assert some == {(0, wanted[0][0]): every[0, wanted[0][0]]}
    assert more == every
    assert again == every
    of_others = example_sentences(selection, GRAMMAR, ("NOUN", "cake"), {0: wanted[0]})
    assert not any(of_others.values())  # cake is only cut
