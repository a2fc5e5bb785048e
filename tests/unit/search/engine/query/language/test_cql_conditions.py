"""Functions and comparisons of CQL on a corpus small enough to count by hand."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    texts = [
        document(
            1,
            "Rain/rain/NN fell/fall/VBD in/in/IN 1990/1990/CD | rain/rain/NN",
            publication="karoo",
        ),
        document(2, "café/café/NN 12th/12th/JJ undo/do/VB x"),
        document(366, "the/the/DT the/the/DT end/end/NN", publication="cape"),
    ]
    return snapshot_of(tmp_path_factory.mktemp("corpus"), texts)


FOUND = {
    "[f(word) = 2]": ["the", "the"],
    "[f(lemma) > 1]": ["Rain", "rain", "the", "the"],
    "[f(pos) = 1 & word != 'x']": ["fell", "in", "1990", "12th", "undo"],
    "[strlen(word) = 4]": ["Rain", "fell", "1990", "rain", "café", "12th", "undo"],
    "[int(word) > 0]": ["1990", "12th"],
    "[int(word) >= 1990]": ["1990"],
    '[prefix(word, lemma) = "f"]': ["fell"],
    '[minus(word, lemma) = ".+"]': ["Rain", "fell", "undo"],
    '[is_prefix("un", word)]': ["undo"],
    "[is_prefix(lemma, word) & pos = 'NN']": ["rain", "café", "x", "end"],
    '[normalize(word, "cd") = "rain|cafe"]': ["Rain", "rain", "café"],
    "[add(strlen(word), 1) = 3]": ["in"],
    "[sub(strlen(word), strlen(lemma)) != 0]": ["undo"],
    "[mul(strlen(word), 2) < 4]": ["x"],
    "[ignore(_) & word = 'x']": ["x"],
    "[lbound(s)]": ["Rain", "rain", "café", "the"],
    "[rbound(s) & !lbound(s)]": ["1990", "x", "end"],
    "[lbound(text)]": ["Rain", "café", "the"],
    "[lbound_of(s, _) = _]": ["Rain", "rain", "café", "the"],
    "[distance(lbound_of(text, _), _) = 2]": ["in", "undo", "end"],
    "[word = lemma & pos = 'NN']": ["rain", "café", "x", "end"],
    "[word != lemma]": ["Rain", "fell", "undo"],
    '[lemma = "rain" -> word = "R.*"] cut 2': ["Rain", "fell"],
    '[word = "cafe"%d]': ["café"],
    '[word = "CAFE"%cd]': ["café"],
    '[word = "r.*n"%c]': ["Rain", "rain"],
    "[lower = 'rain']": ["Rain", "rain"],
    "[folded = 'cafe']": ["café"],
    "[stem = 'rain']": ["Rain", "rain"],
    "[ascii = 'cafe']": ["café"],
    "[ascii = 'CAFÉ']": ["café"],
    "[ascii = '.a.[éx]']": ["café"],
    "[ascii = 'rain' & ascii != word]": ["Rain"],
    "[f(ascii) = 2]": ["Rain", "rain", "the", "the"],
    '[pos = "nn"%c & text_publication = "karoo" & stem != "rain"]': ["café", "x"],
    '[_.text_date < "1970-02-01" & pos = "NN"]': ["Rain", "rain", "café", "x"],
    '[text_year >= "1971"]': ["the", "the", "end"],
    '[text_month = "1970-01" & pos = "VB.*"]': ["fell", "undo"],
    '<text_publication = "c.*"> []': ["the"],
    '[text_id = "2" & pos = "NN"]': ["café", "x"],
    "a:[] b:[] :: a.word = b.word": ["the"],
    "a:[] []* b:[] :: f(a.word) = 2 & distance(a, b) = 1": ["the", "the"],
    'a:[pos = "NN"] [] :: distabs(a, matchend) = 1': ["Rain", "café"],
    '"Rain" []* b:"fell"? [] :: !b': ["Rain"],
}  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_first_words_of_what_is_found(corpus, text):
    (part,) = run(corpus, parse(text, Language.CQL)).parts

    segment, words = part.view.segment, corpus.lexicon.words
    starts = part.spans.starts
    found = [corpus.lexicon.form(int(words[number])) for number in segment.stream[starts]]

    assert found == FOUND[text]


def test_place_in_the_text_is_not_asked_of_a_meet(corpus):
    found = run(corpus, parse('MU(meet [lbound(s)] "fell" 1 1)', Language.CQL))

    assert found.total == 1


@pytest.mark.parametrize(
    "text",
    ['[f("a") > 1]', "[lbound(page)]", "[strlen(3) = 1]", '[int(word) = "a"]', "[add(1) > 0]"],
)
def test_wrong_argument_is_refused(corpus, text):
    with pytest.raises(QueryError):
        run(corpus, parse(text, Language.CQL))
