"""Two tokens with a gap that are to be equal: pairs by distance, constraint, strategy and texts."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import explain, run, targets
from search.engine.query.running import equal_tokens
from search.engine.query.running.chosen_way import Way


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    texts = [
        document(1, "a b a a A a | c b c"),
        document(2, "a c/x/VB c/y/NN b", publication="other"),
    ]
    return snapshot_of(tmp_path_factory.mktemp("corpus"), texts)


@pytest.fixture(autouse=True)
def any_share(monkeypatch):
    monkeypatch.setattr(equal_tokens, "MOST_SHARE", 1.0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('a:"a" []{0,1} b:"a" :: a.word = b.word', [(0, 3), (2, 4), (3, 6)]),
        ('a:"a" []{1,2} b:"a" :: b.word = a.word', [(0, 3), (2, 6)]),
        ('(?longest) a:"a" []{0,4} b:"a" :: a.word = b.word', [(0, 6)]),
        ('(?longest) a:"a" %c []{0,4} b:"a" %c :: a.lower = b.lower', [(0, 6)]),
        ('a:"a" %c []{0,1} b:"a" %c :: a.word = b.word', [(0, 3), (2, 4), (3, 6)]),
        ("a:[] []{1,2} b:[] :: a.word = b.word", [(0, 3), (2, 6), (6, 9)]),
        ('a:[] []{0,1} b:"c" :: a.word = b.word', [(6, 9), (10, 12)]),
        ('a:[] []{0,1} b:"c" :: a.lemma = b.lemma', [(6, 9)]),
        ('a:[] []{0,9} b:[] :: a.word = b.word & b.word = "b"', [(1, 8)]),
        ('a:[] []{0,9} b:[] :: a.word = b.word & b.word = "b" within s', []),
        ('a:"c" []{0,1} [word = a.word & pos = "NN"]', [(6, 9), (10, 12)]),
        ('"c" []{0,1} "c" :: match.word = matchend.word', [(6, 9), (10, 12)]),
    ],
)
def test_pairs_that_are_equal(corpus, text, found):
    query = parse(text, Language.CQL)
    (part,) = run(corpus, query).parts

    assert [way.way for way in explain(corpus, query)] == [Way.EQUAL_TOKENS]
    assert list(zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True)) == found


def test_texts_that_are_left_out_have_no_pairs(corpus):
    query = parse('a:"c" []{0,1} @b:"c" :: a.word = b.word', Language.CQL)

    hits = run(corpus, query, DocumentFilter(publications=("other",)))

    assert [part.spans.starts.tolist() for part in hits.parts] == [[10]]
    assert [{n: at.tolist() for n, at in marks.items()} for marks in targets(hits)] == [{0: [11]}]


@pytest.mark.parametrize(
    "text",
    [
        'a:"a" []{0,2} b:"a" :: a.word != b.word',
        'a:"a" []{0,2} b:"a" :: a.word = b.lemma',
        'a:"a" []{0,31} b:"a" :: a.word = b.word',
        'a:"a" []* b:"a" :: a.word = b.word',
        'a:"a" "b"{0,2} b:"a" :: a.word = b.word',
        'a:"a" []{0,2} b:"a" :: a.word = b.word | a.pos = "NN"',
    ],
)
def test_other_patterns_are_run_another_way(corpus, text):
    (way,) = explain(corpus, parse(text, Language.CQL))

    assert way.way is not Way.EQUAL_TOKENS


def test_tokens_as_frequent_as_the_text_are_run_another_way(corpus, monkeypatch):
    monkeypatch.setattr(equal_tokens, "MOST_SHARE", 0.25)

    (way,) = explain(corpus, parse("a:[] []{0,2} b:[] :: a.word = b.word", Language.CQL))

    assert way.way is not Way.EQUAL_TOKENS
