"""What is done with matches in the end: cut, expand; the marks that targets leave."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run, targets


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    texts = [
        document(1, "a b c | b d | a"),
        document(2, "b a b | c"),
        document(3, "d d | b"),
    ]
    return snapshot_of(tmp_path_factory.mktemp("corpus"), texts)


def spans(corpus, text, **options):
    hits = run(corpus, parse(text, Language.CQL), **options)
    (part,) = hits.parts
    return list(zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"b" cut 2', [(1, 2), (3, 4)]),
        ('"b" cut 99', [(1, 2), (3, 4), (6, 7), (8, 9), (12, 13)]),
        ('"b" expand to s', [(0, 3), (3, 5), (6, 9), (12, 13)]),
        ('"b" expand to text', [(0, 6), (6, 10), (10, 13)]),
        ('"b" expand left to s', [(0, 2), (3, 4), (6, 7), (6, 9), (12, 13)]),
        ('"b" expand right to s', [(1, 3), (3, 5), (6, 9), (8, 9), (12, 13)]),
        ('"b" expand to 1', [(0, 3), (2, 5), (6, 8), (7, 10), (11, 13)]),
        ('"b" expand right to 2', [(1, 4), (3, 6), (6, 9), (8, 10), (12, 13)]),
        ('"a" expand to 2 s', [(0, 5), (3, 6), (6, 10)]),
        ('"b" cut 1 expand to text', [(0, 6)]),
        ('"d" within ("b" "d")', [(4, 5)]),
        ('"d" !within ("b" "d")', [(10, 11), (11, 12)]),
        ('<s> []* </s> containing ("c")', [(0, 3), (9, 10)]),
        ('<s> []* </s> !containing ("c")', [(3, 5), (5, 6), (6, 9), (10, 12), (12, 13)]),
        ("<s/>", [(0, 3), (3, 5), (5, 6), (6, 9), (9, 10), (10, 12), (12, 13)]),
        ('<text/> containing "c"', [(0, 6), (6, 10)]),
        ('<text/> !containing "c"', [(10, 13)]),
        ("<text/> within s", []),
        ("<text/> within 3", [(6, 10), (10, 13)]),
        ('"b" within (<s/> containing "a")', [(1, 2), (6, 7), (8, 9)]),
        ('"b" within (<s/> !containing "a")', [(3, 4), (12, 13)]),
        ('"b" !within (<s/> containing "a" containing "c")', [(3, 4), (6, 7), (8, 9), (12, 13)]),
        ('<text/> containing (<s/> containing "d" !containing "b")', [(10, 13)]),
        ('"b" within (<text/> containing (<s/> containing "d"))', [(1, 2), (3, 4), (12, 13)]),
    ],
)
def test_matches_afterwards(corpus, text, found):
    assert spans(corpus, text) == found


def test_texts_and_sentences_are_whole_however_long(tmp_path):
    texts = [document(1, "a " * 700 + "b"), document(2, "a b"), document(3, "a " * 600 + "| b")]
    long = snapshot_of(tmp_path, texts)

    def found(text):
        (part,) = run(long, parse(text, Language.CQL)).parts
        return list(zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True))

    assert found("<text/>") == [(0, 701), (701, 703), (703, 1304)]
    assert found("<text> []+ </text>") == found("<text/>")
    assert found('<text/> containing "b"') == found("<text/>")
    assert found('<s/> !containing "b"') == [(703, 1303)]
    assert found('"b" within (<s/> containing "a")') == [(700, 701), (702, 703)]


def test_expansion_stays_in_its_text_unless_all_are_as_one(corpus):
    query = '"b" within ("b" "a" "b") expand to 1'

    assert spans(corpus, query) == [(6, 8), (7, 10)]
    assert spans(corpus, query, across_texts=True) == [(5, 8), (7, 10)]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ('"b" @"d"', {0: [4]}),
        ('"b" @[]? "d"', {0: [-1]}),
        ('@0:"b" @9:"d"', {0: [3], 9: [4]}),
        ('("b" | @"c") []', {0: [-1, 2, -1, -1, -1]}),
        ('"b" "d"', {}),
        ('@"c" cut 1', {0: [2]}),
        ('@"c" within (<s> "c")', {0: [9]}),
    ],
)
def test_targets_are_the_marked_tokens(corpus, text, marks):
    (found,) = targets(run(corpus, parse(text, Language.CQL)))

    assert {number: positions.tolist() for number, positions in found.items()} == marks
