"""Why a query found nothing, in sentences."""

import pytest
from small_corpora import document, snapshot_of

from search.query.parser import Language, parse
from search.wording.remarks import remarks_on


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
        ('"$"', "“$” does not occur in the corpus."),
        ('[lemma="fell"]', "“fell” is a form of “fall”; search for that lemma."),
        ('"the"', "“the” does not occur in this spelling; other capitals may."),
        ('[pos="noun"]', 'noun is not a tag of this corpus; write pos="NN.*|NOUN|PROPN" for it.'),
    ],
)
def test_remark_names_what_the_corpus_does_not_have(snapshot, query, remark):
    assert remarks_on(parse(query, Language.CQL), snapshot) == (remark,)
