"""`explain` names the way of a query, the token it looks up, and how many places that is."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.language.parser import Language, parse
from search.engine.query.run import explain
from search.engine.query.running.chosen_way import Way


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Two texts of 40 sentences, of ten tokens; one has “rain”."""
    sentence = "the old man saw a small dog in town ."
    texts = [document(1, " ".join([sentence] * 40)), document(2, "rain " + sentence * 40)]
    return snapshot_of(tmp_path_factory.mktemp("corpus"), texts)


def ways(corpus, cql):
    return explain(corpus, parse(cql, Language.CQL))


@pytest.mark.parametrize(
    ("cql", "way", "token"),
    [
        ('"rain"', Way.POSTINGS, '"rain"'),
        ('[lemma="rain"]', Way.POSTINGS, '[lemma="rain"]'),
        ('"rain" "the" "old"', Way.RAREST_OF_ROW, '"rain"'),
        ("[] []", Way.COUNTED_ROW, ""),
        ('"the" [] "old"', Way.COUNTED_ROW, ""),
        ('"rain" []{9,30} "rain"', Way.TWO_ROWS, '"rain"'),
        ('a:"the" []{1,6} b:"the" :: a.word = b.word', Way.EQUAL_TOKENS, ""),
        ('a:"the" []{1,6} b:"the" :: a.word != b.word', Way.FIRST_TOKENS, '"the"'),
        ('MU (meet "man" "dog" -5 5)', Way.MEET, ""),
        ('TAB "man" {1,4} "dog"', Way.TABLE, ""),
        ("<s> []* </s>", Way.REGIONS, ""),
        ('<s> [word!="rain"]+ </s>', Way.FILLED_REGIONS, ""),
        ('[]? a:"old" []{0,3} "dog" :: a.word = "x"', Way.STEP_BY_STEP, ""),
        ('[]{1,3} "rain"', Way.BACK_FROM_RARER, '"rain"'),
        ('<text> []{1,3} "saw"', Way.OPENINGS, ""),
        ('"man" []{0,2} "dog"', Way.FIRST_TOKENS, '"man"'),
    ],
)
def test_way_is_named_with_what_is_looked_up(corpus, cql, way, token):
    (chosen,) = ways(corpus, cql)

    assert (chosen.way, chosen.token) == (way, token)


def test_places_are_those_of_the_whole_corpus(corpus):
    (chosen,) = ways(corpus, '"rain"')

    assert chosen.n_places == 1
    assert str(chosen) == (
        'postings "rain", 1 place: the type of a token decides, so its postings are the hits.'
    )


def test_each_pattern_has_its_way(corpus):
    chosen = ways(corpus, '"man" within ("rain" "the")')

    assert [way.way for way in chosen] == [Way.POSTINGS, Way.RAREST_OF_ROW]
