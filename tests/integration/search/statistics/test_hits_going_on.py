"""Statistic pages of a query that takes longer than a page may."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from pages import markup, words
from small_corpora import document, write

from search.engine.index.building.writer import IndexWriter
from search.models import PastQuery
from search.views.concordance import going_on
from search.views.saved import comparison

pytestmark = pytest.mark.django_db

QUERY = "q=%22rain%22+[]*+%22b%22+within+s&ql=cql"
PART = {"HX-Request": "true"}


@pytest.fixture
def corpus(settings, monkeypatch):
    """Five parts of the index with a text each, and no patience beyond one of them."""
    batches = [
        [document(day, "rain b | rain a b", published_seconds=day * 86_400, publication="karoo")]
        for day in range(1, 6)
    ]
    write(Path(settings.INDEX_DIR), *batches, tail_tokens=1)
    monkeypatch.setattr(going_on, "PAGE_SECONDS", 0.0)


def test_the_page_says_how_far_the_search_has_come(reader, corpus):
    response = reader.get(f"/search/trend/?{QUERY}&by=day")

    page = markup(response)
    assert response.status_code == 200
    assert "1 of 5 parts of the corpus, with 2 hits so far." in page
    assert "<table" not in page
    assert 'hx-trigger="load delay:300ms"' in page


def test_asking_on_comes_to_the_finished_page_with_its_parameters(reader, corpus):
    address = reader.get(f"/search/trend/?{QUERY}&by=day").context["going_on"].on

    for _ in range(5):
        response = reader.get(address, headers=PART)
        if response.status_code == 204:
            break

    assert response.headers["HX-Redirect"].startswith("/search/trend/?q=")
    finished = reader.get(response.headers["HX-Redirect"])
    assert finished.context["hits"].total == 10
    assert "Hits by day of publication" in markup(finished)


def test_who_cancels_can_go_on_or_wait(reader, corpus):
    found = reader.get(f"/search/distribution/?{QUERY}").context["going_on"]

    stopped = markup(reader.get(found.stop, headers=PART))
    whole = reader.get(found.whole)

    assert "Stopped" in stopped
    assert "hx-trigger" not in stopped
    assert whole.context["hits"].total == 10
    assert "Not known here" not in markup(whole)


def test_a_comparison_goes_on_until_both_searches_are_done(reader, corpus, monkeypatch):
    monkeypatch.setattr(comparison, "PAGE_SECONDS", 0.0)
    address = comparison.compare_address(QUERY, "q=rain")

    first = reader.get(address)
    for _ in range(5):
        last = reader.get(first.context["on"])
        if "sides" in last.context:
            break

    assert "of 10 parts of the corpus" in markup(first)
    numbers = [(side.n_hits, side.n_also, side.n_less) for side in last.context["sides"]]
    assert numbers == [(10, 10, 0), (10, 10, 0)]
    assert "sides" in reader.get(comparison.compare_address(QUERY, "q=b") + "&whole=1").context


@pytest.mark.parametrize(("name", "n_hits"), [("also", 10), ("less", 5)])
def test_a_search_beside_the_hits_goes_on_too(reader, corpus, name, n_hits):
    other = {"also": QUERY, "less": 'q="rain" "b" within s&ql=cql'}[name]
    address = f"/search/trend/?{urlencode({'q': 'rain', name: other})}"

    first = reader.get(address).context["going_on"]
    pages = [reader.get(address) for _ in range(5)]

    assert (first.n_done, first.n_segments) == (2, 10)
    assert first.n_hits == 0  # none is known before the other search has ended
    assert pages[0].context["going_on"].n_done == 4
    assert pages[-1].context["hits"].total == n_hits
    lines = reader.get(f"/search/?{urlencode({'q': 'rain', name: other})}").context["page"]
    assert lines.total == n_hits


def test_lists_of_then_and_today_go_on_until_all_are_found(reader, corpus, settings):
    address = f"/search/today/?{QUERY}&asof=5"

    first = reader.get(address)
    more = document(6, "rain b", published_seconds=6 * 86_400, publication="karoo")
    with IndexWriter(Path(settings.INDEX_DIR)) as writer:  # the corpus moves on meanwhile
        writer.add(more)
        writer.commit()
    for _ in range(20):
        last = reader.get(address)
        if "found" in last.context:
            break

    assert "of 15 parts of the corpus" in markup(first)
    assert "Go on" in markup(first)
    assert "10 hits then, 11 hits today: 1 came, 0 gone, 10 are the same." in words(last)
    whole = reader.get(f"/search/today/?{QUERY}&asof=4&whole=1")
    assert "8 hits then, 11 hits today" in words(whole)


def test_a_search_stands_in_the_history_when_all_its_hits_are_found(linguist, corpus):
    address = linguist.get(f"/search/?{QUERY}").context["going_on"].on
    assert not PastQuery.objects.exists()
    for _ in range(5):
        response = linguist.get(address, headers=PART)
        if response.status_code == 204:
            break
    linguist.get(response.headers["HX-Redirect"])

    assert [(row.view, row.n_hits) for row in PastQuery.objects.all()] == [("search", 10)]
    assert "after=" not in PastQuery.objects.get().parameters


def test_a_file_waits_for_all_hits(reader, corpus):
    response = reader.get(f"/search/trend/?{QUERY}&export=json")

    assert "10 in 5 texts" in response.json()["about"]["hits"]


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        (f"/part/waiting/trend/?{QUERY}", {}, 404),
        (f"/part/waiting/saved/?{QUERY}", PART, 404),
        ("/part/waiting/trend/", PART, 400),
        (f"/part/waiting/trend/?{QUERY}&from=x", PART, 400),
    ],
)
def test_what_is_no_waiting_page_is_refused(reader, corpus, address, headers, status):
    assert reader.get(address, headers=headers).status_code == status


def test_a_wrong_query_is_said(reader, corpus):
    response = reader.get("/part/waiting/trend/?q=[&ql=cql", headers=PART)

    assert 'class="notice warn"' in markup(response)
