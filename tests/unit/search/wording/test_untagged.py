"""What is said of texts whose tags a query cannot find."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.wording.untagged import one_sided_words, untagged_words

ENGLISH = document(1, "rain/rain/NN " * 6, language="en-ZA")
AFRIKAANS = document(2, "reën/reën/NOUN " * 3, language="af")
ZULU = document(3, "imvula/imvula/XX", language="zu")


def said(words, tmp_path, query, *documents, language=Language.CQL):
    selection = select(snapshot_of(tmp_path, documents), DocumentFilter())
    return words(parse(query, language), selection)


OF_VERB = (
    "VERB matches universal tags alone; 60 % of these tokens have Penn tags, those in English. "
    'For both write pos="VB.*|MD|VERB|AUX".'
)
OF_NN = (
    "NN.* matches Penn tags alone; 30 % of these tokens have universal tags, those in Afrikaans."
)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('[pos="VERB"]', OF_VERB),
        ('"the" [pos="NN.*"]', OF_NN),
        ('[pos="NN.*|NOUN"]', ""),
        ('[pos="SYM"]', ""),
        ('[pos!="NN"]', ""),
        ('[pos="NO SUCH"]', ""),
        ('[lemma="rain"]', ""),
    ],
)
def test_a_tag_of_one_tag_set_says_what_it_cannot_find(tmp_path, query, words):
    found = said(one_sided_words, tmp_path, query, ENGLISH, AFRIKAANS, ZULU)

    assert " ".join(found.split()) == words


def test_word_classes_find_all_tags(tmp_path):
    query = "ADJ NOUN"
    assert not said(one_sided_words, tmp_path, query, ENGLISH, AFRIKAANS, language=Language.SIMPLE)


@pytest.mark.parametrize("documents", [[ENGLISH], [ENGLISH, ZULU], []])
def test_nothing_is_said_where_no_text_has_the_other_tags(tmp_path, documents):
    assert not said(one_sided_words, tmp_path, '[pos="NN"]', *documents)


@pytest.mark.parametrize(("documents", "is_said"), [([ENGLISH, ZULU], True), ([AFRIKAANS], False)])
def test_texts_without_tags_are_named(tmp_path, documents, is_said):
    words = said(untagged_words, tmp_path, '[lemma="rain"]', *documents)

    assert ("in other languages, where a lemma is the word itself" in words) == is_said
