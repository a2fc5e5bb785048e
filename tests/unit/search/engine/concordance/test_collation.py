"""The order of dictionaries, against the examples of the Unicode collation algorithm."""

import pytest

from search.engine.concordance.word_ranks import dictionary_key


@pytest.mark.parametrize(
    "ordered",
    [
        # UTS #10, section 1.1, table "comparison levels"
        ["role", "roles", "rule"],
        ["role", "rôle", "roles"],
        ["role", "Role", "rôle"],
        # UTS #10, section 1.9.2: accents are compared from the first letter on
        ["cote", "coté", "côte", "côté"],
        ["a", "A", "á", "Á", "b"],
        ["-x", "20", "3", "a"],
        ["Aaron", "ábaco", "Zulu"],
        ["résumé", "Résumé", "résumés"],
        ["resume", "Resume", "résumé", "Résumé"],
        ["'n", "’n", "n"],
        ["strasse", "Straße"],
    ],
)
def test_words_stand_as_in_a_dictionary(ordered):
    assert sorted(sorted(ordered, reverse=True), key=dictionary_key) == ordered


def test_different_words_have_different_keys():
    words = ["ß", "ss", "SS", "ẞ", "ﬁ", "fi", "Å", "Å", "K", "\u212a"]

    assert len({dictionary_key(word) for word in words}) == len(set(words))
