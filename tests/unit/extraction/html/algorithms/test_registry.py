"""Choosing an extractor by name, with parameters as editors give them."""

import pytest
from read_pages import read

from extraction.html.algorithms.dgwc import Classifier
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ALGORITHMS, ExtractorChoice


@pytest.mark.parametrize("name", list(ALGORITHMS))
@pytest.mark.parametrize("html", ["", "<body><p>Text</p></body>", "<li>" * 300])
def test_every_algorithm_answers_on_odd_pages(name, html):
    page = read(html)

    found = ExtractorChoice.of(name).run(page)

    lines = [position for block in found.blocks for position in block.lines]
    assert len(lines) == len(set(lines))
    assert set(lines) <= set(range(len(page.outline.lines)))


def test_defaults_are_those_of_the_sources():
    found = {name: vars_of(ExtractorChoice.of(name).parameters) for name in ALGORITHMS}

    assert found["tag_ratio"]["least_ratio"] == 2.0
    assert found["qread"]["gap_lines"] == 3
    assert (found["dgwc"]["phi"], found["dgwc"]["least_score"]) == (5, 1.5)
    assert found["site_level"]["page_share"] == 0.10
    assert found["site_level"]["contained_share"] == 0.85
    assert found["templateness"]["penalty"] == 0.01


def vars_of(parameters):
    return {name: getattr(parameters, name) for name in type(parameters).__dataclass_fields__}


def test_choice_is_read_from_a_short_text():
    choice = ExtractorChoice.parse("dgwc:classifier=tree,phi=3")

    assert (choice.parameters.classifier, choice.parameters.phi) == (Classifier.TREE, 3)
    assert choice.changed_values == {"classifier": "tree", "phi": 3}
    assert ExtractorChoice.parse("auto").is_auto
    assert ExtractorChoice.parse("auto").changed_values == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boilerpipe", "There is no extractor “boilerpipe”; there are: auto, rule,"),
        ("qread:gap=3", "There is no parameter “gap”; there are: gap_lines,"),
        ("qread:gap_lines=0", "“gap_lines” is a number from 1 to 50."),
        ("qread:gap_lines=2.5", "“gap_lines” is a whole number from 1 to 50."),
        ("qread:gap_lines=many", "“gap_lines” is a number from 1 to 50."),
        ("qread:uses_title=perhaps", "“uses_title” is true or false."),
        ("dgwc:classifier=bayes", "“classifier” is one of svm, svm_raw, naive_bayes, tree."),
        ("dgwc:phi", "“phi” is not of the form parameter=value."),
        ("auto:phi=3", "The default extractor has no parameters."),
        ("rule:phi=3", "There is no parameter “phi”; there are: none."),
    ],
)
def test_wrong_choice_is_refused_with_the_reason(text, message):
    with pytest.raises(AlgorithmParameterError) as refusal:
        ExtractorChoice.parse(text)

    assert str(refusal.value).startswith(message)
