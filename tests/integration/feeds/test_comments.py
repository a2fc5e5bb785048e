"""Threads in the frontier: first look, put off while open, kept when closed, open time learnt."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from feeds import comments, network
from feeds.comments import CommentVisit
from feeds.crawler.comment_systems.disqus import embed_url
from feeds.crawler.comment_systems.threads import ThreadReference
from feeds.crawler.outcomes import Outcome
from feeds.frontier import NewPage, add_pages
from feeds.models import Fetch, Page, PageKind, Publication
from feeds.threads import registering
from feeds.threads.registering import ArticleThread

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
scrub = import_module("feeds.migrations.0015_no_keys_in_addresses").scrub
THREAD = ThreadReference("disqus", "karoo", "17", "https://karoo.example/a", "https://disqus.com")
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def register(article, thread, now, opened_at=None):
    return registering.register([ArticleThread(article, thread, opened_at)], now)[0]


@pytest.fixture
def article() -> Page:
    publication = Publication.objects.create(
        name="Karoo Courier", slug="karoo", home_url="https://karoo.example/", created_at=NOW
    )
    page = NewPage(
        url="https://karoo.example/a",
        key="karoo.example/a",
        host="karoo.example",
        kind=PageKind.ARTICLE,
        publication_id=publication.pk,
        published_at=NOW,
    )
    add_pages([page], NOW)
    return Page.objects.get()


@pytest.fixture
def thread_page(article) -> Page:
    return Page.objects.get(pk=register(article, THREAD, NOW))


def answer(*, is_closed, n_posts=3, has_more=False, created_at=NOW):
    thread = {
        "id": "7",
        "isClosed": is_closed,
        "posts": n_posts,
        "createdAt": created_at.isoformat(),
    }
    cursor = {"hasNext": has_more, "next": "2:0:0" if has_more else None}
    document = {"code": 0, "cursor": cursor, "response": {"thread": thread, "posts": []}}
    return json.dumps(document).encode()


def posts(cursor):
    document = {"code": 0, "response": [], "cursor": {"hasNext": bool(cursor), "next": cursor}}
    return json.dumps(document).encode()


def learn(publication_id, days):
    Publication.objects.filter(pk=publication_id).update(comments_open_days=days)


def test_thread_is_registered_below_article_for_a_look_in_a_day(article, thread_page):
    assert (thread_page.kind, thread_page.parent, thread_page.url) == (
        PageKind.COMMENTS,
        article,
        embed_url(THREAD),
    )
    assert (thread_page.due_at, thread_page.due_reason) == (
        NOW + DAY,
        "first look at the comments, 1 d after the article",
    )


def test_thread_is_registered_once(article, thread_page):
    assert register(article, THREAD, NOW + DAY) == thread_page.pk


def test_thread_waits_for_the_usual_open_time(article):
    learn(article.publication_id, 14.0)
    article.refresh_from_db()

    page = Page.objects.get(pk=register(article, THREAD, NOW))

    assert (page.due_at, page.due_reason) == (
        NOW + 14 * DAY,
        "threads here usually close after 14.0 days",
    )


def test_open_thread_is_put_off_and_not_kept(thread_page):
    assert comments.record(thread_page, answer(is_closed=False), NOW + DAY) == CommentVisit(
        is_kept=False, due_at=NOW + 2 * DAY, due_reason="the thread is open with 3 comments"
    )


def test_open_thread_of_12_days_is_looked_at_after_a_tenth_of_its_age(thread_page):
    visit = comments.record(thread_page, answer(is_closed=False), NOW + 12 * DAY)

    assert visit.due_at == NOW + 13.2 * DAY


def test_thread_that_stays_open_is_kept_at_an_age_and_looked_at_at_twice_of_it(thread_page):
    before = comments.record(thread_page, answer(is_closed=False), NOW + 13.5 * DAY)
    visit = comments.record(thread_page, answer(is_closed=False), NOW + 14 * DAY)

    assert before.due_at == NOW + 14 * DAY
    assert visit == CommentVisit(
        is_kept=True,
        due_at=NOW + 28 * DAY,
        due_reason="kept while open with 3 comments; looked at again at twice its age",
    )


def test_publication_says_when_open_threads_are_kept(thread_page):
    thread_page.publication.comments_keep_days = 3

    visit = comments.record(thread_page, answer(is_closed=False), NOW + 3 * DAY)

    assert (visit.is_kept, visit.due_at) == (True, NOW + 6 * DAY)


def test_kept_thread_of_more_than_a_year_is_looked_at_no_more(thread_page):
    visit = comments.record(thread_page, answer(is_closed=False), NOW + 400 * DAY)

    assert (visit.is_kept, visit.due_at) == (True, None)


def test_kept_thread_whose_answer_is_the_same_waits_for_twice_its_age(thread_page):
    thread_page.content_digest = "kept"

    assert comments.unchanged(thread_page, NOW + 28 * DAY).due_at == NOW + 56 * DAY


def test_looks_that_need_not_be_go_to_a_day_with_room(thread_page, article, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 21_600.0  # two such looks a day
    for number in (1, 2):
        other = replace(THREAD, identifier=f"other-{number}")
        page_id = register(article, other, NOW)
        Page.objects.filter(pk=page_id).reschedule(NOW + 2 * DAY)

    visit = comments.record(thread_page, answer(is_closed=False), NOW + DAY)
    keeping = comments.record(thread_page, answer(is_closed=False), NOW + 13.5 * DAY)

    assert visit.due_at == NOW + 3 * DAY
    assert keeping.due_at == NOW + 14 * DAY


def test_thread_of_an_old_article_is_looked_at_an_interval_later_where_there_is_room(article):
    page_id = register(article, THREAD, NOW, NOW - 300 * DAY)

    page = Page.objects.get(pk=page_id)
    assert (page.due_at, page.due_reason) == (
        NOW + DAY,
        "first look at the comments of an article of 300 days",
    )


def test_threads_of_a_batch_are_put_where_they_would_be_one_by_one(article, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 21_600.0  # two such looks a day
    others = [replace(THREAD, identifier=f"other-{number}") for number in range(5)]
    threads = [ArticleThread(article, thread, NOW - 300 * DAY) for thread in others]

    page_ids = registering.register(threads, NOW)

    due = Page.objects.in_bulk(page_ids)
    assert [due[page_id].due_at - NOW for page_id in page_ids] == [
        DAY,
        DAY,
        2 * DAY,
        2 * DAY,
        3 * DAY,
    ]


def test_number_of_questions_does_not_grow_with_the_batch(article):
    def n_questions(names):
        threads = [ArticleThread(article, replace(THREAD, identifier=name)) for name in names]
        with CaptureQueriesContext(connection) as questions:
            page_ids = registering.register(threads, NOW)
        assert Page.objects.filter(pk__in=page_ids).count() == len(names)
        return len(questions)

    n_questions("a")  # the host of the system is known from now on

    assert n_questions("bcdefghijk") == n_questions("lm")


def test_two_articles_with_one_thread_share_its_page(article):
    named = ThreadReference("coral")
    threads = [ArticleThread(article, one) for one in (THREAD, named, THREAD)]

    first, none, second = registering.register(threads, NOW)

    assert none is None
    assert first == second == Page.objects.get(kind=PageKind.COMMENTS).pk


def test_thread_that_can_only_be_named_is_no_page(article):
    assert register(article, ThreadReference("coral"), NOW) is None


# --- Systems without a state, pages of a thread ---------------------------------------------------

WORDPRESS = ThreadReference("wordpress", identifier="7", root="https://karoo.example/wp-json/")


@pytest.fixture
def wordpress_page(article) -> Page:
    return Page.objects.get(pk=register(article, WORDPRESS, NOW))


def wordpress_answer(n=1):
    rows = [
        {"id": number, "parent": 0, "date_gmt": "2026-11-20T12:00:00", "content": {"rendered": "x"}}
        for number in range(1, n + 1)
    ]
    return json.dumps(rows).encode()


def test_comments_of_a_system_that_never_says_closed_are_kept_at_the_first_look(wordpress_page):
    visit = comments.record(wordpress_page, wordpress_answer(), NOW + DAY)

    assert visit == CommentVisit(
        is_kept=True,
        due_at=NOW + 2 * DAY,
        due_reason="kept with 1 comment; looked at again at twice its age",
    )


def test_further_pages_are_asked_anew_at_each_look(wordpress_page):
    headers = (("X-WP-TotalPages", "2"), ("X-WP-Total", "101"))

    comments.record(wordpress_page, wordpress_answer(100), NOW + DAY, headers)
    further = Page.objects.get(url__contains="page=2")
    Page.objects.filter(pk=further.pk).update(due_at=None, visited_at=NOW + DAY)
    comments.record(wordpress_page, wordpress_answer(100), NOW + 2 * DAY, headers)

    further.refresh_from_db()
    assert (further.due_at, further.parent) == (NOW + 2 * DAY, wordpress_page.parent)


def test_pages_that_lead_round_in_a_circle_end(thread_page, settings):
    settings.CRAWL_DISQUS_API_KEY = "key"
    comments.record(thread_page, answer(is_closed=True, has_more=True), NOW)
    Page.objects.filter(pk=thread_page.pk).update(visited_at=NOW)
    first = Page.objects.get(url__contains="listPosts")

    comments.record(first, posts("1:0:0"), NOW + DAY)
    second = Page.objects.get(url__contains="cursor=1")
    Page.objects.filter(pk__in=[first.pk, second.pk]).update(due_at=None, visited_at=NOW + DAY)
    comments.record(second, posts("1:0:0"), NOW + 2 * DAY)

    assert not Page.objects.filter(kind=PageKind.COMMENTS, due_at=NOW + 2 * DAY).exists()


def test_embedded_page_leads_to_the_topic(article):
    thread = ThreadReference(
        "discourse", link="https://karoo.example/a", root="https://talk.example"
    )
    embedded = Page.objects.get(pk=register(article, thread, NOW))

    visit = comments.record(embedded, b'<a href="https://talk.example/t/rain/12">Discuss</a>', NOW)

    topic = Page.objects.get(url="https://talk.example/t/12.json")
    assert (visit.is_kept, visit.due_at, topic.due_at, topic.parent) == (False, None, NOW, article)


def test_interface_that_does_not_answer_strangers_is_done_and_no_fault(wordpress_page, thread_page):
    refusal = comments.refused(
        wordpress_page, Outcome.FORBIDDEN, "The site forbids the visit (403)."
    )

    assert refusal == CommentVisit(
        is_kept=False,
        due_at=None,
        due_reason="the site does not give its comments by this interface: "
        "The site forbids the visit (403).",
    )
    assert comments.refused(thread_page, Outcome.FORBIDDEN, "403") is None
    assert comments.refused(wordpress_page, Outcome.TIMEOUT, "slow") is None


def test_thread_that_was_cut_is_asked_for_once_a_key_is_set(thread_page, settings):
    assert not comments.can_complete()
    settings.CRAWL_DISQUS_API_KEY = "key"

    assert (comments.can_complete(), comments.complete([thread_page.pk], NOW)) == (True, 1)
    assert Page.objects.get(url__contains="listPosts").due_at == NOW


def test_unchanged_thread_is_put_off(thread_page):
    assert comments.unchanged(thread_page, NOW + DAY) == CommentVisit(
        is_kept=False,
        due_at=NOW + 2 * DAY,
        due_reason="the thread is still open; looked at every 1 d",
    )


def test_closed_thread_is_kept_and_done(thread_page):
    assert comments.record(thread_page, answer(is_closed=True), NOW + DAY) == CommentVisit(
        is_kept=True, due_at=None, due_reason="the thread has closed with 3 comments"
    )
    assert Publication.objects.get().comments_open_days is None


def test_thread_seen_open_and_then_closed_teaches_open_time(thread_page):
    thread_page.outcome = "ok"
    thread_page.visited_at = NOW + 4 * DAY

    comments.record(thread_page, answer(is_closed=True), NOW + 6 * DAY)

    assert Publication.objects.get().comments_open_days == 5.0


def test_open_time_is_a_running_mean(thread_page):
    learn(thread_page.publication_id, 9.0)
    thread_page.publication.refresh_from_db()
    thread_page.outcome = "ok"
    thread_page.visited_at = NOW + 5 * DAY

    comments.record(thread_page, answer(is_closed=True), NOW + 5 * DAY)

    assert Publication.objects.get().comments_open_days == 8.0


def test_long_closed_thread_goes_on_page_by_page(thread_page, article, settings):
    settings.CRAWL_DISQUS_API_KEY = "key"

    first = comments.record(thread_page, answer(is_closed=True, has_more=True), NOW)
    rest = Page.objects.get(url__contains="listPosts")
    second = comments.record(rest, posts("9:0:0"), NOW)
    last = Page.objects.get(url__contains="cursor=9")
    third = comments.record(last, posts(""), NOW)

    assert [first.is_kept, second.is_kept, third.is_kept] == [True, True, True]
    assert [rest.parent, last.parent] == [article, article]
    assert (rest.due_at, last.due_at, third.due_at) == (NOW, NOW, None)
    assert Page.objects.filter(kind=PageKind.COMMENTS).count() == 3


def test_long_closed_thread_without_key_says_what_is_missing(thread_page):
    visit = comments.record(thread_page, answer(is_closed=True, n_posts=90, has_more=True), NOW)

    assert visit.due_reason == (
        "the thread has closed with 90 comments, of which 0 are kept: no key for the rest is set"
    )


def test_thread_that_nobody_opened_is_looked_at_until_given_up(thread_page):
    body = b'{"code": 2, "response": "Thread not found"}'

    soon = comments.record(thread_page, body, NOW + DAY)
    late = comments.record(thread_page, body, NOW + 61 * DAY)

    assert soon == CommentVisit(
        is_kept=False,
        due_at=NOW + 2 * DAY,
        due_reason="The comment system says: Thread not found",
    )
    assert (late.is_kept, late.due_at) == (False, None)


@pytest.mark.parametrize(
    ("root", "sent"),
    [
        ("https://disqus.com", "api_key=secret"),
        ("http://disqus.com", "api_key=secret"),
        ("https://disqus.com.evil.example", ""),
        ("https://evil.example", ""),
        ("https://disqus.com:8443", ""),
    ],
)
def test_key_goes_to_disqus_alone_and_stands_in_no_address(article, settings, root, sent):
    settings.CRAWL_DISQUS_API_KEY = "secret"
    page = Page.objects.get(pk=register(article, replace(THREAD, root=root), NOW))

    comments.record(page, answer(is_closed=True, has_more=True), NOW)

    rest = Page.objects.get(url__contains="listPosts")
    assert "secret" not in f"{rest.url} {rest.key}"
    assert network.secret_query(rest) == sent
    assert network.secret_query(page) == ""


def test_keys_that_stand_in_addresses_are_taken_out(article, thread_page):
    query = "api_key=secret&forum=karoo&thread=ident%3A17"
    address = f"disqus.com/api/3.0/threads/listPosts.json?{query}"
    Page.objects.filter(pk=thread_page.pk).update(url=f"http://{address}", key=address)
    Fetch.objects.create(
        page=thread_page,
        host=thread_page.host,
        url=f"http://{address}",
        final_url=f"http://{address}",
        hops=[[301, f"http://{address}"]],
        started_at=NOW,
        outcome=Outcome.OK,
    )

    scrub(apps, None)

    clean = "disqus.com/api/3.0/threads/listPosts.json?forum=karoo&thread=ident%3A17"
    page, fetch = Page.objects.get(pk=thread_page.pk), Fetch.objects.get()
    assert (page.url, page.key) == (f"https://{clean}", clean)
    assert (fetch.url, fetch.final_url) == (page.url, page.url)
    assert fetch.hops == [[301, page.url]]
