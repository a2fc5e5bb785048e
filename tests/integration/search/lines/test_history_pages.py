"""Past queries of a person, and two searches compared: each number opens exactly its hits."""

import csv
import re
from contextlib import contextmanager
from datetime import timedelta
from html import unescape
from io import StringIO
from urllib.parse import quote, urlencode

import pytest
from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from factories import NOW, index_all, make_article, make_publication, make_user
from pages import markup

from feeds.work.short_waits import briefly
from search.answers.answering import hits_of
from search.asking import history
from search.asking.address import Address
from search.asking.form import form_at
from search.asking.history import SAME_WITHIN, Asked, past_queries, remember
from search.asking.request import request_of
from search.models import PastQuery
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def corpus():
    cape = make_publication("cape-meridian", name="Cape Meridian")
    make_article("The heavy rain fell on the dam. Rain again.")
    make_article("Rain fell. The rain was heavy.", cape)
    index_all()


def texts_of(user):
    return [row.text for row in past_queries(user)]


def total_at(client, address):
    found = re.search(r"<strong>([\d\u202f]+)</strong> hit", markup(client.get(address)))
    return int(found[1]) if found else 0


def test_what_is_asked_stands_in_the_history_once_with_its_numbers(linguist, corpus):
    for query in ("q=rain", "q=dam", "q=rain&view=sentence&n=25", "q=rain&pub=cape-meridian"):
        linguist.get(f"/search/?{query}")

    rows = list(PastQuery.objects.all())
    page = markup(linguist.get("/history/"))

    assert [row.parameters for row in rows] == [
        "q=rain&pub=cape-meridian", "q=rain&view=sentence&n=25", "q=dam"
    ]  # fmt: skip
    assert [row.n_hits for row in rows] == [2, 4, 1]
    assert [row.generation for row in rows] == [1, 1, 1]
    assert 'href="/search/?q=rain&amp;pub=cape-meridian"' in page
    assert total_at(linguist, "/search/?q=rain&pub=cape-meridian&asof=1") == 2
    assert "?q=rain&amp;pub=cape-meridian&amp;asof=1" in page
    assert "Cape Meridian" in page


def test_wrong_queries_further_pages_and_strangers_leave_no_trace(linguist, corpus, settings):
    settings.READING_WITHOUT_SIGN_IN = True
    stranger = Client()
    linguist.get("/search/?q=%5B&ql=cql")
    linguist.get("/search/?q=rain&after=1.50")
    linguist.get("/search/")
    assert stranger.get("/search/?q=rain").status_code == 200

    assert not PastQuery.objects.exists()
    assert stranger.get("/history/").status_code == 302


def test_nobody_sees_the_history_of_others(linguist, client, corpus):
    linguist.get("/search/?q=rain")
    row = PastQuery.objects.get()
    client.force_login(make_user("linguist", username="other"))

    assert "q=rain" not in markup(client.get("/history/"))
    assert client.post(f"/history/{row.pk}/remove/").status_code == 404
    assert client.post(f"/history/{row.pk}/name/", {"name": "x"}).status_code == 404
    client.post("/history/clear/")
    assert PastQuery.objects.count() == 1


def test_queries_are_found_by_words_and_folders(linguist, corpus):
    for query in ("q=rain", "q=dam", "q=heavy&pub=cape-meridian"):
        linguist.get(f"/search/?{query}")
    row = PastQuery.objects.get(text="dam")
    linguist.post(
        f"/history/{row.pk}/name/", {"name": "Water", "folder": "Thesis", "note": "chapter 3"}
    )

    def shown(query):
        page = markup(linguist.get(f"/history/?{query}"))
        return re.findall(r'data-open\s*href="[^"]*"\s*>\s*([^<]*?)\s*</a>', page)

    assert shown("") == ["heavy", "Water", "rain"]
    assert shown("find=chapter") == ["Water"]
    assert shown("find=cape+heavy") == ["heavy"]
    assert shown("folder=Thesis") == ["Water"]
    assert shown("find=nothing") == []
    linguist.post("/history/clear/")
    assert shown("") == ["Water"]
    linguist.post(f"/history/{row.pk}/remove/")
    assert shown("") == []
    assert linguist.post(f"/history/{row.pk}/name/", {"name": "x" * 101}).status_code == 404


def asked(query, n_hits=1, generation=1):
    parameters = f"q={query}"
    return Asked("search", parameters, parameters, query, "", n_hits, generation)


def test_the_oldest_unnamed_are_forgotten(monkeypatch):
    monkeypatch.setattr(history, "MOST_KEPT", 3)
    owner = make_user("linguist")
    for number in range(5):
        remember(owner, asked(f"w{number}"), NOW + timedelta(minutes=number))
        if number == 0:
            history.name_query(past_queries(owner).get(), "first", "", "")

    assert texts_of(owner) == ["w4", "w3", "w2", "w0"]


def test_the_same_within_a_moment_is_not_written_again(django_assert_num_queries):
    owner, later = make_user("linguist"), NOW + timedelta(seconds=59)
    remember(owner, asked("rain"), NOW)

    with django_assert_num_queries(1):
        remember(owner, asked("rain"), later)
    remember(owner, asked("rain", n_hits=2, generation=2), later)
    row = PastQuery.objects.get()
    assert (row.n_hits, row.generation, row.asked_at) == (2, 2, later)
    remember(owner, asked("rain", n_hits=2, generation=2), later + SAME_WITHIN)
    assert PastQuery.objects.get().asked_at == later + SAME_WITHIN


@contextmanager
def written_by_another():
    """Hold the rows, on SQLite the whole database."""
    other = connections[DEFAULT_DB_ALIAS].copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE search_pastquery SET note = 'held'")
        yield
        cursor.execute("ROLLBACK")
    other.close()


@pytest.mark.django_db(transaction=True)
def test_a_busy_database_costs_no_page_its_time_and_no_record(linguist, monkeypatch):
    monkeypatch.setattr(history, "MOST_WAITING", 2)
    owner, gone = get_user_model().objects.get(), make_user("linguist", username="gone")
    remember(owner, asked("rain"), NOW)
    with written_by_another():
        for query in ("dam", "fire", "rain"):
            remember(owner, asked(query, 7), NOW)
        assert PastQuery.objects.get(text="rain").n_hits == 1

    # SQLite has one writer, so three waited, and the oldest of them was lost.
    kept = {"fire", "rain"} | ({"dam"} if connection.vendor == "postgresql" else set())
    assert linguist.get("/history/").status_code == 200
    assert {(row.text, row.n_hits) for row in PastQuery.objects.all()} == {(q, 7) for q in kept}

    with written_by_another():
        remember(gone, asked("hail"), NOW)
    gone.delete()
    assert linguist.get("/history/").status_code == 200
    assert {row.text for row in PastQuery.objects.all()} == kept


def test_a_short_wait_ends_with_its_transaction():
    name = {"sqlite": "PRAGMA busy_timeout", "postgresql": "SHOW lock_timeout"}

    def wait():
        with connection.cursor() as cursor:
            cursor.execute(name[connection.vendor])
            return cursor.fetchone()[0]

    usual = wait()
    with briefly(0.25):
        assert wait() in {250, "250ms"} - {usual}
    # Within the transaction of a test PostgreSQL keeps what was set locally.
    assert wait() == usual or connection.vendor == "postgresql"


def test_statistics_stand_in_the_history_with_their_addresses(linguist, corpus):
    words = "/words/sketch/?lemma=rain&ex=1&pub2=cape-meridian"
    keyness = "/search/keyness/?pub=cape-meridian&ref=in%3Dcomments%26pub%3D-cape-meridian"
    pages = ("/search/frequency/?q=rain&by=pos&n=7", "/search/trend/?q=rain&pub=cape-meridian")
    for address in (*pages, words, keyness, "/words/", "/words/rain/", "/search/frequency/"):
        assert linguist.get(address).status_code == 200
    for file in (f"{pages[0]}&export=json", f"/api{pages[0]}"):
        assert linguist.get(file).status_code == 200

    rows = list(PastQuery.objects.all())
    page = markup(linguist.get("/history/"))

    assert [row.view for row in rows] == ["keyness", "sketch", "trend", "frequency"]
    assert [row.n_hits for row in rows] == [None, None, 2, 4]
    assert [row.choices for row in rows] == [
        "Compared with comments without Cape Meridian, copies counted once",
        "Lemma rain, Examples, of Cape Meridian",
        "",
        "Count by tag, Rows 7",
    ]
    for address in (*pages, words):
        assert f'href="{address.replace("&", "&amp;")}"' in page
    shown = unescape(markup(linguist.get("/history/?view=trend")))
    assert (pages[1] in shown, pages[0] in shown) == (True, False)


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("in=articles", "articles, copies counted once"),
        (
            "in=comments&pub=-cape-meridian&from=7d",
            "comments without Cape Meridian from 14 Nov 2026, copies counted once",
        ),
        ("pub=gone", "pub=gone"),
    ],
)
def test_what_was_compared_with_is_in_words_in_rows_of_before(linguist, corpus, reference, words):
    linguist.get("/search/keyness/?pub=cape-meridian&ref=in%3Dcomments&min=2")
    PastQuery.objects.update(
        parameters=urlencode({"ref": reference, "min": "2"}),
        choices=f"Compared with {reference}, Hits at least 2",
        asked_at=NOW,
    )

    page = unescape(markup(linguist.get("/history/")))
    file = linguist.get("/history/?export=csv").content.decode()

    assert f"Compared with {words}, Hits at least 2" in page
    assert f"Compared with {words}, Hits at least 2" in file


def test_a_page_of_many_asks_no_more_and_keeps_what_narrows_it(
    linguist, corpus, django_assert_num_queries
):
    owner = get_user_model().objects.get()
    for number in range(2):
        remember(owner, asked(f"rain{number}"), NOW)
    with CaptureQueriesContext(connection) as few:
        linguist.get("/history/?find=rain")
    for number in range(2, 52):
        remember(owner, asked(f"rain{number}"), NOW + timedelta(seconds=number))

    with django_assert_num_queries(len(few)):
        first = markup(linguist.get("/history/?find=rain"))
    assert 'href="?p=2&amp;find=rain"' in first
    second = markup(linguist.get("/history/?find=rain&p=2"))
    assert re.findall(r'href="/search/\?q=(rain\d+)"', second) == ["rain1", "rain0"]
    assert 'href="?p=1&amp;find=rain"' in second
    row = past_queries(owner).last()
    named = {"name": "Rain", "back": "find=rain&p=2&next=//x.example/"}
    answer = linguist.post(f"/history/{row.pk}/name/", named)
    assert answer.url == "/history/?find=rain&p=2"


def test_the_history_is_a_file(linguist, corpus):
    linguist.get("/search/?q==1%2B1&pub=cape-meridian")
    linguist.get("/search/frequency/?q=rain&by=pos")

    answer = linguist.get("/history/?export=csv&find=cape")
    lines = list(csv.reader(StringIO(answer.content.decode())))

    assert answer["Content-Disposition"] == 'attachment; filename="history.csv"'
    head = next(at for at, line in enumerate(lines) if line[:1] == ["Asked"])
    [row] = [dict(zip(lines[head], line, strict=True)) for line in lines[head + 1 :]]
    assert row["Filters"] == "Publication Cape Meridian"
    assert (row["View"], row["Query"], row["Hits"]) == ("Concordance", "'=1+1", "0")
    assert row["Address"] == "http://testserver/search/?q==1%2B1&pub=cape-meridian&asof=1"


def test_the_history_of_a_person_goes_with_the_account(linguist, corpus):
    linguist.get("/search/?q=rain")
    get_user_model().objects.all().delete()

    assert not PastQuery.objects.exists()


def test_a_folder_gets_another_name(linguist, client, corpus):
    owner, other = get_user_model().objects.get(), make_user("linguist", username="other")
    for person in (owner, other):
        for query in ("rain", "dam", "hail"):
            remember(person, asked(query), NOW)
    for row in PastQuery.objects.exclude(text="hail"):
        history.name_query(row, "", "Thesis", "")

    def rename(folder, name):
        answer = linguist.post("/history/folder/", {"folder": folder, "name": name})
        folders = past_queries(owner).order_by("text").values_list("folder", flat=True)
        return answer.url, list(folders)

    assert rename("Thesis", "A & B") == ("/history/?folder=A+%26+B", ["A & B", "", "A & B"])
    assert rename("", "all") == ("/history/", ["A & B", "", "A & B"])
    assert rename("A & B", "x" * 61) == ("/history/", ["A & B", "", "A & B"])
    assert "Rename this folder" in markup(linguist.get("/history/?folder=A+%26+B"))
    assert rename("A & B", "") == ("/history/", ["", "", ""])
    assert history.folders_of(other) == ["Thesis"]


def test_two_ticked_queries_are_compared(linguist, corpus):
    for query in ("q=rain", "q=heavy+rain"):
        linguist.get(f"/search/?{query}")
    keys = [row.pk for row in PastQuery.objects.all()]

    response = linguist.get("/history/", {"pick": keys})
    wrong = linguist.get("/history/", {"pick": [keys[0], "x" * 30]}, follow=True)

    assert response.status_code == 302
    assert response["Location"] == "/search/compare/?one=q%3Drain&other=q%3Dheavy%2Brain"
    assert "Tick two queries" in markup(wrong)
    none = linguist.get("/history/", {"compare": "1"}, follow=True)
    assert "Tick two queries" in markup(none)


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [
        ("q=rain", "q=heavy+rain", [4, 1, 3, 1, 1, 0]),
        ("q=rain", "q=rain&pub=cape-meridian", [4, 2, 2, 2, 2, 0]),
        ("q=rain", "q=dam", [4, 0, 4, 1, 0, 1]),
        ("q=rain&only=quarter:1", "q=rain&one=text", [2, 2, 0, 2, 2, 0]),
        ("q=rain&near=heavy", "q=rain", [2, 2, 0, 4, 2, 2]),
    ],
)
def test_each_number_of_a_comparison_opens_its_hits(reader, corpus, one, other, counts):
    response = reader.get(f"/search/compare/?one={quote(one)}&other={quote(other)}")

    links = re.findall(r'class="num"[^>]*>\s*<a href="([^"]*)">\s*(\d+)\s*</a>', markup(response))
    assert response.status_code == 200
    assert [int(n) for _, n in links] == counts
    for address, n in links:
        assert total_at(reader, unescape(address)) == int(n), address


def test_a_search_beside_another_takes_the_hits_that_are_known(corpus):
    snapshot, known = current_snapshot(), request_of(form_at(Address.parse("q=rain"), None))
    hits = hits_of(known, snapshot)

    beside = request_of(form_at(Address.parse("q=heavy&also=q%3Drain"), None)).hits.also

    assert beside.hits_on(snapshot, snapshot.generation) is hits


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("", "", "no query in one of them"),
        ("q=rain", "", "no query in one of them"),
        ("q=%5B&ql=cql", "q=rain", "cannot be compared"),
        ("q=rain&pub=nowhere", "q=rain", "nowhere"),
    ],
)
def test_what_cannot_be_compared_is_said(reader, corpus, one, other, words):
    response = reader.get(f"/search/compare/?one={quote(one)}&other={quote(other)}")

    assert response.status_code == 400
    assert words in unescape(markup(response))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("dam", "there is no query."),
        ("q=dam&less=q%3Drain", "takes a search that names no other."),
        ("q=[&ql=cql", "“Found too by”"),
    ],
)
def test_another_search_that_cannot_run_is_named(reader, corpus, value, words):
    response = reader.get("/search/", {"q": "rain", "also": value})

    assert response.status_code == 400
    assert words in unescape(markup(response))


def test_the_filter_has_a_chip_and_stays_in_the_form(reader, corpus):
    page = markup(reader.get("/search/", {"q": "rain", "less": "q=heavy rain"}))

    assert "Not found by <b>heavy rain</b>" in page
    assert '<input type="hidden" name="less" value="q=heavy rain">' in page
    assert "<strong>3</strong> hit" in page
