"""A worker without work: what it gives back, and that it goes on as before."""

import gc

import pytest
from django.core.management import call_command
from invented_treebank import treebank

from corpus_site.running import memory
from corpus_site.running.resting import rest
from dedup.stage.texts import signature_of
from search.engine.annotation.languages import tagged_language
from search.engine.annotation.own_languages import taggers_in_memory
from search.engine.annotation.tagger import TYPES_AT_REST, shared_tagger


@pytest.fixture
def usual_collector():
    """The collector as it was, after the test."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


def test_rest_gives_back_word_types_and_signatures():
    words = [[f"word{number}", "."] for number in range(600)]
    tags = shared_tagger().tag_sentences(words)
    signature = signature_of("The sangoma drank maas.")

    rest()

    assert len(shared_tagger()._types) == TYPES_AT_REST
    assert signature_of("The sangoma drank maas.") is not signature
    assert shared_tagger().tag_sentences(words) == tags


def test_rest_gives_back_word_types_of_learnt_languages(tmp_path):
    (tmp_path / "invented.conllu").write_text(treebank(), encoding="utf-8")
    call_command("train_tagger", str(tmp_path / "invented.conllu"), language="zu")
    words = [[f"umu{'ab'[number % 2]}{number}", "."] for number in range(600)]
    rest()  # nothing is loaded to be emptied
    assert taggers_in_memory() == []
    tagged_language("zu").tagger().tag_sentences(words)

    rest()

    [tagger] = taggers_in_memory()
    assert len(tagger._types) == TYPES_AT_REST


def test_settled_process_collects_seldom_and_leaves_out_what_it_has_loaded(usual_collector):
    memory.settle()

    assert gc.get_threshold() == memory.COLLECTOR_THRESHOLDS
    assert gc.get_freeze_count() > 100_000
