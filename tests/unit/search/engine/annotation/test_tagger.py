"""The tagger: shapes, closed classes, bounded table, exactness of its pruned search."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.annotation import type_table
from search.engine.annotation.decoding import viterbi
from search.engine.annotation.features import CaseFlag, case_flags, shape
from search.engine.annotation.model import TaggerModel
from search.engine.annotation.nltk_tagger import NltkTagger
from search.engine.annotation.tagger import (
    LONGEST_SENTENCE,
    TOKENS_AT_ONCE,
    TYPES_AT_REST,
    Tagger,
    shared_tagger,
)
from search.engine.annotation.tagset import CLOSED_TAGS, TAGS, describe
from search.engine.annotation.type_table import TypeTable

WORD = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)


def tag(sentence, **options):
    return shared_tagger().tag_sentences([sentence.split()], **options)[0]


@pytest.mark.parametrize(
    ("sentence", "tags"),
    [
        ("The council did n't approve the budget .", "DT NN VBD RB VB DT NN ."),
        ("She saw them in Durban on Monday", "PRP VBD PRP IN NNP IN NNP"),
        ("Two people were killed yesterday", "CD NNS VBD VBN NN"),
        ("He will run the longest race", "PRP MD VB DT JJS NN"),
    ],
)
def test_tagger_tags_plain_sentences(sentence, tags):
    assert tag(sentence) == tags.split()


def test_every_tag_of_the_model_is_in_the_tagset():
    assert set(shared_tagger().tags) <= set(TAGS)


def test_a_word_never_seen_is_of_no_closed_class():
    for sentence in ("They drank maas at home", "We blorp snargs with zwibs", "Wuzzle went home"):
        unseen = {"maas", "blorp", "snargs", "zwibs", "Wuzzle"}
        for word, its_tag in zip(sentence.split(), tag(sentence), strict=True):
            assert word not in unseen or its_tag not in CLOSED_TAGS


def test_what_lies_beyond_a_sentence_is_known_before_the_first_word():
    """A first batch with more types than the table holds had lost it."""
    tagger = Tagger(TaggerModel.load(), max_types=4)
    sentences = [["The", "council", "did", "n't", "approve", "the", "budget", "."]]

    assert tagger.tag_sentences(sentences) == shared_tagger().tag_sentences(sentences)


def test_tags_are_the_same_after_word_types_are_forgotten():
    tagger = Tagger(TaggerModel.load())
    sentences = [[f"{word}{number}", "ran", "."] for word in "abcdef" for number in range(100)]
    before = tagger.tag_sentences(sentences)

    tagger.forget_types()

    assert len(tagger._types) == TYPES_AT_REST
    assert len(tagger._types.products) == TYPES_AT_REST
    assert tagger.tag_sentences(sentences) == before


def test_fixed_tags_are_kept_and_tagged_around():
    assert tag("They drank maas", fixed={(0, 2): ("NN",)})[2] == "NN"
    assert tag("They drank maas", fixed={(0, 2): ("VBD", "PRP")})[2] in {"VBD", "PRP"}
    assert tag("They drank maas", fixed={(0, 2): ("XX-UNKNOWN",)})[2] == "XX-UNKNOWN"


@pytest.mark.parametrize(
    "sentences", [[], [[]], [[], ["Rain"], []], [["."]], [["a"] * (3 * LONGEST_SENTENCE + 1)]]
)
def test_tags_have_the_shape_of_the_sentences(sentences):
    tagged = shared_tagger().tag_sentences(sentences)

    assert [len(tags) for tags in tagged] == [len(words) for words in sentences]


@given(st.lists(st.lists(WORD, max_size=8), max_size=4))
def test_any_words_are_tagged_alike_alone_and_together(sentences):
    together = shared_tagger().tag_sentences(sentences)

    assert together == [shared_tagger().tag_sentences([words])[0] for words in sentences]


def test_alternatives_name_the_runner_up():
    found = shared_tagger().alternatives(["They", "saw", "her", "duck"])

    assert [ranked[0].tag for ranked in found] == tag("They saw her duck")
    assert [ranked.tag for ranked in found[2][:2]] == ["PRP$", "PRP"]
    assert found[0][0].probability > found[2][0].probability


@given(st.lists(WORD, max_size=8))
def test_the_best_alternative_is_the_tag_given(words):
    found = shared_tagger().alternatives(words)

    assert [ranked[0].tag for ranked in found] == shared_tagger().tag_sentences([words])[0]
    for ranked in found:
        shares = [share for _, share in ranked]
        assert sum(shares) == pytest.approx(1, abs=1e-4)
        assert shares == sorted(shares, reverse=True)


def test_alternatives_of_a_word_with_fixed_tags_are_those():
    words = ["They", "drank", "maas"]
    tagger = shared_tagger()

    assert tagger.alternatives(words, {(0, 2): ("NN",)})[2] == (("NN", 1.0),)
    two = tagger.alternatives(words, {(0, 2): ("NN", "NNS")})[2]
    assert [name for name, _ in two] == ["NNS", "NN"]
    assert sum(share for _, share in two) == pytest.approx(1, abs=1e-4)
    assert tagger.alternatives(words, {(0, 2): ("ODD",)})[2] == (("ODD", 1.0),)


def test_alternatives_of_an_endless_sentence_are_of_its_length():
    words = ["a"] * (2 * LONGEST_SENTENCE + 1)

    assert len(shared_tagger().alternatives(words)) == len(words)


def test_a_full_table_is_emptied_and_gives_the_same_tags():
    model = TaggerModel.load()
    sentences = [[f"word{number}", "runs", "home"] for number in range(50)]
    small = Tagger(model, max_types=20)

    tagged = [small.tag_sentences([words])[0] for words in sentences]

    assert tagged == Tagger(model).tag_sentences(sentences)
    assert len(small._types) <= 20 + 4


def test_a_full_table_makes_room_in_its_own_memory(monkeypatch):
    model = TaggerModel.load()
    monkeypatch.setattr(type_table, "_COMPUTED_AT_ONCE", 3)
    table = TypeTable(model, max_types=300)
    table.numbers([["rain"] * 5, [f"word{number}" for number in range(280)]])
    products = table.products
    often = [f"word{number}" for number in range(0, 280, 4)]
    for _ in range(2):
        table.numbers([often])

    (numbers,) = table.numbers([[*often, "rain", *(f"name{number}" for number in range(40))]])

    fresh = TypeTable(model)
    (same,) = fresh.numbers([[*often, "rain", *(f"name{number}" for number in range(40))]])
    assert table.products is products
    assert len(table) == 150 + 40
    assert np.array_equal(table.products[numbers], fresh.products[same])
    assert np.array_equal(table.scores[numbers], fresh.scores[same])
    assert np.array_equal(table.folded[numbers], fresh.folded[same])


def test_word_types_are_computed_a_few_at_a_time_as_all_at_once(monkeypatch):
    model = TaggerModel.load()
    sentences = [[f"word{number}", "runs", "home"] for number in range(50)]
    whole = TypeTable(model)
    whole.numbers(sentences)
    monkeypatch.setattr(type_table, "_COMPUTED_AT_ONCE", 8)

    pieces = TypeTable(model)
    pieces.numbers(sentences)

    n_types = len(whole)
    assert np.array_equal(pieces.scores[:n_types], whole.scores[:n_types])
    assert np.array_equal(pieces.products[:n_types], whole.products[:n_types])


def test_more_tokens_than_are_tagged_at_once_get_the_tags_they_have_alone():
    sentences = [["Dogs", "bark", "."], ["Run", "to", "the", "river"]]
    n = TOKENS_AT_ONCE // 7 + 1000
    last = 2 * n - 2

    together = shared_tagger().tag_sentences(sentences * n, {(last, 1): ("NN",), (2, 0): ("VB",)})

    dogs, run = shared_tagger().tag_sentences(sentences)
    assert together[:2] + together[4:last] == [dogs, run] * (n - 2)
    assert (together[2][0], together[last][1]) == ("VB", "NN")
    assert together[-1] == run


def test_a_model_of_another_version_is_refused(tmp_path):
    arrays = TaggerModel.load().arrays() | {"version": np.array(99)}
    np.savez(tmp_path / "old.npz", **arrays)

    with pytest.raises(ValueError, match="version 99"):
        TaggerModel.load(tmp_path / "old.npz")


def test_nltk_sees_a_tagger():
    tagger = NltkTagger(shared_tagger())

    assert tagger.tag(["Rain", "fell", "."]) == [("Rain", "NN"), ("fell", "VBD"), (".", ".")]
    assert tagger.accuracy([[("Rain", "NN"), ("fell", "VBD")]]) == 1.0


@settings(max_examples=50)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_viterbi_finds_what_trying_every_sequence_finds(lengths, seed):
    random = np.random.default_rng(seed)
    scores = random.normal(size=(sum(lengths), 3)).astype(np.float32)
    transitions = random.normal(size=(3, 3)).astype(np.float32)

    best = viterbi(scores.copy(), np.array(lengths), transitions, n_candidates=3)

    first = 0
    for length in lengths:
        rows = scores[first : first + length]

        def total(path, rows=rows):
            moves = sum(transitions[a, b] for a, b in itertools.pairwise(path))
            return sum(row[tag] for row, tag in zip(rows, path, strict=True)) + moves

        expected = max(itertools.product(range(3), repeat=length), key=total)
        assert total(tuple(best[first : first + length])) == pytest.approx(
            total(expected), abs=1e-4
        )
        first += length


@pytest.mark.parametrize(
    ("sentence", "flags"),
    [
        ("“ Rain fell", "NFN"),
        ("COUNCIL SAYS NO", "CCC"),
        ("Council Says No to Mall", "HHHHH"),
        ("Rain", "F"),
    ],
)
def test_case_flags_know_headlines_and_capitals(sentence, flags):
    letters = {
        "N": CaseFlag.NORMAL,
        "F": CaseFlag.FIRST,
        "C": CaseFlag.CAPITALS,
        "H": CaseFlag.HEADLINE,
    }

    assert case_flags(sentence.split()) == [letters[flag] for flag in flags]


def test_shape_shortens_runs():
    assert [shape(form) for form in ("McKay", "R2.5", "eThekwini", "A-Team5", "")] == [
        "XxXx",
        "X0.0",
        "xXx",
        "X-Xx0",
        "",
    ]


def test_describe_gives_plain_words():
    assert describe("NNS").words == "noun, plural"
    assert describe("WHAT").words == "WHAT"
