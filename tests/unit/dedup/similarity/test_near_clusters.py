import random

import pytest

from dedup.similarity.near import MAX_HOLDERS, signature
from dedup.similarity.near_clusters import NearDuplicates, sentence_clusters
from extraction.text.digest import text_digest

VOCABULARY = [f"word{n}" for n in range(3000)]


def invented(n_words, seed):
    return " ".join(random.Random(seed).choices(VOCABULARY, k=n_words))


A, B, C = (invented(150, seed) for seed in "ABC")


def clusters_of(*texts):
    found = NearDuplicates()
    for n, text in enumerate(texts):
        found.add(n, signature(text), text_digest(text))
    return [found.cluster_of(n) for n in range(len(texts))]


def test_copies_parts_and_edits_join_the_first_text():
    edited = A.replace(A.split()[40], "changed").replace(A.split()[90], "altered")

    assert clusters_of(A, B, A, edited, A[: len(A) // 2], C) == [0, 1, 0, 0, 0, 5]


def test_a_text_between_two_clusters_joins_the_better_match():
    mostly_b = " ".join(A.split()[:60]) + " " + B

    assert clusters_of(A, B, mostly_b) == [0, 1, 1]


def test_the_whole_report_makes_one_of_its_parts():
    words = invented(300, "whole").split()
    first, second, whole = " ".join(words[:170]), " ".join(words[130:]), " ".join(words)

    assert clusters_of(first, second, whole) == [0, 0, 0]
    assert clusters_of(first, second) == [0, 1]
    assert clusters_of(whole, first, second) == [0, 0, 0]


def test_a_round_up_of_two_reports_does_not_make_them_one():
    assert clusters_of(A, B, f"{A} {B}") == [0, 1, 0]


def test_clusters_depend_on_the_order_as_documented():
    # A ~ B and B ~ C, B no longer than A.
    words = invented(260, "chain").split()
    a, b, c = " ".join(words[:150]), " ".join(words[45:185]), " ".join(words[85:225])

    assert clusters_of(a, b, c) == [0, 0, 2]
    assert clusters_of(b, a, c) == [0, 0, 0]


def test_a_clearly_longer_version_is_found_by_its_later_copies():
    early, late = A, A + " " + B
    end_of_late = B

    assert clusters_of(early, late, end_of_late) == [0, 0, 0]
    assert clusters_of(early, end_of_late) == [0, 1]


def test_a_short_text_within_each_issue_of_a_column_does_not_chain_them():
    standing = invented(60, "standing")
    issues = [standing + " " + invented(140, f"issue{n}") for n in range(6)]

    found = clusters_of(standing, *issues)

    assert found == [0, 0, 2, 3, 4, 5, 6]


def test_exact_copies_share_a_cluster_however_common_their_fingerprints_are():
    # Of what `MAX_HOLDERS` texts hold nothing more is entered, so the copy has no candidate.
    fillers = [invented(400, f"filler{n}") + " " + A for n in range(MAX_HOLDERS)]
    found = NearDuplicates()
    for n, text in enumerate(fillers):
        found.add(n, signature(text))

    first = found.add(100, signature(A), text_digest(A))

    assert found.add(101, signature(A), text_digest(A)) == first


@pytest.mark.parametrize(("text", "expected"), [("", [0, 1]), ("\n\n", [0, 1]), ("…!", [0, 0])])
def test_texts_without_words_are_copies_only_by_their_signs(text, expected):
    assert clusters_of(text, text) == expected


def test_sentence_clusters_join_what_shares_enough_sentences():
    one = "The council met on Tuesday morning. It spent the money on pipes. Nobody was against it."
    like = "The council met on Tuesday morning. It spent the money on pipes. The mayor was away."
    other = "The Sharks beat the Lions in Durban. Nobody was against it."

    assert sentence_clusters([one, other, like, ""]) == [0, 1, 0, 3]


def test_sentence_clusters_ignore_sentences_of_more_than_ten_texts():
    standing = "Subscribe to our newsletter for more stories."
    texts = [f"{standing} Story number {n} is of its own kind." for n in range(11)]

    assert sentence_clusters(texts[:10]) == [0] * 10
    assert sentence_clusters(texts) == list(range(11))
