"""Gates on the text chain: no figure on the development data falls below what it was.

The floors are the figures of the day they were set, rounded down; lowering one is an explicit act.
The data's digests are pinned with them, and so are those of the shipped models' bytes.
"""

import hashlib

import pytest
from benchmarks import text_measures as measures
from shared_data import shared

from extraction.text import language
from extraction.text.train_language import OTHERS_PATH
from search.engine.annotation import afrikaans, lemmatizer, model, word_vectors

pytestmark = pytest.mark.data

DIGESTS = {
    "ewt-dev.conllu.gz": "50a2bfa8d0299607",
    "gum-dev.conllu.gz": "67c7707c631ea28e",
    "af-dev.conllu.gz": "d2c7abc6210bb591",
    "sa_sent_dev.txt": "0fcb16da7ea31334",
    "lid-dev.jsonl.gz": "ad3d859cf9815ed0",
    "south_african_sentences.txt": "e6bc0810c287b483",
    "south_african_sentences_2.txt": "cca224f3f0e2d78d",
}
# File: SHA-256, first half; a training run on the data above must give these very bytes.
MODELS = {
    "language.npz": "6dafc670db6bb113",
    "lemmas.npz": "0f9fcbd1a0e8325f",
    "tagger_afrikaans.npz": "647219371b2c68f4",
    "lemmas_afrikaans.npz": "6dd598e26c909e39",
    "word_vectors.npz": "80c8a1c5831dcca9",
    "tagger.npz": "26929c2fc9483caa",
}
LARGEST_MODEL_BYTES = 3_000_000


@pytest.fixture(scope="module")
def folder():
    return shared("data/nlp")


@pytest.fixture(scope="module")
def gold(folder):
    return {name: measures.paragraphs(folder, name) for name in ("ewt", "gum")}


@pytest.mark.parametrize("name", measures.FILES)
def test_the_floors_speak_of_this_data(folder, name):
    assert measures.digest(folder / name) == DIGESTS[name]


@pytest.mark.parametrize(("treebank", "floor"), [("ewt", 98.8), ("gum", 99.7)])
def test_token_spans(gold, treebank, floor):
    assert measures.token_score(gold[treebank]).f1 >= floor


@pytest.mark.parametrize(("treebank", "floor"), [("ewt", 86.3), ("gum", 97.1)])
def test_sentence_boundaries(gold, treebank, floor):
    texts = measures.treebank_boundaries(gold[treebank])

    assert measures.sentence_score(texts).f1 >= floor


def test_sentence_boundaries_of_south_african_news(folder):
    given = measures.south_african_paragraphs(folder / "sa_sent_dev.txt")
    own = measures.south_african_paragraphs(measures.SOUTH_AFRICAN_NEWS)

    assert measures.sentence_score(given).f1 == 100
    assert measures.digest(measures.SOUTH_AFRICAN_NEWS) == DIGESTS["south_african_sentences.txt"]
    assert measures.sentence_score(own).f1 >= 99.5


def test_sentence_boundaries_of_more_south_african_news():
    path = measures.MORE_SOUTH_AFRICAN_NEWS

    assert measures.digest(path) == DIGESTS[path.name]
    assert measures.sentence_score(measures.south_african_paragraphs(path)).f1 >= 99.0


@pytest.mark.parametrize(
    ("treebank", "tags", "lemmas_gold", "lemmas_own"),
    # EWT's lemmas were 99.2 and 98.7 before "people" followed GUM: then GUM's 99.1 missed its mark.
    [("ewt", 95.3, 99.1, 98.6), ("gum", 97.6, 99.69, 99.34)],
)
def test_tags_and_lemmas(gold, treebank, tags, lemmas_gold, lemmas_own):
    scores = measures.tag_scores(gold[treebank])

    assert scores.tags >= tags
    assert scores.lemmas_gold >= lemmas_gold
    assert scores.lemmas_own >= lemmas_own


def test_afrikaans_tags_and_lemmas(folder):
    scores = measures.afrikaans_scores(folder)

    assert scores.tags >= 96.76
    assert scores.lemmas_gold >= 98.7
    assert scores.lemmas_own >= 98.7


def test_languages(folder):
    scores = measures.language_scores(folder)

    # One of the 825 paragraphs is labelled wrongly, one is not told from isiXhosa.
    assert scores["paragraph"] >= 99.75
    assert scores["short"] >= 91.8
    assert scores["paragraph, English"] >= 99.8
    assert scores["short, English"] >= 99.5


def test_other_languages_are_none_of_the_eleven():
    assert measures.other_languages() == 100


def test_texts_that_the_language_model_is_trained_with_are_these():
    assert measures.digest(OTHERS_PATH) == "0e796cc90b691d79"


@pytest.mark.parametrize(
    "path",
    [
        language.MODEL_PATH,
        lemmatizer.TABLE_PATH,
        model.MODEL_PATH,
        model.AFRIKAANS_MODEL_PATH,
        afrikaans.LEMMAS_PATH,
        word_vectors.VECTORS_PATH,
    ],
)
def test_shipped_models_are_those_that_were_measured(path):
    data = path.read_bytes()

    assert hashlib.sha256(data).hexdigest()[:16] == MODELS[path.name]
    assert len(data) <= LARGEST_MODEL_BYTES
