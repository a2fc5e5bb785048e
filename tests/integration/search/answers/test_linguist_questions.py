"""What linguists type, over the page: hits as recounted from the export, or words that help."""

from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from linguist_questions import COUNTED, EXPLAINED, REFUSED, Corpus
from pages import words
from small_corpora import write

from search.engine.annotation.annotate import TextToAnnotate, annotate_many
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.annotation.tagger import shared_tagger
from search.engine.index.documents import DocumentKind, IndexDocument
from search.engine.workbench.program import main

pytestmark = pytest.mark.django_db

TEXTS = Path(__file__).parents[3] / "data" / "south_african_sentences.txt"
LEAST_WITH_HITS = 0.85  # of the counted questions: nothing is soon right about nothing
MORE = "The café has closed. The Café Mafeking has not."


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Folder of an index of newspaper sentences, each block of the file a text."""
    blocks = [*TEXTS.read_text(encoding="utf-8").split("\n\n"), MORE]
    texts = [block.replace("\n", " ").strip() for block in blocks if block.strip()]
    tagged = annotate_many(
        [TextToAnnotate(text) for text in texts], shared_tagger(), LexiconOverrides.none()
    )
    folder = tmp_path_factory.mktemp("questions") / "index"
    write(
        folder,
        [
            IndexDocument(
                key=key,
                kind=DocumentKind.ARTICLE,
                publication="karoo",
                language="en",
                published_seconds=key * 86_400,
                tokens=[(token.word, token.lemma, token.tag) for token in text.tokens],
                sentence_starts=text.sentence_starts,
            )
            for key, text in enumerate(tagged, 1)
        ],
    )
    return folder


@pytest.fixture
def ask(index, settings):
    """Give the page of a question."""
    settings.READING_WITHOUT_SIGN_IN, settings.INDEX_DIR = True, index
    client = Client(raise_request_exception=False)
    return lambda language, text: client.get("/search/", {"ql": language, "q": text})


@pytest.fixture(scope="module")
def exported(index, tmp_path_factory):
    """The corpus as the engine's own command writes it, read line by line."""
    path = tmp_path_factory.mktemp("export") / "corpus.vrt"
    assert main(["export", str(index), str(path)]) in (0, None)
    corpus: Corpus = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("<text"):
            corpus.append([])
        elif line == "<s>":
            corpus[-1].append([])
        elif "\t" in line:
            word, lemma, tag = line.split("\t")[:3]
            corpus[-1][-1].append((unescape(word), unescape(lemma), unescape(tag)))
    return corpus


def test_hits_are_those_of_a_recount_from_the_export(ask, exported):
    found = {question: ask(*question).context["page"].total for question in COUNTED}

    assert found == {question: count(exported) for question, count in COUNTED.items()}
    assert sum(map(bool, found.values())) > 0.85 * len(
        found
    )  # of which few are true by having none


@pytest.mark.parametrize("question", EXPLAINED, ids=" ".join)
def test_nothing_is_found_with_a_word_of_why(ask, question):
    response = ask(*question)
    because, offered = EXPLAINED[question]

    assert response.status_code == 200
    assert response.context["page"].total == 0
    assert because in words(response)
    assert offered in words(response)


@pytest.mark.parametrize("question", REFUSED, ids=lambda question: " ".join(question)[:40])
def test_what_cannot_be_read_is_refused_at_its_character(ask, question):
    response = ask(*question)

    assert response.status_code == 400
    assert "▲ Character" in words(response)


def test_the_questions_are_a_hundred_and_fifty():
    assert len(COUNTED) + len(EXPLAINED) + len(REFUSED) >= 150
