"""Measures of word sketches, worked with this corpus' numbers: the strongest pair of one verb."""

from corpus_site.help_pages.worked_statistics import (
    MeasureInWords,
    WorkedExample,
    WorkedMeasure,
)
from search.answers.answering import selection_of
from search.answers.sketching import NoSketchError, sketched_word
from search.asking.request import Texts
from search.engine.sketches.sketch import SketchRequest, word_sketch
from search.opened_index import current_snapshot

LEMMA, WORD_CLASS = "say", "VERB"
LOG_DICE = MeasureInWords(
    "logdice",
    "logDice in a relation",
    "14 + log2( 2 f(w, R, c) / (f(w, R, *) + f(*, R, c)) )",
    "At most 14; one more is twice as often. Each number is that of the hits of a query.",
    "Rychlý 2008",
)


def worked_sketch() -> WorkedExample:
    """Work through the collocate of the verb with the highest logDice."""
    snapshot = current_snapshot()
    try:
        word = sketched_word(snapshot, LEMMA, WORD_CLASS, "en")
    except NoSketchError:
        return WorkedExample("", (), (WorkedMeasure(LOG_DICE, None),))
    request = SketchRequest(word.lemma, word.word_class, least=1, limit=1)
    sketch = word_sketch(selection_of(Texts(), snapshot), word.grammar, request)
    pairs = [(row, relation) for relation in sketch.relations for row in relation.collocates]
    if not pairs:
        return WorkedExample("", (), (WorkedMeasure(LOG_DICE, None),))
    best, relation = max(pairs, key=lambda pair: (pair[0].score, pair[0].lemma))
    numbers = (
        ("f(w, R, c)", f"hits of “{best.lemma}” as its {relation.name}", best.n_hits),
        ("f(w, R, *)", "hits of the word in this relation, with any collocate", relation.n_hits),
        ("f(*, R, c)", "hits of the collocate in this relation, with any word", best.n_total),
    )
    about = "" if sketch.share >= 1 else " The last number is estimated."
    words = f"“{best.lemma}” with the verb “{LEMMA}”, relation {relation.name}.{about}"
    return WorkedExample(words, numbers, (WorkedMeasure(LOG_DICE, best.score),))
