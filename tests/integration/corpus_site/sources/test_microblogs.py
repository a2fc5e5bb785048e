"""Posts of a microblog, from the timeline's answer to the search for their words."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from integration.feeds.newspapers import add_feed, make_paper
from integration.feeds.origin import Origin
from microblog_servers import Mastodon

from corpus_site import pipeline
from extraction.models import Article
from feeds.models import Feed, Page, SourceDraft
from feeds.work.leases import Claim
from search.models import IndexedArticle

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
LOCAL = "http://karoo.example/api/v1/timelines/public?limit=40&local=true"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def server(settings):
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        yield Mastodon(web.routes)


def work(now):
    for name in ("fetch", "extract", "detect", "index"):
        pipeline.BY_NAME[name].run(Claim("tester", now, timedelta(seconds=60)))


def words(answer):
    return " ".join(answer.content.decode().split())


def test_posts_are_searched_for_as_texts_of_their_own_kind(server, linguist):
    server.write(11, "<p>Good rain fell on the dam today.</p>", spoiler_text="Weather report")
    server.write(12, "<p>The dam is full.</p>", in_reply_to_id="11")
    add_feed(make_paper(NOW), LOCAL, NOW)
    work(NOW)
    asked, answer = Article.objects.order_by("published_at")

    found = words(linguist.get("/search/?q=dam&in=posts"))

    assert "tokens in 2 texts, posts" in found
    assert '<span class="cm">post</span>' in found
    assert f"/articles/{asked.pk}/" in found
    assert "tokens in 2 texts, articles, comments and posts" in words(
        linguist.get("/search/?q=dam&in=both")
    )
    assert "tokens in 0 texts" in words(linguist.get("/search/?q=dam&in=articles"))
    # The warning is a part as any standfirst, and counts only where it is asked for.
    assert "standfirsts" in words(linguist.get("/search/?q=weather&part=standfirst&in=articles"))
    page = words(linguist.get(f"/articles/{asked.pk}/?q=dam&in=posts"))
    assert "Post by Nomsa Dube (@nomsa@karoo.example)" in page
    assert f'id="hm{asked.pk}-' in page
    assert "1 answer here:" in page
    assert "Archived page" not in page
    assert f"/articles/{asked.pk}/" in words(linguist.get(f"/articles/{answer.pk}/"))
    assert "Post by Nomsa Dube" in words(linguist.get("/articles/"))
    rows = linguist.get("/api/search/?q=dam&in=posts").json()
    assert [row["kind"] for row in rows["lines"]] == ["post", "post"]


def test_a_deleted_post_leaves_the_index(server, linguist):
    server.write(11, "<p>Good rain fell on the dam today.</p>")
    add_feed(make_paper(NOW), LOCAL, NOW)
    work(NOW)
    server.delete(11)
    assert Page.objects.get(kind="post").due_at <= NOW + DAY

    work(NOW + DAY)

    assert IndexedArticle.objects.get().outcome != "indexed"
    assert "tokens in 0 texts, posts" in words(linguist.get("/search/?q=dam&in=posts"))
    page = words(linguist.get(f"/articles/{Article.objects.get().pk}/"))
    assert "Deleted by its author" in page
    assert "Good rain" not in page


def test_a_post_is_found_by_the_address_of_its_page_for_people(server, linguist):
    server.write(11, "<p>Good rain fell on the dam today.</p>")
    add_feed(make_paper(NOW), LOCAL, NOW)
    work(NOW)
    article = Article.objects.get()
    assert article.url != Page.objects.get(kind="post").url

    found = words(linguist.get("/status/url/", {"u": article.url}))
    other = words(linguist.get("/status/url/", {"u": f"{article.url}2"}))

    assert "Collected and searchable." in found
    assert f"/articles/{article.pk}/" in found
    assert "has listed this address" in other


def test_the_feeds_page_says_how_far_a_timeline_was_read(server, linguist):
    server.write(11, "<p>Good rain fell on the dam today.</p>")
    feed = add_feed(make_paper(NOW), LOCAL, NOW)
    work(NOW)
    page = words(linguist.get(f"/feeds/{feed.pk}/"))
    assert "A timeline of Mastodon, read up to post 11" in page
    assert "Timeline, on" in page


def test_an_editor_adds_an_account_by_its_address(server, editor):
    server.write(11, "<p>Good rain fell on the dam today.</p>")

    editor.post("/sources/add/", {"address": "http://karoo.example/@nomsa"})
    pipeline.BY_NAME["look-up"].run(Claim("tester", timezone.now(), timedelta(seconds=60)))
    draft = SourceDraft.objects.get()
    address = f"/sources/add/?draft={draft.pk}"
    page = words(editor.get(address))

    assert "Nomsa Dube" in page
    url = "http://karoo.example/api/v1/accounts/7/statuses?exclude_reblogs=true&limit=40"
    assert "Posts come with their timeline" in page
    answer = editor.post(address, {"name": "Nomsa Dube", "feeds": [url]})
    assert answer.status_code == 302
    feed = Feed.objects.select_related("publication", "page").get()
    assert (feed.page.url, feed.publication.home_url) == (url, "http://karoo.example/@nomsa")
    assert feed.publication.state == "active"

    work(timezone.now() + timedelta(minutes=1))

    assert Article.objects.get().text == "Good rain fell on the dam today."


def test_an_editor_asks_for_the_last_days_of_a_timeline_and_sees_what_that_is(server, editor):
    for number in range(1, 51):
        day = 20 if number > 10 else 1
        server.write(
            number, f"<p>{number}.</p>", created_at=f"2026-11-{day:02}T{number % 24:02}:00Z"
        )
    editor.post("/sources/add/", {"address": "http://karoo.example/@nomsa"})
    pipeline.BY_NAME["look-up"].run(Claim("tester", timezone.now(), timedelta(seconds=60)))
    address = f"/sources/add/?draft={SourceDraft.objects.get().pk}"
    # 40 posts between 0 and 23 o'clock: 39 in 23 hours.
    assert "7 days: about 285 posts, 8 requests" in words(editor.get(address))
    url = "http://karoo.example/api/v1/accounts/7/statuses?exclude_reblogs=true&limit=40"
    form = {"name": "Nomsa Dube", "feeds": [url], "past_unit": "days"}
    refused = editor.post(address, form | {"past_n": "4000"})
    assert (refused.status_code, "at most 3650 days" in words(refused)) == (400, True)

    assert editor.post(address, form | {"past_n": "3000"}).status_code == 302
    feed = Feed.objects.get()
    assert (feed.place["past_left"], feed.place["past_until"][:4]) == (10_000, "2018")
    work(timezone.now() + timedelta(minutes=1))

    assert Page.objects.filter(kind="post").count() == 50
    feed.refresh_from_db()
    assert feed.place == {"newest": "50"}
