"""A query that takes longer than a page may: its first page, its progress, its end."""

from pathlib import Path

import pytest
from factories import make_article
from pages import markup
from small_corpora import document, write

from search.answers import searching
from search.asking import hit_filters
from search.engine.concordance import sorting
from search.engine.query.errors import QueryTooExpensiveError
from search.engine.query.limits import Budget
from search.views.concordance import concordance, going_on

pytestmark = pytest.mark.django_db

QUERY = "q=%22rain%22+[]*+%22b%22+within+s&ql=cql&n=2"
PART = {"HX-Request": "true"}


@pytest.fixture
def corpus(settings, monkeypatch):
    """Five parts of the index with a text each, and no patience beyond one of them."""
    articles = [make_article("rain b | rain a b") for _ in range(5)]
    batches = [
        [document(row.pk, "rain b | rain a b", published_seconds=day * 86_400, publication="karoo")]
        for day, row in enumerate(articles, 1)
    ]
    write(Path(settings.INDEX_DIR), *batches, tail_tokens=1)
    monkeypatch.setattr(going_on, "PAGE_SECONDS", 0.0)
    return articles


def see(client, query=QUERY):
    return client.get(f"/search/?{query}")


def test_the_first_page_is_shown_before_the_total(reader, corpus):
    response = see(reader)

    page = markup(response)
    assert response.status_code == 200
    assert [row.hit for row in response.context["lines"]] == [
        f"{corpus[-1].pk}-0",
        f"{corpus[-1].pk}-2",
    ]
    assert "1 of 5 parts of the corpus, newest first, with 2 hits so far." in page
    assert "<strong>2</strong> hits so far" in page
    assert "per million" not in page
    assert 'hx-trigger="load delay:300ms"' in page
    assert "No hits" not in page


def test_asking_on_comes_to_the_finished_page(reader, corpus):
    address = see(reader).context["going_on"].on

    answers = []
    while len(answers) < 10:
        answers.append(reader.get(address, headers=PART))
        if "HX-Redirect" in answers[-1].headers:
            break

    assert [answer.status_code for answer in answers] == [200, 200, 200, 204]
    assert "4 of 5 parts" in markup(answers[2])
    finished = reader.get(answers[-1].headers["HX-Redirect"])
    assert finished.context["page"].counting is None
    assert finished.context["page"].total == 10
    assert "<strong>10</strong> hits" in markup(finished)
    assert see(reader).context["page"].total == 10


def test_cancelling_stops_asking_and_going_on_is_offered(reader, corpus):
    links = see(reader).context["going_on"]

    page = markup(reader.get(links.stop, headers=PART))

    assert "Stopped: 2 of 5 parts" in page
    assert "load delay" not in page
    assert "Go on" in page


def test_without_script_the_whole_answer_can_be_waited_for(reader, corpus):
    links = see(reader).context["going_on"]

    response = reader.get(links.whole)

    assert response.context["page"].counting is None
    assert response.context["page"].total == 10
    assert "Not known here" not in markup(response)


def test_another_order_waits_for_all_hits(reader, corpus):
    response = see(reader, f"{QUERY}&sort=r1")

    assert response.context["lines"] == []
    assert "1 of 5 parts" in markup(response)
    assert "No hits" not in markup(response)


def test_lines_that_may_still_change_are_not_shown(reader, corpus):
    response = see(reader, QUERY.replace("n=2", "n=3"))

    assert response.context["lines"] == []


def test_the_part_visited_directly_links_to_its_page(reader, corpus):
    links = see(reader).context["going_on"]

    assert reader.get(links.on).status_code == 404
    assert reader.get("/part/counting/?q=", headers=PART).status_code == 400


@pytest.fixture
def tight_limits(monkeypatch):
    monkeypatch.setattr(sorting, "MOST_SORTED", 3)
    monkeypatch.setattr(hit_filters, "MOST_SORTED", 3)


@pytest.mark.parametrize("query", ["sort=r1", "sample=2", "near=a"])
def test_too_many_hits_to_sort_are_said_so_with_ways_out(reader, corpus, tight_limits, query):
    response = see(reader, f"q=rain&{query}&whole=1")

    page = markup(response)
    assert response.status_code == 400
    assert "These are 10 hits, too many to" in page
    assert 'value="rain"' in page
    assert '<a href="/search/?q=rain' in page
    assert "the texts of the last 30 days" in page


def test_a_query_over_its_budget_says_so(reader, corpus, monkeypatch):
    monkeypatch.setattr(Budget, "spend", refuse)

    response = see(reader)

    assert response.status_code == 400
    assert '<h2 id="h-dear" tabindex="-1" data-focus>Too expensive</h2>' in markup(response)
    assert "This query would look at too many places." in markup(response)


def refuse(budget, visits):
    raise QueryTooExpensiveError("This query would look at too many places.")


def test_going_on_over_the_budget_says_so(reader, corpus, monkeypatch):
    links = see(reader).context["going_on"]
    monkeypatch.setattr(Budget, "spend", refuse)

    page = markup(reader.get(links.on, headers=PART))

    assert "This query would look at too many places." in page
    assert "load delay" not in page


def test_deep_pages_end_with_the_export(reader, corpus, monkeypatch):
    monkeypatch.setattr(searching, "DEEPEST_LINE", 4)
    monkeypatch.setattr(concordance, "DEEPEST_LINE", 4)

    second = see(reader, "q=rain&n=2&after=5.2&whole=1")

    assert second.context["page"].next_after is None
    assert "Lines beyond 4 are in the" in markup(second)
