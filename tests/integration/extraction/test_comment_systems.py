"""Threads at comment systems, from the article's page to the rows of their comments."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import article_page

from extraction import extract
from extraction.comment_status import threads_by_system
from extraction.models import Article, Comment, CommentThread, Extraction
from feeds.models import Host, Page, PageKind
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
SITE = "http://karoo.example"
PATH = "/news/dredging-of-the-inner-basin"
ROUTE = "/wp-json/wp/v2/comments"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
API = f"<link rel='https://api.w.org/' href='{SITE}/wp-json/'>"
POST_NUMBER = "<input name='comment_post_ID' value='7'><form id='commentform'></form>"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


def serve(web, paper, body, path=PATH) -> Page:
    web.routes[path] = answer(body.encode(), 200, HTML)
    return add_page(paper, SITE + path, NOW)


def row(number, text="Rain at last.", parent=0, **changes):
    values = {
        "id": number,
        "parent": parent,
        "author": 0,
        "author_name": f"Reader {number}",
        "date_gmt": f"2026-11-20T10:{number % 60:02}:00",
        "content": {"rendered": f"<p>{text}</p>"},
        "type": "comment",
    }
    return values | changes


def give(web, rows, **headers):
    kinds = (("Content-Type", "application/json"), *headers.items())
    web.routes[ROUTE] = answer(json.dumps(rows).encode(), 200, kinds)


def work(now):
    """Fetch and extract what is due, until nothing is."""
    for _ in range(4):
        ids = crawl(now).next_ids["pages"]
        extract.register(ids, now)
        report = extract.run(20, Claim("tester", now, timedelta(seconds=60)))
    return report


def wordpress_page(*shown):
    items = "".join(
        f"<li class='comment' id='comment-{number}'><b class='fn'>Reader {number}</b>"
        f"<time datetime='2026-11-20T12:{number:02}:00+02:00'>x</time>"
        f"<div class='comment-content'><p>{text}</p></div></li>"
        for number, text in shown
    )
    after = f"{API}<ol class='comment-list'>{items}</ol>{POST_NUMBER}"
    return article_page(after=after).decode()


def texts():
    return dict(Comment.objects.order_by("posted_at").values_list("author_name", "text"))


def test_comments_of_wordpress_come_with_the_first_look_as_a_tree(web, paper):
    serve(web, paper, wordpress_page())
    give(web, [row(1), row(2, "Not here.", parent=1)])

    work(NOW)
    work(NOW + DAY)

    first, second = Comment.objects.order_by("posted_at")
    thread = CommentThread.objects.get()
    assert (thread.system, thread.n_posts, thread.is_closed, thread.is_cut) == (
        "wordpress", 2, False, False,
    )  # fmt: skip
    assert (first.system, first.text, first.author_name) == (
        "wordpress", "Rain at last.", "Reader 1",
    )  # fmt: skip
    assert (second.parent, second.depth) == (first, 1)


def test_comments_in_the_page_become_those_of_the_system_that_keeps_them(web, paper):
    serve(web, paper, wordpress_page((1, "Rain at last."), (2, "Not here.")))
    give(web, [row(1), row(2, "Not here."), row(3, "Late.")])

    work(NOW)
    in_page = dict(Comment.objects.values_list("pk", "system"))
    work(NOW + DAY)

    assert set(in_page.values()) == {"page"}
    assert Comment.objects.count() == 3
    assert set(Comment.objects.values_list("system", flat=True)) == {"wordpress"}
    assert set(Comment.objects.values_list("pk", flat=True)) > set(in_page)


def test_later_answer_brings_new_edited_and_deleted_comments(web, paper):
    serve(web, paper, wordpress_page())
    give(web, [row(1), row(2, "Typo."), row(3, "Gone soon.")])
    work(NOW)
    work(NOW + DAY)

    give(web, [row(1), row(2, "Mended."), row(4, "New.")])
    work(NOW + 3 * DAY)

    assert texts() == {"Reader 1": "Rain at last.", "Reader 2": "Mended.", "Reader 3": "",
                       "Reader 4": "New."}  # fmt: skip
    marks = Comment.objects.order_by("posted_at").values_list("is_edited", "is_deleted")
    assert list(marks) == [(False, False), (True, False), (False, True), (False, False)]


def test_answer_that_has_lost_all_comments_deletes_none(web, paper):
    serve(web, paper, wordpress_page())
    give(web, [row(1), row(2)])
    work(NOW)
    work(NOW + DAY)

    give(web, [])
    work(NOW + 3 * DAY)

    assert not Comment.objects.filter(is_deleted=True).exists()


def test_thread_of_150_comments_is_read_page_by_page(web, paper):
    serve(web, paper, wordpress_page())
    rows = [
        row(n, f"Number {n}.", date_gmt=f"2026-11-{1 + n // 10:02}T10:00:00") for n in range(1, 151)
    ]

    async def page_by_page(request, writer):
        part = rows[100:] if "page=2" in request.target else rows[:100]
        kinds = (("Content-Type", "application/json"), ("X-WP-Total", "150"))
        whole = answer(json.dumps(part).encode(), 200, (*kinds, ("X-WP-TotalPages", "2")))
        await whole(request, writer)

    web.routes[ROUTE] = page_by_page
    work(NOW)
    work(NOW + DAY)

    assert (Comment.objects.count(), CommentThread.objects.get().n_posts) == (150, 150)


def test_interface_that_is_switched_off_blocks_no_host_and_puts_nothing_aside(web, paper):
    refusal = answer(b'{"code":"rest_forbidden","message":"No"}', 403, ())
    web.routes[ROUTE] = refusal
    for number in range(4):
        body = wordpress_page((1, "Rain at last.")).replace("value='7'", f"value='{number}'")
        serve(web, paper, body, f"/news/dredging-of-the-inner-basin-{number}")

    work(NOW)
    for _ in range(4):
        work(NOW + DAY)

    pages = Page.objects.filter(kind=PageKind.COMMENTS)
    assert {page.outcome for page in pages} == {"forbidden"}
    assert {page.due_at for page in pages} == {None}
    assert not pages.filter(quarantined_at__isnull=False).exists()
    assert not Host.objects.exclude(blocked_since=None).exists()
    assert Comment.objects.filter(system="page").exists()


def test_system_that_answers_nobody_is_named_and_comments_of_the_page_are_kept(web, paper):
    widget = "<div class='fb-comments' data-href='x'></div>"
    shown = wordpress_page((1, "Rain at last.")).replace(API, "")
    serve(web, paper, shown.replace("</body>", f"{widget}</body>"))

    work(NOW)

    thread = CommentThread.objects.get()
    assert (thread.system, thread.page) == ("facebook", None)
    assert not Page.objects.filter(kind=PageKind.COMMENTS).exists()
    assert Comment.objects.get().system == "page"
    assert [item.words for item in threads_by_system(paper, NOW)] == [
        "Facebook comments, cannot be read without a key: 1 article"
    ]


@pytest.mark.parametrize(
    ("path", "title", "kind"),
    [
        ("/galleries/storm", "The storm", "gallery"),
        ("/news/storm", "In pictures: the storm", "gallery"),
        ("/video/storm", "The storm", "video"),
        ("/news/storm", "The storm", "short"),
    ],
)
def test_page_without_text_keeps_its_thread_below_a_row_outside_of_the_corpus(
    web, paper, path, title, kind
):
    body = (
        f"<html><head><title>{title}</title></head><body><img src='a.jpg'>"
        "<div id='disqus_thread'></div><script>var disqus_shortname = 'karoo';</script>"
        "<script src='https://karoo.disqus.com/embed.js'></script></body></html>"
    )
    page = serve(web, paper, body, path)

    work(NOW)

    article = Article.objects.get()
    assert (article.kind, article.in_corpus, article.text) == (kind, False, "")
    assert article.reason
    assert CommentThread.objects.get().page.parent == page
    assert Extraction.objects.get(page=page).outcome == "empty"


def test_text_that_is_there_is_not_emptied_by_a_visit_without_text(web, paper):
    script = "<div id='disqus_thread'></div><script>var disqus_shortname='karoo';</script>"
    page = serve(web, paper, article_page(after=script).decode())
    work(NOW)
    text = Article.objects.get().text

    serve(web, paper, f"<html><body>{script}</body></html>")
    Page.objects.filter(pk=page.pk).reschedule(NOW + DAY / 2)
    work(NOW + DAY / 2)

    assert (Article.objects.get().text, Article.objects.get().in_corpus) == (text, True)


# --- Disqus ---------------------------------------------------------------------------------------

DISQUS = (
    "<div id='disqus_thread'></div><script>var disqus_shortname = 'karoo';"
    "var disqus_identifier='7'; s.src = 'http://talk.example/embed.js';</script>"
)


def posts(first, last):
    return [
        {"id": str(n), "createdAt": f"2026-11-20T10:{n:02}:00", "raw_message": f"Post {n}."}
        for n in range(first, last + 1)
    ]


def embedded(rows, *, has_more):
    thread = {"id": "7", "isClosed": True, "posts": 5, "createdAt": "2026-11-20T00:00:00"}
    document = {
        "code": 0,
        "cursor": {"hasNext": has_more, "next": "2:0:0"},
        "response": {"thread": thread, "posts": rows},
    }
    return f"<script id='disqus-threadData'>{json.dumps(document)}</script>".encode()


def test_thread_that_was_cut_is_completed_by_the_sweep_once_a_key_is_set(web, paper, settings):
    serve(web, paper, article_page(after=DISQUS).decode())
    web.routes["/embed/comments/"] = answer(embedded(posts(1, 2), has_more=True), 200, HTML)
    listed = {"code": 0, "cursor": {"hasNext": False}, "response": posts(1, 5)}
    web.routes["/api/3.0/threads/listPosts.json"] = answer(json.dumps(listed).encode(), 200, ())
    work(NOW)
    work(NOW + DAY)
    cut = CommentThread.objects.get()
    said = threads_by_system(paper, NOW)[0].words
    n_before = Comment.objects.count()

    extract.pending(10, NOW + DAY)
    without_key = CommentThread.objects.get().is_cut
    settings.CRAWL_DISQUS_API_KEY = "key"
    n_due = extract.pending(10, NOW + 2 * DAY)
    work(NOW + 2 * DAY)

    assert (cut.is_cut, cut.n_posts, n_before, without_key) == (True, 5, 2, True)
    assert said == "Disqus: 1 thread, 1 closed, 1 thread cut for want of a key, 2 of 5 kept"
    assert n_due == 1
    assert (Comment.objects.count(), CommentThread.objects.get().is_cut) == (5, False)


def test_server_of_one_paper_changes_no_comment_of_another(web, paper):
    given = {"id": "900001", "createdAt": "2026-11-20T10:00:00", "author": {"name": "Ann"}}
    told = ((PATH, "Rain at last."), ("/news/evil-twin-of-the-inner-basin", "Lies."))
    for day, (path, text) in enumerate(told):
        disqus = DISQUS.replace("'7'", f"'{path}'").replace("talk.", f"{path[6:10]}.")
        serve(web, paper, article_page(after=disqus).decode(), path)
        web.routes["/embed/comments/"] = answer(
            embedded([given | {"raw_message": text}], has_more=False), 200, HTML
        )
        work(NOW + 3 * day * DAY)
        work(NOW + 3 * day * DAY + DAY)

    rows = Comment.objects.order_by("pk").values_list("article_id", "remote_id", "server", "text")

    first, second = Article.objects.order_by("pk").values_list("pk", flat=True)
    assert list(rows) == [
        (first, "900001", "dred.example", "Rain at last."),
        (second, "900001", "evil.example", "Lies."),
    ]
