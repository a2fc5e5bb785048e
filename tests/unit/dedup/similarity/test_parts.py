import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.near import compare, kinship_of_part, signature
from dedup.similarity.near_clusters import NearDuplicates
from dedup.similarity.parts import is_part
from dedup.similarity.relations import Relation


def body(name, n_words):
    return " ".join(f"{name}{number}" for number in range(n_words))


REPORT = body("report", 120)
ROUND_UP = f"{body('sport', 150)} {REPORT} {body('weather', 60)}"
SITE = body("site", 40)


@pytest.mark.parametrize(
    ("longer", "expected"),
    [
        (ROUND_UP, True),
        (f"{body('sport', 150)} {REPORT.replace('report7 ', 'other ')}", True),
        (REPORT, False),
        (f"{REPORT} {body('more', 300)}", False),  # an update
        (f"{SITE} {REPORT} {body('more', 300)}", False),  # the same behind lines of a site
        (f"{body('sport', 150)} {body('report', 60)}", False),  # half of it
        (f"{body('lead', 100)} {REPORT}", False),  # most of the longer one
        (body("other", 400), False),
        ("", False),
    ],
)
def test_a_part_stands_whole_behind_another_body(longer, expected):
    assert is_part(signature(REPORT), signature(longer)) == expected
    assert is_part(signature(longer), signature(REPORT)) == expected


def test_a_part_is_no_duplicate_and_names_the_longer_text_master():
    report, whole = signature(REPORT), signature(ROUND_UP)

    [match] = compare(report, {1: whole})

    assert match.closeness >= 1.0
    assert (match.is_part, match.is_duplicate) == (True, False)
    assert kinship_of_part(whole, report).relation == Relation.PART
    assert kinship_of_part(whole, report).is_later_master
    assert not kinship_of_part(report, whole).is_later_master


@pytest.mark.parametrize("texts", [(REPORT, ROUND_UP, REPORT), (ROUND_UP, REPORT, REPORT)])
def test_copies_of_a_part_come_together_without_the_whole(texts):
    clusters = NearDuplicates()
    for number, text in enumerate(texts):
        clusters.add(number, signature(text))

    found = {text: clusters.cluster_of(number) for number, text in enumerate(texts)}
    assert found[REPORT] != found[ROUND_UP]
    assert clusters.cluster_of(2) == texts.index(REPORT)


@given(st.text(alphabet="ab ", max_size=80), st.text(alphabet="ab ", max_size=80))
def test_any_two_texts_can_be_asked_about(one, other):
    there = is_part(signature(one), signature(other))

    assert there == is_part(signature(other), signature(one))
