"""Seats, what addresses spend, and questions that are refused for what they would cost."""

from pathlib import Path

import pytest
from small_corpora import document, write

from corpus_site import bounds_middleware
from corpus_site.bounds_middleware import MOST_AT_ONCE, spending
from corpus_site.running.seats import Seats
from search.views.statistics import counted_values

pytestmark = pytest.mark.django_db

LONG = "/search/frequency/?ql=cql&q=[]{4}&whole=1"


@pytest.fixture
def reader(client, settings):
    settings.READING_WITHOUT_SIGN_IN = True
    write(Path(settings.INDEX_DIR), [document(1, "rain falls on the plain | rain stops at last")])
    return client


def test_nobody_has_two_seats_and_no_more_are_taken_than_there_are(tmp_path):
    seats = Seats(2, wait_seconds=0)

    with (
        seats.taken("a", tmp_path) as first,
        seats.taken("a", tmp_path) as again,
        seats.taken("b", tmp_path) as second,
        seats.taken("c", tmp_path) as third,
    ):
        assert (first, again, second, third) == (True, False, True, False)
    with seats.taken("c", tmp_path) as free:
        assert free


def test_seats_are_those_of_all_processes_of_a_machine(tmp_path):
    one, other = Seats(1, wait_seconds=0), Seats(1, wait_seconds=0)

    with one.taken("a", tmp_path), other.taken("b", tmp_path) as is_free:
        assert not is_free


def test_an_address_that_has_spent_its_minute_is_told_when_to_come_again(reader, settings):
    key = "address 127.0.0.1"
    spending.begin(key, MOST_AT_ONCE)
    spending.end(key, 40.0, settings.READER_ADDRESS_CPU_SECONDS_PER_MINUTE)

    page, question = reader.get("/search/?q=rain"), reader.get("/api/search?q=rain")

    assert (page.status_code, question.status_code) == (429, 429)
    assert 0 < int(page["Retry-After"]) <= 20
    assert "Your address has asked for more work" in page.content.decode()
    assert question.json()["error"]["to_do"].startswith("Ask again in")
    assert reader.get("/search/?q=rain", REMOTE_ADDR="198.51.100.8").status_code == 200
    assert reader.get("/sign-in/").status_code == 200


def test_an_address_has_few_answers_at_a_time(reader):
    for _ in range(MOST_AT_ONCE):
        assert spending.begin("address 127.0.0.1", MOST_AT_ONCE)
    try:
        assert reader.get("/search/?q=rain").status_code == 429
    finally:
        for _ in range(MOST_AT_ONCE):
            spending.end("address 127.0.0.1", 0.0, 30)
    assert reader.get("/search/?q=rain").status_code == 200


@pytest.mark.parametrize("path", [LONG, "/api/search/frequency?ql=cql&q=[]{4}"])
def test_what_needs_more_than_its_seconds_is_refused_in_words(reader, monkeypatch, path):
    monkeypatch.setattr(bounds_middleware, "MOST_SECONDS", 0.0)

    answer = reader.get(path)

    assert answer.status_code == 422
    assert "This question would need more than 0 seconds of work." in answer.content.decode()


@pytest.mark.parametrize("path", [LONG, "/api/search/frequency?ql=cql&q=[]{4}"])
def test_a_heavy_question_without_a_seat_is_to_be_asked_again(reader, monkeypatch, path):
    monkeypatch.setattr(bounds_middleware, "LIGHT_SECONDS", 0.0)
    monkeypatch.setattr(bounds_middleware, "seats", Seats(0, wait_seconds=0))

    answer = reader.get(path)

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


@pytest.mark.parametrize(
    ("path", "status"), [(LONG, 400), ("/api/search/frequency?ql=cql&q=[]{4}", 422)]
)
def test_too_many_tokens_of_nodes_are_refused_before_they_are_read(
    reader, monkeypatch, path, status
):
    monkeypatch.setattr(counted_values, "MOST_NODE_TOKENS", 3)

    answer = reader.get(path)

    assert answer.status_code == status
    assert "would need to read 24 tokens" in answer.content.decode()


def test_nodes_of_several_tokens_are_written_as_they_stand(reader):
    rows = reader.get("/api/search/frequency?ql=cql&q=[]{4}&by=lower").json()["tables"][0]["rows"]

    assert sorted(row["value0"] for row in rows) == [
        "falls on the plain",
        "on the plain rain",
        "plain rain stops at",
        "rain falls on the",
        "rain stops at last",
        "the plain rain stops",
    ]
