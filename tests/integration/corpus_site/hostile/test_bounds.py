"""Seats, what addresses spend, and questions that are refused for what they would cost."""

import os
import threading
import time
import tracemalloc
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.signals import request_finished
from django.db import close_old_connections, connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from small_corpora import document, write
from waiting import wait_until

from corpus_site.accounts.models import User
from corpus_site.management.commands.up import WEB_THREADS
from corpus_site.middleware import bounds
from corpus_site.middleware.bounds import MOST_AT_ONCE, BoundsMiddleware, _Turn, spending
from corpus_site.running import children
from corpus_site.running.seats import SEATS, Seats
from corpus_site.running.streams import Cost, Stream
from corpus_site.running.turns import MOST_WAITING, TURNS, Turns
from feeds.crawler.documents.limited_work import Limits, WorkEndedError, run_limited
from search.engine.allowance import AllowanceUsedError, allowing
from search.engine.shared_work import SharedWork
from search.engine.tables.exports import ExportFormat
from search.views.statistics import counted_values

pytestmark = pytest.mark.django_db

LONG = "/search/frequency/?ql=cql&q=[]{4}&whole=1"


@pytest.fixture
def reader(client, settings):
    settings.READING_WITHOUT_SIGN_IN = True
    write(Path(settings.INDEX_DIR), [document(1, "rain falls on the plain | rain stops at last")])
    return client


def go_away(file):
    """Close an answer that is not read, but not the test's connection to the database."""
    request_finished.disconnect(close_old_connections)
    file.close()
    request_finished.connect(close_old_connections)


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
    spending.end(key, 400.0, settings.READER_ADDRESS_CPU_SECONDS_PER_MINUTE)

    page, question = reader.get("/search/?q=rain"), reader.get("/api/search?q=rain")

    assert (page.status_code, question.status_code) == (429, 429)
    assert 0 < int(page["Retry-After"]) <= 740
    assert "Your address has asked for more work" in page.content.decode()
    assert question.json()["error"]["to_do"].startswith("Ask again in")
    assert reader.get("/search/?q=rain", REMOTE_ADDR="198.51.100.8").status_code == 200
    assert reader.get("/sign-in/").status_code == 200


def test_an_address_has_few_answers_at_a_time(reader):
    for n_before in range(MOST_AT_ONCE):
        assert spending.begin("address 127.0.0.1", MOST_AT_ONCE) == n_before
    try:
        assert reader.get("/search/?q=rain").status_code == 429
    finally:
        for _ in range(MOST_AT_ONCE):
            spending.end("address 127.0.0.1", 0.0, 30)
    assert reader.get("/search/?q=rain").status_code == 200


@pytest.mark.parametrize("path", [LONG, "/api/search/frequency?ql=cql&q=[]{4}"])
def test_what_needs_more_than_its_seconds_is_refused_in_words(reader, monkeypatch, path):
    monkeypatch.setattr(bounds, "MOST_SECONDS", 0.0)

    answer = reader.get(path)

    assert answer.status_code == 422
    assert "This question would need more than 0 seconds of work." in answer.content.decode()


@pytest.mark.parametrize("path", [LONG, "/api/search/frequency?ql=cql&q=[]{4}"])
def test_a_heavy_question_without_a_seat_is_to_be_asked_again(reader, monkeypatch, path):
    monkeypatch.setattr(bounds, "LIGHT_SECONDS", 0.0)
    monkeypatch.setattr(bounds, "seats", Seats(0, wait_seconds=0))

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


@pytest.mark.parametrize("path", ["/search/export/", "/api/search/export"])
@pytest.mark.parametrize("kind", list(ExportFormat))
def test_a_file_keeps_its_seat_until_it_is_read_or_its_reader_goes(reader, monkeypatch, path, kind):
    monkeypatch.setattr(bounds, "export_seats", Seats(wait_seconds=0))

    def asked(address):
        return reader.get(path, {"q": "rain", "format": kind}, REMOTE_ADDR=address)

    files = [asked(f"198.51.100.{number}") for number in range(SEATS)]
    none_free = asked("198.51.100.9")
    go_away(files[0])
    after_one_has_gone = asked("198.51.100.9")
    whole = files[1].getvalue()
    after_one_was_read = asked("198.51.100.10")

    assert [file.status_code for file in files] == [200] * SEATS
    assert (none_free.status_code, none_free["Retry-After"]) == (503, "5")
    assert "A file is being made" in none_free.content.decode()
    assert after_one_has_gone.status_code == 200
    assert len(whole) > 100
    assert after_one_was_read.status_code == 200
    for file in (after_one_has_gone, after_one_was_read):
        go_away(file)


def test_a_file_takes_no_seat_from_questions_and_questions_none_from_files(reader, monkeypatch):
    monkeypatch.setattr(bounds, "LIGHT_SECONDS", 0.0)

    file = reader.get("/search/export/?q=rain")

    assert reader.get(LONG, REMOTE_ADDR="198.51.100.9").status_code == 200
    assert b"rain" in file.getvalue()


def test_what_a_file_costs_is_counted_for_its_address_while_it_is_read():
    cost, gone = Cost(), []
    held = ExitStack()
    held.callback(lambda: gone.append(cost.seconds))

    def pieces():
        for piece in (b"a", b"b"):
            end = time.thread_time() + 0.02
            while time.thread_time() < end:
                pass
            yield piece

    stream = Stream(pieces(), cost, held)

    assert (list(stream), gone) == ([b"a", b"b"], [])
    stream.close()
    stream.close()
    assert len(gone) == 1
    assert gone[0] >= 0.04


@pytest.mark.parametrize("kind", ["csv", "jsonl", "xlsx"])
def test_a_file_of_many_lines_needs_no_more_memory_than_one_of_few(
    client, settings, monkeypatch, kind
):
    settings.READING_WITHOUT_SIGN_IN = True
    words = " | ".join(" ".join(f"w{n % 97}" for n in range(20)) for _ in range(20))
    write(Path(settings.INDEX_DIR), [document(key, words) for key in range(1, 31)])

    def peak(n_lines):
        monkeypatch.setattr("search.views.concordance.export.READER_LINES", n_lines)
        tracemalloc.start()
        try:
            file = client.get("/search/export/", {"ql": "cql", "q": "[]", "format": kind})
            n_bytes = sum(map(len, file))
            return n_bytes, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2_000)  # what is kept between questions
    (few_bytes, few), (many_bytes, many) = peak(2_000), peak(10_000)

    assert many_bytes > 3 * few_bytes
    assert many - few < 1 << 20


def test_a_list_of_long_hits_is_cut_in_words_and_says_so_in_the_api(reader, monkeypatch):
    address = "/api/search/frequency?ql=cql&q=[]{4}"
    whole = reader.get(address).json()
    monkeypatch.setattr(counted_values, "MOST_LISTED_TOKENS", 12)
    monkeypatch.setattr(counted_values, "MOST_SHOWN_ROWS", 1)

    cut = reader.get(address).json()
    file = reader.get("/search/frequency/?ql=cql&q=[]{4}&export=csv").content.decode()
    page = reader.get("/search/frequency/?ql=cql&q=[]{4}&n=2").content.decode()
    short = reader.get("/api/search/frequency?ql=cql&q=[]").json()

    table, all_rows = cut["tables"][0], whole["tables"][0]["rows"]
    assert (table["rows"], table["n_all"], table["is_complete"]) == (all_rows[:3], 6, False)
    assert cut["notes"]["cut"].startswith("The first 3 of 6 rows: a list of hits as long as these")
    assert (whole["tables"][0]["is_complete"], "cut" in whole["notes"]) == (True, False)
    assert "rows of frequency,3 of 6" in file
    assert "The first 3 of 6 rows" in file
    assert "The first 2 of 6 rows." in page
    assert "up to 3" in " ".join(page.split())
    assert short["tables"][0]["is_complete"]


def spend(address, seconds):
    spending.begin(f"address {address}", MOST_AT_ONCE)
    spending.end(f"address {address}", seconds, 30)


def test_who_spent_much_is_sent_away_where_it_waits_in_vain_and_others_are_answered(
    reader, monkeypatch
):
    monkeypatch.setattr(bounds, "turns", Turns(0))
    monkeypatch.setattr(bounds, "MOST_WAIT_SECONDS", 0.0)
    spend("198.51.100.1", 20.0)
    spend("198.51.100.2", 0.1)

    def asked(address):
        return reader.get("/search/?q=rain", REMOTE_ADDR=address)

    much, little = asked("198.51.100.1"), asked("198.51.100.2")

    assert (much.status_code, little.status_code) == (503, 200)
    assert 30 < int(much["Retry-After"]) <= 38  # when the 20 s will have come back but for one
    assert "Many are asking at the moment" in much.content.decode()


def comes_while(turns, ends):
    """Let somebody who has spent nothing wait for a turn, and keep it until the event."""

    def work():
        if turns.begin(_Turn(0.0, yields=True), 60.0):
            ends.wait(60.0)
            turns.end()

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: turns.n_waiting)
    return thread


def test_a_question_stands_aside_between_blocks_of_work_for_who_spent_less(monkeypatch):
    turns, ends = Turns(1), threading.Event()
    monkeypatch.setattr(bounds, "turns", turns)
    question = _Turn(20.0, yields=True)
    assert question.begin()
    thread = comes_while(turns, ends)

    goes_on_at_first = question.let_others_go(bounds.TURN_SECONDS / 2)
    n_still_waiting = turns.n_waiting
    ends.set()
    goes_on = question.let_others_go(bounds.TURN_SECONDS)
    thread.join()
    question.end()

    assert (goes_on_at_first, n_still_waiting, goes_on, turns.n_asking) == (True, 1, True, 0)


def test_who_stands_aside_goes_first_where_somebody_waits_for_its_work(monkeypatch):
    turns = Turns(1, now=lambda: 0.0)
    monkeypatch.setattr(bounds, "turns", turns)
    work, begun, may_go_on, order = SharedWork(), threading.Event(), threading.Event(), []

    def ask(name, spent, *, shares):
        question = _Turn(spent, yields=True)
        question.begin()
        with allowing(60.0, question):
            if shares:
                with work.alone():
                    begun.set()
                    may_go_on.wait(60.0)
                    assert question.let_others_go(bounds.TURN_SECONDS)
                    order.append(name)
            else:
                order.append(name)
        question.end()

    def asked(name, spent, n_waiting, *, shares):
        thread = threading.Thread(target=ask, args=(name, spent), kwargs={"shares": shares})
        thread.start()
        wait_until(lambda: begun.is_set() and turns.n_waiting == n_waiting)
        return thread

    threads = [
        asked("much", 20.0, 0, shares=True),
        asked("some", 5.0, 1, shares=False),
        asked("little", 0.0, 2, shares=True),
    ]
    may_go_on.set()
    for thread in threads:
        thread.join()

    assert order[0] == "much"
    assert (sorted(order), turns.n_asking) == (["little", "much", "some"], 0)


def test_a_class_that_opens_a_page_at_the_same_moment_is_answered(reader):
    for _ in range(MOST_AT_ONCE - 1):
        spending.begin("address 127.0.0.1", MOST_AT_ONCE)

    assert reader.get("/search/?q=rain").status_code == 200
    assert MOST_AT_ONCE <= MOST_WAITING + TURNS < WEB_THREADS


@pytest.mark.parametrize("yields", [True, False])
def test_a_question_that_stood_aside_long_enough_ends_or_goes_on_beside(monkeypatch, yields):
    turns, ends = Turns(1), threading.Event()
    monkeypatch.setattr(bounds, "turns", turns)
    monkeypatch.setattr(bounds, "MOST_ASIDE_SECONDS", 0.0)
    question = _Turn(20.0, yields=yields)
    assert question.begin()
    thread = comes_while(turns, ends)

    goes_on = question.let_others_go(bounds.TURN_SECONDS)
    n_asking = turns.n_asking
    question.end()
    ends.set()
    thread.join()

    assert (goes_on, n_asking, turns.n_asking) == (not yields, 1 + (not yields), 0)


def test_in_a_crowd_a_question_of_who_spent_much_is_heavy_sooner_and_waits_for_no_seat(
    reader, monkeypatch
):
    monkeypatch.setattr(bounds, "LIGHT_IN_CROWD_SECONDS", 0.0)
    monkeypatch.setattr(bounds, "LIGHT_SECONDS", 60.0)  # the first question of a process loads much
    monkeypatch.setattr(bounds, "CROWDED_FROM", 2)
    monkeypatch.setattr(bounds, "seats", Seats(0, wait_seconds=60))

    spend("198.51.100.1", 0.1)
    for number in (2, 3):
        spend(f"198.51.100.{number}", 20.0)

    alone = reader.get(LONG, REMOTE_ADDR="198.51.100.2")
    bounds.turns.begin_beside()
    try:
        began = time.monotonic()
        in_crowd = reader.get(LONG, REMOTE_ADDR="198.51.100.3")
        who_spent_little = reader.get(LONG, REMOTE_ADDR="198.51.100.1")
    finally:
        bounds.turns.end()

    answers = (alone, in_crowd, who_spent_little)
    assert [answer.status_code for answer in answers] == [200, 503, 200]
    assert time.monotonic() - began < 30


def test_who_is_refused_needs_no_menu_and_no_question_to_the_database(reader):
    spend("127.0.0.1", 1e6)
    reader.get("/search/?q=rain")

    with CaptureQueriesContext(connection) as asked:
        page = reader.get("/search/?q=rain")

    assert (page.status_code, len(asked)) == (429, 0)
    assert "<nav" not in page.content.decode()


def spin():
    while True:
        pass


def test_what_a_child_works_for_an_answer_is_counted_for_its_address(settings):
    settings.READING_WITHOUT_SIGN_IN = True
    address = "192.0.2.77"

    def ended(_request):
        with pytest.raises(WorkEndedError):
            run_limited(spin, Limits(1, 60))
        return HttpResponse()

    asked = RequestFactory().get("/evaluation/articles/1/", REMOTE_ADDR=address)
    asked.user = AnonymousUser()
    BoundsMiddleware(ended)(asked)

    assert spending.rank(f"address {address}") >= 0.8


YIELDING = Limits(cpu_seconds=10, wall_seconds=60, yields=True)


class Waiting:
    """A view whose child works until it may end."""

    def __init__(self):
        self.end, self._may_end = os.pipe()[::-1]
        self.answers = []

    def __call__(self, _request):
        return HttpResponse(run_limited(lambda: os.read(self._may_end, 1), YIELDING))

    def ask(self, address="", person=None):
        """Ask in a thread of its own, by a reader's address or as somebody who has signed in."""

        def work():
            asked = RequestFactory().get("/evaluation/articles/1/", REMOTE_ADDR=address)
            asked.user = person or AnonymousUser()
            guard = BoundsMiddleware(self)
            try:
                answer = guard(asked)
            except AllowanceUsedError as error:
                answer = guard.process_exception(asked, error)
            self.answers.append((address or "known", answer.status_code))

        thread = threading.Thread(target=work)
        thread.start()
        return thread


@pytest.fixture
def view(settings, monkeypatch):
    settings.READING_WITHOUT_SIGN_IN = True
    monkeypatch.setattr(bounds, "turns", Turns(1))
    monkeypatch.setattr(children, "places", Turns(1, all_go_beside=False))
    return Waiting()


def test_who_waits_for_a_child_holds_no_turn(view):
    thread = view.ask("198.51.100.31")
    wait_until(lambda: children.places.n_asking == 1)

    assert bounds.turns.n_asking == 0

    os.write(view.end, b"1")
    thread.join(60)
    assert (view.answers, bounds.turns.n_asking) == ([("198.51.100.31", 200)], 0)
    assert children.places.n_asking == 0


def test_children_of_who_spent_much_wait_and_known_people_go_before_them(view):
    for number in (32, 33):
        spend(f"198.51.100.{number}", 9.0)
    first = view.ask("198.51.100.32")
    wait_until(lambda: children.places.n_asking == 1)
    second = view.ask("198.51.100.33")
    wait_until(lambda: children.places.n_waiting == 1)
    known = view.ask(person=User(pk=7))
    # It need not wait for the first one's end: nothing has moved for a while.
    wait_until(lambda: children.places.n_asking == 3 and children.places.n_waiting == 1)

    os.write(view.end, b"123")
    for thread in (first, second, known):
        thread.join(60)

    assert sorted(view.answers) == [
        ("198.51.100.32", 200),
        ("198.51.100.33", 200),
        ("known", 200),
    ]


def in_line(turns, ask, *names):
    """Let each come while the turn is held, one behind the other; threads to be joined."""
    threads = [threading.Thread(target=ask, args=(name,)) for name in names]
    for number, thread in enumerate(threads, 1):
        thread.start()
        wait_until(lambda number=number: turns.n_waiting == number)
    return threads


def test_known_people_go_before_readers_who_spent_less(settings, monkeypatch):
    settings.READING_WITHOUT_SIGN_IN = True
    turns, order = Turns(1, now=lambda: 0.0), []
    monkeypatch.setattr(bounds, "turns", turns)
    people = {"editor": User(pk=71), "reader": AnonymousUser()}
    spending.begin("user 71", MOST_AT_ONCE)
    spending.end("user 71", 8.0, 30)

    def ask(name):
        asked = RequestFactory().get("/articles/", REMOTE_ADDR="198.51.100.35")
        asked.user = people[name]
        BoundsMiddleware(lambda _: HttpResponse(order.append(name)))(asked)

    turns.begin_beside()
    threads = in_line(turns, ask, "reader", "editor")
    turns.end()
    for thread in threads:
        thread.join(60)

    assert order == ["editor", "reader"]


def test_a_heavy_question_of_known_people_lets_readers_go(monkeypatch):
    turns, ends = Turns(1), threading.Event()
    monkeypatch.setattr(bounds, "turns", turns)
    asked = RequestFactory().get("/search/")
    asked.user = User(pk=72)
    question = _Turn(bounds.spent_before(asked, "user 72", 0), yields=False)
    question.begin()
    thread = comes_while(turns, ends)
    ends.set()

    question.let_others_go(bounds.LIGHT_SECONDS - 0.1)
    n_waiting = turns.n_waiting
    question.let_others_go(bounds.LIGHT_SECONDS + 0.1)
    thread.join(60)
    question.end()

    assert (n_waiting, turns.n_asking) == (1, 0)


def test_of_who_spent_little_goes_first_whose_child_worked_longest_ago(monkeypatch):
    turns, order = Turns(1, all_go_beside=False, now=lambda: 0.0), []
    monkeypatch.setattr(children, "places", turns)

    def ask(address):
        with children.child_place(_Turn(0.1, yields=True), address, 60.0):
            order.append(address)

    ask("often")
    turns.begin_beside()
    threads = in_line(turns, ask, "often", "seldom")
    turns.end()
    for thread in threads:
        thread.join(60)

    assert order == ["often", "seldom", "often"]


def test_who_spent_much_is_told_to_come_again_where_no_place_is_free(view, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_WAIT_SECONDS", 0.0)
    spend("198.51.100.34", 9.0)
    children.places.begin_beside()
    thread = view.ask("198.51.100.34")
    thread.join(60)
    children.places.end()

    assert view.answers == [("198.51.100.34", 503)]
