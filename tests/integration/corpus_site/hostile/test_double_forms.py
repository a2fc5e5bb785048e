"""A form of a page that is sent twice, as by a double click, does its work once."""

import threading
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.client import encode_multipart
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from foreign_warcs import Answer, warc_file

from corpus_site import pipeline
from corpus_site.accounts import sent_forms
from corpus_site.accounts.models import ApiToken, SentForm, User
from corpus_site.middleware.double_forms import DoubleFormsMiddleware
from extraction.models import SourceImport
from feeds.models import WarcImport
from search.models import ReferenceList, SavedQuery, TextImport

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

FORM = "application/x-www-form-urlencoded"
VALUES = {"csrfmiddlewaretoken": "drawn for this page", "name": "Rain"}
PERSON = User(pk=7)
OPML = (
    '<opml version="2.0"><body><outline text="Karoo" xmlUrl="https://karoo.example/rss"'
    ' htmlUrl="https://karoo.example/"/></body></opml>'
)
PAGE = Answer("https://karoo.example/rain/", b"<p>Rain.</p>")
TOKEN = VALUES["csrfmiddlewaretoken"]
# What is given at each form that takes a file, and the model of which a row is made.
GIVEN = {
    "/collections/give/": (("my.csv", b"id;text\n1;Rain."), {"collection": "Mine"}, TextImport),
    "/web-archives/": (
        ("a.warc.gz", warc_file([PAGE])),
        {},
        WarcImport,
    ),
    "/source-files/": (("mine.opml", OPML.encode()), {}, SourceImport),
    "/reference-lists/give/": (
        ("list.tsv", b"word\tfreq\nthe\t4\n"),
        {"name": "elsewhere", "source": "By hand", "n_tokens": "10"},
        ReferenceList,
    ),
}


def sent(user=PERSON, values=VALUES, **headers):
    request = RequestFactory().post("/saved/add/", urlencode(values), FORM, headers=headers)
    request.user = user
    return request


def uploaded(user=PERSON, values=VALUES, name="a.csv", body=b"Rain. " * 20_000, mark="first"):
    """Make an upload as a browser does, which draws another boundary each time it sends."""
    fields = {**values, "file": SimpleUploadedFile(name, body)}
    content_type = f"multipart/form-data; boundary={mark}"
    request = RequestFactory().post("/give/", encode_multipart(mark, fields), content_type)
    request.user = user
    return request


class Counting:
    """Answers with how often it was asked; waits first until it may go on."""

    def __init__(self, status=200):
        self.n, self.status = 0, status
        self.is_asked, self.may_go = threading.Event(), threading.Event()
        self.may_go.set()

    def __call__(self, _request):
        self.n += 1
        number = self.n
        self.is_asked.set()
        assert self.may_go.wait(20)
        return HttpResponse(str(number), status=self.status, headers={"X-Number": str(number)})


def test_a_double_click_saves_one_query_and_makes_one_token(browse):
    client = browse("linguist")
    query = urlencode({**VALUES, "query": "q=rain"})
    token = urlencode({**VALUES, "scope": "read", "days": "90"})

    queries = [client.post("/saved/add/", query, FORM) for _ in range(2)]
    tokens = [client.post("/settings/tokens/add/", token, FORM) for _ in range(2)]

    assert [answer.status_code for answer in queries] == [302, 302]
    assert SavedQuery.objects.count() == 1
    assert ApiToken.objects.count() == 1
    assert tokens[0].content == tokens[1].content  # the second is the page that is seen


@pytest.mark.parametrize("address", GIVEN)
def test_an_upload_that_is_sent_twice_begins_one_import(browse, address):
    client = browse("editor")
    (name, body), values, model = GIVEN[address]

    def send():
        file = SimpleUploadedFile(name, body)
        return client.post(address, {"csrfmiddlewaretoken": TOKEN, "file": file, **values})

    answers = [send() for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert model.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", [10, 3_000_000])
def test_an_upload_is_given_to_its_view_whole(size):
    seen = []

    def read(request):
        """Read what it is given, as the first and only one to do so."""
        file = request.FILES["file"]
        seen.append((request.POST["name"], file.name, file.size, file.read()))
        return HttpResponse(status=302, headers={"Location": "/"})

    body = bytes(range(250)) * (size // 250) + b"x" * (size % 250)
    guard = DoubleFormsMiddleware(read)

    for mark in "ab":
        request = uploaded(body=body, mark=mark)
        assert guard(request).status_code == 302
        request.close()
    assert seen == [("Rain", "a.csv", size, body)]


@pytest.mark.parametrize(
    "other",
    [
        {"user": User(pk=8)},
        {"values": {**VALUES, "name": "Dust"}},
        {"values": {**VALUES, "csrfmiddlewaretoken": "drawn for the page that followed"}},
        {"name": "b.csv"},
        {"body": b"Rain. " * 19_999 + b"Dust. "},
    ],
)
def test_other_uploads_are_worked_on(other):
    guard = DoubleFormsMiddleware(Counting())

    assert [guard(uploaded()).content, guard(uploaded(**other)).content] == [b"1", b"2"]


@pytest.mark.parametrize(("status", "answers"), [(302, [b"1", b"1"]), (400, [b"1", b"2"])])
def test_what_an_upload_has_begun_is_known_for_a_minute_and_its_faults_as_those_of_others(
    monkeypatch, status, answers
):
    guard = DoubleFormsMiddleware(Counting(status))
    monkeypatch.setattr(sent_forms, "KEPT", timedelta(seconds=-1))

    assert [guard(uploaded(mark=mark)).content for mark in "ab"] == answers


def test_an_upload_of_nobody_is_not_read_before_somebody_asks_who_it_is():
    request = uploaded(AnonymousUser())

    DoubleFormsMiddleware(Counting())(request)

    assert request.body.startswith(b"--first")


@pytest.mark.django_db(transaction=True)
def test_what_comes_while_the_first_is_worked_on_waits_for_its_answer():
    view = Counting()
    view.may_go.clear()
    answers = []

    def send():
        """As a web process of its own: no two share what they keep in memory."""
        answers.append(DoubleFormsMiddleware(view)(sent()).content)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert view.is_asked.wait(20)
    view.may_go.set()
    for thread in threads:
        thread.join(20)

    assert answers == [b"1"] * 3


@pytest.mark.parametrize(
    "other",
    [
        lambda: sent(User(pk=8)),
        lambda: sent(values={**VALUES, "name": "Dust"}),
        lambda: sent(values={**VALUES, "csrfmiddlewaretoken": "drawn for the page that followed"}),
    ],
)
def test_other_people_values_and_pages_are_worked_on(other):
    guard = DoubleFormsMiddleware(Counting())

    assert [guard(sent()).content, guard(other()).content] == [b"1", b"2"]


@pytest.mark.parametrize(
    "again",
    [
        lambda: sent(AnonymousUser()),  # a sign-in gives a new session
        lambda: sent(values={"name": "Rain"}),
        lambda: sent(**{"HX-Request": "true"}),
    ],
)
def test_what_may_be_sent_again_is_worked_on_each_time(again):
    guard = DoubleFormsMiddleware(Counting())

    assert [guard(again()).content for _ in range(2)] == [b"1", b"2"]


def test_a_form_may_be_sent_again_after_two_seconds_and_after_a_fault(monkeypatch):
    guard, broken = DoubleFormsMiddleware(Counting()), DoubleFormsMiddleware(Counting(status=500))
    monkeypatch.setattr(sent_forms, "KEPT", timedelta(seconds=-1))
    assert [guard(sent()).content for _ in range(2)] == [b"1", b"2"]

    monkeypatch.setattr(sent_forms, "KEPT", timedelta(seconds=60))
    assert [broken(sent()).content for _ in range(2)] == [b"1", b"2"]


def test_a_form_that_reaches_two_processes_is_worked_on_once_with_its_cookies_and_headers():
    def answered(_request):
        answer = HttpResponse(b"made", status=201, headers={"X-Number": "1"})
        answer.set_cookie("messages", "Saved; once", httponly=True, samesite="Lax")
        return answer

    first = DoubleFormsMiddleware(answered)(sent())
    view = Counting()
    second = DoubleFormsMiddleware(view)(sent())

    assert view.n == 0
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert dict(second.items()) == dict(first.items())
    assert second.cookies.output() == first.cookies.output()


def test_nothing_of_a_form_or_its_answer_can_be_read_from_the_database():
    DoubleFormsMiddleware(lambda _: HttpResponse("the token is hush-hush"))(sent())

    row = SentForm.objects.get()

    assert b"hush" not in bytes(row.answer)
    assert len(row.digest) == 32


def test_the_form_of_a_process_that_died_is_worked_on_by_another(monkeypatch):
    monkeypatch.setattr(sent_forms, "WORKED_ON", timedelta(seconds=-1))

    def die(_request):
        raise SystemExit

    with pytest.raises(SystemExit):
        DoubleFormsMiddleware(die)(sent())

    assert DoubleFormsMiddleware(Counting())(sent()).content == b"1"


def test_the_sweep_removes_forms_that_nobody_waits_for():
    now = timezone.now()
    for name, until in (("old", now - timedelta(minutes=2)), ("new", now)):
        SentForm.objects.create(digest=name, until=until)

    pipeline.sweep(now)

    assert list(SentForm.objects.values_list("digest", flat=True)) == ["new"]


def test_a_page_asks_nothing_of_forms(browse):
    client = browse("linguist")
    with CaptureQueriesContext(connection) as asked:
        client.get("/saved/")

    assert [query["sql"] for query in asked if "sentform" in query["sql"]] == []
