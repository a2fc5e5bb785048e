"""A query that takes longer than a page may: its first page, its progress, its end."""

from pathlib import Path

import pytest
from factories import make_article
from small_corpora import document, write

from search.views import counting

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
    monkeypatch.setattr(counting, "PAGE_SECONDS", 0.0)
    return articles


def text_of(response):
    return " ".join(response.content.decode().split())


def see(client, query=QUERY):
    return client.get(f"/search/?{query}")


def test_the_first_page_is_shown_before_the_total(reader, corpus):
    response = see(reader)

    page = text_of(response)
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
    address = see(reader).context["counting"]["on"]

    answers = []
    while len(answers) < 10:
        answers.append(reader.get(address, headers=PART))
        if "HX-Redirect" in answers[-1].headers:
            break

    assert [answer.status_code for answer in answers] == [200, 200, 200, 204]
    assert "4 of 5 parts" in text_of(answers[2])
    finished = reader.get(answers[-1].headers["HX-Redirect"])
    assert finished.context["page"].counting is None
    assert finished.context["page"].total == 10
    assert "<strong>10</strong> hits" in text_of(finished)
    assert see(reader).context["page"].total == 10


def test_cancelling_stops_asking_and_going_on_is_offered(reader, corpus):
    links = see(reader).context["counting"]

    page = text_of(reader.get(links["stop"], headers=PART))

    assert "Stopped: 2 of 5 parts" in page
    assert "load delay" not in page
    assert "Go on" in page


def test_without_script_the_whole_answer_can_be_waited_for(reader, corpus):
    links = see(reader).context["counting"]

    response = reader.get(links["whole"])

    assert response.context["page"].counting is None
    assert response.context["page"].total == 10
    assert "Not known here" not in text_of(response)


def test_another_order_waits_for_all_hits(reader, corpus):
    response = see(reader, f"{QUERY}&sort=r1")

    assert response.context["lines"] == []
    assert "1 of 5 parts" in text_of(response)
    assert "No hits" not in text_of(response)


def test_lines_that_may_still_change_are_not_shown(reader, corpus):
    response = see(reader, QUERY.replace("n=2", "n=3"))

    assert response.context["lines"] == []


def test_the_part_visited_directly_links_to_its_page(reader, corpus):
    links = see(reader).context["counting"]

    assert reader.get(links["on"]).status_code == 404
    assert reader.get("/part/counting/?q=", headers=PART).status_code == 400


def test_a_query_over_the_limit_says_so(reader, corpus, monkeypatch):
    links = see(reader).context["counting"]
    monkeypatch.setattr("search.query.limits.DEFAULT_VISITS", 0)

    response = see(reader, QUERY.replace("rain", "r.*"))
    going_on = reader.get(links["on"], headers=PART)

    assert response.status_code in {200, 400}
    assert going_on.status_code == 200
