"""Gate on the extraction: no figure on the development pages falls below what it was.

Text is judged on the pages of one fold of the domains, by a model trained on the other four
(`python -m extraction.html.training.train_line_model DATA --without-fold 0 --output
tests/data/extraction/unseen_line_model.npz`, to be made anew whenever features or training
change), so the floors are those of unseen sites; the table over all folds is that of
`BENCH_FOLDS=5 make bench-extraction`.
The shipped model has seen every page; its floors on every fourth page tell a broken file from a
good one, no more: a model that remembers less is better. Lowering a floor is an explicit act.
"""

import hashlib
from pathlib import Path

import pytest
from benchmarks.adapters import as_harness, extract
from benchmarks.extraction_scores import SETS, Scores, gold_pages, harness
from shared_data import SHARED, shared

from extraction.html.extract_page import extract_page
from extraction.html.lines.line_model import MODEL_PATH, LineModel
from extraction.html.page import PageInput
from extraction.html.training.train_line_model import N_FOLDS, fold_of

pytestmark = pytest.mark.data

EVERY = 4
UNSEEN_FOLD = 0
UNSEEN_MODEL = Path(__file__).parents[1] / "data/extraction/unseen_line_model.npz"
# SHA-256 over the gold files, first half of the digest.
DIGEST = "f7e68e6fbcf89189"
# SHA-256 of the shipped model, which the training command makes of these data.
MODEL_DIGEST = "f9fffe88e6accf77"
UNSEEN_FLOORS = {
    "fundus": 0.969,
    "fundus80": 0.975,
    "segments": 0.945,
    "sites": 0.969,
    "wcxb": 0.955,
    "zyte": 0.985,
}
FLOORS = {
    "fundus": 0.975,
    "fundus80": 0.993,
    "segments": 0.963,
    "sites": 0.952,
    "wcxb": 0.953,
    "zyte": 0.989,
}
FIELD_FLOORS = {"title": 0.878, "authors": 0.871, "date": 0.931}


@pytest.fixture(scope="module")
def measured():
    shared("data/extraction/gold")
    evaluate = harness(SHARED)
    scores = Scores()
    for set_name in SETS:
        for position, (gold, html) in enumerate(gold_pages(SHARED, set_name)):
            if position % EVERY == 0:
                scores.add(evaluate, set_name, gold, extract, html)
    return scores.summary(evaluate)


@pytest.fixture(scope="module")
def unseen():
    shared("data/extraction/gold")
    evaluate = harness(SHARED)
    model = LineModel.load(UNSEEN_MODEL)
    scores = Scores()

    def by_unseen(body, url):
        return as_harness(extract_page(PageInput(body=body, url=url), model=model))

    for set_name in SETS:
        for gold, html in gold_pages(SHARED, set_name):
            if fold_of(gold.get("group") or gold["id"], N_FOLDS) == UNSEEN_FOLD:
                scores.add(evaluate, set_name, gold, by_unseen, html)
    return scores.summary(evaluate)


def test_data_are_those_the_floors_were_set_on():
    digest = hashlib.sha256()
    for set_name in SETS:
        digest.update(shared(f"data/extraction/gold/{set_name}.jsonl").read_bytes())

    assert digest.hexdigest()[:16] == DIGEST


def test_shipped_model_is_the_one_the_floors_were_set_on():
    assert hashlib.sha256(MODEL_PATH.read_bytes()).hexdigest()[:16] == MODEL_DIGEST


def test_text_of_unseen_sites_does_not_fall_below_its_floor(unseen):
    found = {name: round(unseen[name]["f1"], 3) for name in SETS}

    assert {name: value for name, value in found.items() if value < UNSEEN_FLOORS[name]} == {}


def test_text_does_not_fall_below_its_floor(measured):
    found = {name: round(measured[name]["f1"], 3) for name in SETS}

    assert {name: value for name, value in found.items() if value < FLOORS[name]} == {}


def test_metadata_do_not_fall_below_their_floor(measured):
    found = {name: round(measured[name], 3) for name in FIELD_FLOORS}

    assert {name: value for name, value in found.items() if value < FIELD_FLOORS[name]} == {}
