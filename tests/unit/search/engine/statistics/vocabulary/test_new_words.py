"""New words agree with looking through all documents in order of time; doubts are told apart."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import batches, build, filters, plain_selection, value_of
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics.vocabulary.edits import FrequentWords
from search.engine.statistics.vocabulary.new_words import Clock, Doubt, NewWordsRequest, new_words

NOTHING_HIDDEN = frozenset()


def plain_new(items, first, last, least):
    """Values whose first day lies in the span, with hits, texts and publications.

    What stands in a text without a date may have been there before.
    """
    days, hits, texts, papers = {}, {}, {}, {}
    for item in items:
        day = -1 if item.is_undated else item.day_number
        for token in item.tokens:
            value = value_of(token, "lower")
            days[value] = min(days.get(value, day), day)
            hits[value] = hits.get(value, 0) + 1
            texts.setdefault(value, set()).add((item.kind, item.key))
            papers.setdefault(value, set()).add(item.publication)
    return {
        value: (hits[value], len(texts[value]), len(papers[value]))
        for value, day in days.items()
        if first <= day <= last and len(papers[value]) >= least
    }


@settings(deadline=None, max_examples=60)
@given(batches, filters, st.integers(1, 6), st.integers(0, 3), st.integers(1, 2))
def test_new_words_equal_looking_through_all_documents(stories, which, first, length, least):
    wanted = NewWordsRequest(first, first + length, min_publications=least, hidden=NOTHING_HIDDEN)
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)

        found = new_words(select(snapshot, which), wanted)

        items = plain_selection(stories, which)
        expected = plain_new(items, first, first + length, least)
        assert {w.value: (w.hits, w.texts, w.publications) for w in found.words} == expected
        assert found.n_words == len(expected)
        in_span = [
            item
            for item in items
            if first <= item.day_number <= first + length and not item.is_undated
        ]
        assert found.span_base.n_documents == len(in_span)
        for word in found.words:
            having = [d for d in items if word.value in [value_of(t, "lower") for t in d.tokens]]
            earliest = min(having, key=lambda d: (d.published_seconds, d.kind, d.key))
            columns = word.first.view.segment.documents
            assert columns.key[word.first.row] == earliest.key
            forms = [value_of(token, "lower") for token in earliest.tokens]
            bounds = word.first.view.segment.bounds
            assert word.first.position - bounds[word.first.row] == forms.index(word.value)
            per_day = [0] * len(word.by_day)
            for item in having:
                n = sum(value_of(token, "lower") == word.value for token in item.tokens)
                per_day[item.day_number - first] += n
            assert list(word.by_day) == per_day


@pytest.fixture
def snapshot(tmp_path):
    old = [document(i, "government rain" + " government" * 40, publication="karoo") for i in (1, 2)]
    new = [
        document(10, "a dry day | goverment snoekonomics Kosie/kosie/NNP b2b today"),
        document(11, "snoekonomics goverment Kosie/kosie/NNP b2b", publication="cape"),
        document(12, "snoekonomics alone", publication="cape"),
    ]
    return snapshot_of(tmp_path, old, new)


def found_in(snapshot, **wanted):
    return new_words(select(snapshot, DocumentFilter()), NewWordsRequest(10, 11, **wanted))


def test_names_numbers_and_typos_are_hidden_and_counted(snapshot):
    found = found_in(snapshot)

    assert [word.value for word in found.words] == ["snoekonomics"]
    assert found.n_hidden == {
        Doubt.IGNORED: 0,
        Doubt.NAME: 1,
        Doubt.TYPO: 1,
        Doubt.NOT_LETTERS: 1,
    }


def test_hidden_words_can_be_shown_with_their_doubt(snapshot):
    found = found_in(snapshot, hidden=NOTHING_HIDDEN)

    assert {word.value: (word.doubt, word.meant) for word in found.words} == {
        "snoekonomics": (None, ""),
        "kosie": (Doubt.NAME, ""),
        "b2b": (Doubt.NOT_LETTERS, ""),
        "goverment": (Doubt.TYPO, "government"),
    }


def test_a_new_word_shows_its_first_sentence_and_its_days(snapshot):
    word = found_in(snapshot).words[0]

    stream = word.first.view.segment.stream[word.first.start : word.first.stop]
    assert [token.word for token in snapshot.tokens(stream)] == [
        "goverment", "snoekonomics", "Kosie", "b2b", "today",
    ]  # fmt: skip
    assert (word.hits, word.texts, word.publications) == (3, 3, 2)
    assert word.by_day == (1, 1, 1)
    assert word.first.day == 10


def test_words_of_one_publication_wait_for_a_second(snapshot):
    assert "alone" not in [word.value for word in found_in(snapshot, min_publications=1).words]
    values = [word.value for word in found_in(snapshot, min_publications=1).words]
    assert values == ["snoekonomics", "a", "day", "dry", "today"]


def test_a_word_of_an_old_text_that_comes_late_is_new_by_arrival_only(tmp_path):
    late = 20 * 86_400
    items = [
        document(5, "rain", ingested_seconds=5 * 86_400),
        document(1, "gogga", ingested_seconds=late),
    ]
    snapshot = snapshot_of(tmp_path, items)
    everything = select(snapshot, DocumentFilter())

    def values(**wanted):
        request = NewWordsRequest(20, 20, min_publications=1, **wanted)
        return [word.value for word in new_words(everything, request).words]

    assert values() == []
    assert values(clock=Clock.ARRIVAL) == ["gogga"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("becuase", "because"),  # neighbours exchanged
        ("becaus", "because"),  # a letter left out at the end
        ("ecause", "because"),  # and at the beginning
        ("becausse", "because"),  # a letter too many
        ("bicause", "because"),  # a letter changed
        ("because", None),  # the word itself
        ("bceuase", None),  # two slips
        ("braai", None),
        ("cas", None),  # too short to tell
    ],
)
def test_one_slip_is_told_from_none_and_two(word, meant):
    assert FrequentWords(["because", "cash"]).near(word) == meant


@given(st.text("abcd", min_size=4, max_size=7), st.text("abcd", min_size=3, max_size=8))
def test_slips_equal_trying_all_changes(word, frequent):
    one_slip = {word[:i] + word[i + 1 :] for i in range(len(word))}
    one_slip |= {word[:i] + c + word[i:] for i in range(len(word) + 1) for c in "abcd"}
    one_slip |= {word[:i] + c + word[i + 1 :] for i in range(len(word)) for c in "abcd"}
    one_slip |= {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}

    expected = frequent if frequent in one_slip - {word} else None
    assert FrequentWords([frequent]).near(word) == expected
