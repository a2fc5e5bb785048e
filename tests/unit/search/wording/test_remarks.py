"""Why a query found nothing, in sentences."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.wording.remarks import Remark, remarks_on


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    text = "The/the/DT rain/rain/NN fell/fall/VBD"
    return snapshot_of(tmp_path_factory.mktemp("corpus"), [document(1, text)])


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        (
            '"^rain$"',
            "“^rain$” was looked for with its ^ or $. Write “rain”: it is the whole word.",
        ),
        ('""', "Empty quotes are no word; [] finds any token."),
        ('[lemma=""]', "Empty quotes are no word; [] finds any token."),
        ('"$"', "“$” does not occur in the corpus."),
        ('[lemma="fell"]', "“fell” is a form of “fall”; search for that lemma."),
        ('"the"', "“the” does not occur in this spelling; other capitals may."),
        ('[pos="noun"]', 'noun is not a tag of this corpus; write pos="NN.*|NOUN|PROPN" for it.'),
    ],
)
def test_remark_names_what_the_corpus_does_not_have(snapshot, query, remark):
    assert remarks_on(parse(query, Language.CQL), snapshot) == (Remark(remark),)


@pytest.mark.parametrize(
    ("query", "offered", "total"),
    [
        ('[word contains "ai"]', '[word = ".*(ai).*"]', 1),
        ('[lemma matches "rain|fall" & pos="VBD"]', '[lemma = "rain|fall" & pos="VBD"]', 1),
    ],
)
def test_tests_of_sets_are_offered_as_those_of_words(snapshot, query, offered, total):
    (remark, *_) = remarks_on(parse(query, Language.CQL), snapshot)

    assert remark.query == offered
    assert run(snapshot, parse(offered, Language.CQL)).total == total


@pytest.mark.parametrize(
    ("query", "other", "offered", "times"),
    [
        ('"\'s"', "’s", '"’s"', "2 times"),
        ("'''s' []", "’s", '"’s" []', "2 times"),
        ('[lemma="\'s.*"]', "’s.*", '[lemma="’s.*"]', "2 times"),
        ("'\"'", "“", '"“"', "1 time"),
    ],
)
def test_quotes_that_occur_are_named(tmp_path, query, other, offered, times):
    snapshot = snapshot_of(tmp_path, [document(1, "Karoo ’s “ rain ’s ‘s")])

    (remark, *_) = remarks_on(parse(query, Language.CQL), snapshot)

    assert remark.query == offered
    assert remark.words.endswith(f" does not occur; {other} does, {times} in all texts:")
    assert parse(remark.query, Language.CQL)


@pytest.mark.parametrize(
    ("query", "offered"),
    [
        ('"rain" "The"', 'MU(meet "rain" "The" s)'),
        ('[pos="VBD"] [pos="DT"]', 'MU(meet [pos="VBD"] [pos="DT"] s)'),
        ('"fell" "The" "rain"', 'MU(meet (meet "fell" "The" s) "rain" s)'),
    ],
)
def test_what_occurs_in_another_order_is_offered(snapshot, query, offered):
    (remark,) = remarks_on(parse(query, Language.CQL), snapshot)

    assert remark.words.startswith("Each of these occurs, but not one behind the other.")
    assert remark.query == offered
    assert run(snapshot, parse(offered, Language.CQL)).total == 1


@pytest.mark.parametrize(
    "query", ['"rain" "rain"', '"rain" [] "The"', '"rain" "The" within s', '<s> "rain"', '"rain"']
)
def test_no_order_is_offered_where_there_is_none(snapshot, query):
    assert remarks_on(parse(query, Language.CQL), snapshot) == ()
