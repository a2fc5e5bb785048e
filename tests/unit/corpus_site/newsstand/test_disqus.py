"""The comment server, read by our own reader of Disqus answers."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest

from corpus_site.newsstand.disqus import Disqus
from corpus_site.newsstand.edition import Edition
from corpus_site.newsstand.exchange import PaperRequest
from corpus_site.newsstand.pages import Roots
from corpus_site.newsstand.papers import PAPER_KEYS
from corpus_site.newsstand.pieces import Flag
from corpus_site.newsstand.site import Site
from feeds.crawler.comment_systems.disqus import embed_url, posts_url
from feeds.crawler.comment_systems.disqus_answers import read_disqus
from feeds.crawler.comment_systems.systems import find_thread
from feeds.crawler.comment_systems.threads import ThreadReference

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ROOTS = {key: f"http://{key}.test" for key in PAPER_KEYS}
TALK = "http://talk.test:9000"
EDITIONS = {key: Edition(key, NOW) for key in PAPER_KEYS}
DISQUS = Disqus(EDITIONS, ROOTS)


def article(slug, key="karoo-courier", now=NOW):
    return next(item for item in EDITIONS[key].out(now) if item.piece.slug == slug)


def thread(slug, key="karoo-courier"):
    """The thread as the crawler finds it in the page."""
    path = article(slug, key).path
    page = Site(EDITIONS[key], Roots(ROOTS[key], TALK)).answer(PaperRequest(path), NOW)
    return find_thread(page.body, ROOTS[key] + path)


def get(url, now=NOW):
    return DISQUS.answer(PaperRequest(url.removeprefix(TALK)), now)


def test_page_names_thread_and_server():
    item = article("spaza-registration-queue")

    assert thread("spaza-registration-queue") == ThreadReference(
        system="disqus",
        forum="karoo-courier",
        identifier=f"karoo-courier-{item.number}",
        link=ROOTS["karoo-courier"] + item.path,
        root=TALK,
    )


def test_page_without_comments_names_no_thread():
    assert thread("maas-maker-wins-prize") is None


def details_url(found):
    return posts_url(found).replace("listPosts", "details") + "&api_key=key"


@pytest.mark.parametrize("find", [embed_url, details_url])
def test_thread_tells_whether_it_is_closed(find):
    closed = read_disqus(get(find(thread("spaza-registration-queue"))).body)
    still_open = read_disqus(get(find(thread("ostrich-on-the-n12"))).body)

    assert (closed.is_closed, still_open.is_closed) == (True, False)
    assert (closed.n_posts, still_open.n_posts) == (11, 5)


def test_embed_page_carries_the_whole_thread():
    found = read_disqus(get(embed_url(thread("spaza-registration-queue"))).body)

    posts = {int(post.id) % 1000: post for post in found.posts}
    assert sorted(posts) == list(range(1, 13))
    assert [posts[n].depth for n in sorted(posts)] == [0, 0, 1, 2, 0, 1, 2, 3, 0, 1, 0, 0]
    assert posts[4].raw_message == "That is my point, sisi. It should not need a car."
    assert posts[4].message == f"<p>{posts[4].raw_message}</p>"
    assert posts[4].author.name == "Mzi"
    assert (posts[12].is_deleted, posts[12].raw_message) == (True, "")
    assert not found.has_more


def test_list_posts_leaves_deleted_ones_out_and_has_pages():
    address = posts_url(thread("spaza-registration-queue")).replace("limit=100", "limit=4")
    address += "&api_key=key"
    sizes, cursor = [], ""
    while True:
        page = read_disqus(get(f"{address}&cursor={cursor}" if cursor else address).body)
        sizes.append(len(page.posts))
        if not page.has_more:
            break
        cursor = page.next_cursor

    assert sizes == [4, 4, 3]


def test_thread_closes_while_one_watches():
    # published 180 minutes before the start, closes after 200
    found = thread("council-water-tariff")

    states = [
        (answer.is_closed, answer.n_posts)
        for minutes in (0, 6, 21)
        if (answer := read_disqus(get(embed_url(found), NOW + timedelta(minutes=minutes)).body))
    ]

    assert states == [(False, 11), (False, 13), (True, 14)]


def test_thread_is_found_by_its_link_as_well():
    found = thread("stokvel-buys-tractor")
    by_link = ThreadReference("disqus", found.forum, "", found.link, found.root)

    assert read_disqus(get(embed_url(by_link)).body).n_posts == 5
    assert read_disqus(get(details_url(by_link)).body).n_posts == 5


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/api/3.0/threads/details.json?forum=karoo-courier&thread=1", 401),
        ("/api/3.0/threads/details.json?api_key=k&forum=nobody&thread=1", 400),
        ("/api/3.0/threads/details.json?api_key=k&forum=isibani&thread=ident:x", 400),
        ("/api/3.0/users/details.json?api_key=k", 404),
    ],
)
def test_api_refuses_as_disqus_does(target, status):
    answer = get(TALK + target)

    assert answer.status == status
    assert json.loads(answer.body)["code"] != 0


def test_api_refuses_too_many_posts_at_once():
    item = article("stokvel-buys-tractor")
    query = {"api_key": "k", "forum": "karoo-courier", "thread": item.number, "limit": "101"}

    assert get(f"{TALK}/api/3.0/threads/listPosts.json?{urlencode(query)}").status == 400


def test_unknown_thread_has_an_embed_page_that_says_so():
    answer = read_disqus(get(f"{TALK}/embed/comments/?f=karoo-courier&t_i=nothing").body)

    assert answer.problem == "The comment system says: Thread not found"


def test_loader_is_a_script():
    assert get(f"{TALK}/embed.js").content_type == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("slug", ["kareedorp-beat-brandvlei", "windmill-museum"])
def test_comments_that_stand_in_a_page_are_on_no_other_server(slug):
    item = article(slug)
    assert item.has(Flag.IN_PAGE)

    key = f"ident:karoo-courier-{item.number}"
    query = {"forum": "karoo-courier", "thread": key, "api_key": "k"}
    target = f"/api/3.0/threads/details.json?{urlencode(query)}"
    assert DISQUS.answer(PaperRequest(target, {}), NOW).status == 400
