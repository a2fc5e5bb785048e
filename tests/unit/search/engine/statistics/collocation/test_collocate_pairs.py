"""Pairs of collocates equal counting hit by hit, and what is hardly chance is kept."""

from itertools import combinations
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.collocation.collocate_pairs import collocate_pairs, hits_with_both
from search.engine.statistics.counting.attribute_values import numbers_of, type_values
from search.engine.statistics.counting.windows import Window

WORDS = ("dam", "fire", "heavy", "rain")
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), min_size=1)


def arguments(snapshot, words, reach):
    values = type_values(snapshot.lexicon, "word")
    chosen = np.array([numbers_of(snapshot.lexicon, "word", word)[0] for word in words])
    hits = run(snapshot, parse('"rain"', Language.CQL))
    return hits, values, chosen, Window.around(reach, reach)


def slow_pairs(sentences, words, reach):
    """Look around each hit."""
    counts = dict.fromkeys(((a, b) for a in words for b in words), 0)
    for sentence in sentences:
        for place, word in enumerate(sentence):
            if word == "rain":
                near = {*sentence[max(0, place - reach) : place], *sentence[place + 1 :][:reach]}
                for a in words:
                    for b in words:
                        counts[a, b] += a in near and b in near
    return counts


@given(SENTENCES, st.integers(1, 4))
def test_hits_with_both_are_those_that_have_both_in_their_window(
    tmp_path_factory, sentences, reach
):
    sentences = [*sentences, list(WORDS)]  # all of them are words of the corpus
    text = " | ".join(" ".join(sentence) for sentence in sentences)
    snapshot = snapshot_of(tmp_path_factory.mktemp("index"), [document(1, text)])

    found = hits_with_both(*arguments(snapshot, WORDS, reach))

    slow = slow_pairs(sentences, WORDS, reach)
    assert found.tolist() == [[slow[a, b] for b in WORDS] for a in WORDS]


@pytest.fixture
def snapshot(tmp_path):
    """Heavy and dam stand near the same forty hits, fire near forty others, wet near any."""
    together, apart = ["heavy rain dam wet", "heavy rain dam"], ["fire rain wet", "fire rain"]
    return snapshot_of(tmp_path, [document(1, " | ".join(20 * together + 20 * apart))])


def test_pairs_that_go_together_are_kept_with_their_numbers(snapshot):
    words = ("heavy", "fire", "dam", "wet")

    (pair,) = collocate_pairs(*arguments(snapshot, words, 3), least=5)

    assert (words[pair.first], words[pair.second]) == ("heavy", "dam")
    assert (pair.n_hits, pair.expected) == (40, 20)
    assert pair.log_dice == 14
    assert pair.log_likelihood == pytest.approx(160 * np.log(2))  # 2 × (40 ln 2 + 40 ln 2)


def test_pairs_of_fewer_hits_than_asked_for_are_left_out(snapshot):
    words = ("heavy", "dam")

    assert collocate_pairs(*arguments(snapshot, words, 3), least=41) == []
    assert len(collocate_pairs(*arguments(snapshot, words, 3), least=40)) == 1


def test_log_dice_is_of_the_hits_with_each(tmp_path):
    sentences = 10 * ["heavy rain dam"] + 5 * ["heavy rain"] + 30 * ["rain"]
    snapshot = snapshot_of(tmp_path, [document(1, " | ".join(sentences))])

    (pair,) = collocate_pairs(*arguments(snapshot, ("heavy", "dam"), 3), least=1)

    assert pair.log_dice == pytest.approx(14 + log2(2 * 10 / (15 + 10)))


def test_more_values_than_one_number_holds_are_refused(snapshot):
    hits, values, _, window = arguments(snapshot, WORDS[:1], 3)

    with pytest.raises(ValueError, match="at most 64"):
        hits_with_both(hits, values, np.arange(65), window)


def test_all_pairs_of_a_list_are_looked_at(tmp_path):
    words = [f"w{number}" for number in range(12)]
    sentences = 6 * [f"rain {' '.join(words)}"] + 60 * ["rain"]
    snapshot = snapshot_of(tmp_path, [document(1, " | ".join(sentences))])
    hits, values, chosen, _ = arguments(snapshot, words, 3)

    found = collocate_pairs(hits, values, chosen, Window.around(0, 10), least=1)

    assert {(pair.first, pair.second) for pair in found} == set(combinations(range(10), 2))
