"""A machine without an index says so, on pages and to programs, instead of finding nothing."""

import shutil

import pytest
from django.conf import settings
from factories import NOW, index_all, make_article

from feeds.work.leases import Claim
from search import indexing

pytestmark = pytest.mark.django_db
SENTENCE = "This machine has no index"
PAGES = (
    "/search/?q=rain", "/search/frequency/?q=rain", "/search/collocates/?q=rain", "/words/",
    "/search/trend/?q=rain", "/words/rain/",
)  # fmt: skip


@pytest.fixture
def lost():
    """Lose the folder of an index that a text went into."""
    make_article("Rain fell on the Karoo.")
    index_all()
    shutil.rmtree(settings.INDEX_DIR)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_that_the_index_is_missing(lost, linguist, path):
    page = linguist.get(path).content.decode()

    assert SENTENCE in page
    assert "no texts yet" not in page


@pytest.mark.parametrize("path", ["/api/search?q=rain", "/api/search/frequency?q=rain"])
def test_a_program_is_told_that_nothing_can_be_searched(lost, linguist, path):
    answer = linguist.get(path)

    assert answer.status_code == 503
    assert "no index" in answer.json()["error"]["happened"]


def test_an_admin_is_told_what_to_do(lost, admin_reader):
    page = admin_reader.get("/search/?q=rain").content.decode()

    assert "INDEX_DIR" in page
    assert "manage.py reindex" in page


@pytest.mark.parametrize("path", PAGES)
def test_a_corpus_without_texts_misses_nothing(linguist, path):
    make_article("Rain fell on the Karoo.")

    assert SENTENCE not in linguist.get(path).content.decode()


def test_an_index_that_is_made_anew_is_searched(lost, linguist):
    indexing.make_all_due(NOW)
    indexing.run(10, Claim.make("test", NOW))

    page = linguist.get("/search/?q=rain").content.decode()

    assert SENTENCE not in page
    assert "<strong>1</strong> hit" in " ".join(page.split())
