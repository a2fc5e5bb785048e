"""Questions that take longer than an answer may: told how far they are, gone on with when asked."""

from pathlib import Path

import pytest
from small_corpora import document, write

from corpus_site.api import searching

pytestmark = pytest.mark.django_db
QUERY = {"q": '"rain" []* "b" within s', "ql": "cql"}


@pytest.fixture
def corpus(settings, monkeypatch):
    """Five parts of the index with a text each, and no patience beyond one of them."""
    batches = [
        [document(day, "rain b | rain a b", published_seconds=day * 86_400, publication="karoo")]
        for day in range(1, 6)
    ]
    write(Path(settings.INDEX_DIR), *batches, tail_tokens=1)
    monkeypatch.setattr(searching, "ANSWER_SECONDS", 0.0)


def test_a_search_answers_what_was_found_and_goes_on(ask, corpus):
    found = [ask("/api/search/", **QUERY).json()]
    while not found[-1]["is_complete"]:
        assert len(found) < 6
        after = found[-1]["progress"]["after"]
        found.append(ask("/api/search/", **QUERY, after=after).json())

    assert [answer["hits"] for answer in found] == [2, 4, 6, 8, 10]
    assert [answer["progress"]["done"] for answer in found[:-1]] == [1, 2, 3, 4]
    assert len(found[-1]["lines"]) == 10


@pytest.mark.parametrize("path", ["search/trend", "search/export"])
def test_what_needs_all_hits_asks_to_be_asked_again(ask, corpus, path):
    answers = [ask(f"/api/{path}/", **QUERY) for _ in range(5)]

    assert [answer.status_code for answer in answers] == [503, 503, 503, 503, 200]
    error = answers[1].json()["error"]
    assert error["happened"] == "2 of 5 parts of the corpus are searched."
