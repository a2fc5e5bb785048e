"""Posts go for their age through the register: withdrawn, or erased with what the archive has."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_article, make_page, make_user
from integration.feeds.newspapers import add_feed, make_paper
from integration.feeds.origin import Origin
from microblog_servers import Mastodon

from corpus_site import pipeline
from corpus_site.retention import policies
from corpus_site.retention.models import RetentionPass
from extraction.models import Article, Measure, Subject, Withdrawal
from extraction.withdrawal import register
from extraction.withdrawal.old_posts import ERASED_POSTS, WITHDRAWN_POSTS
from extraction.withdrawal.register import Order
from feeds.models import Fetch, Page, PageKind, Tombstone
from feeds.removal import old_rows
from feeds.work.leases import Claim
from search.models import IndexedArticle

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
LOCAL = "http://karoo.example/api/v1/timelines/public?limit=40&local=true"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_post(name, days_old, **changes):
    page = make_page(kind=PageKind.POST)
    at = NOW - days_old * DAY
    return make_article(f"Post {name}.", page=page, published_at=at, dated_at=at, **changes)


def work(now=NOW):
    """Run turns of retention, erasing and the index until nothing is due."""
    for turn in range(100):
        claim = Claim("one", now + turn * timedelta(seconds=5), timedelta(seconds=60))
        names = ("retention", "erase", "detect", "index")
        if not sum(pipeline.BY_NAME[name].run(claim).n_claimed for name in names):
            return
    pytest.fail("the passes do not end")


def let_go(kind, days, word=""):
    policies.look(kind, days, None, NOW)
    work()
    admin = make_user("admin")
    policies.begin(kind, days, admin.pk, NOW, word)
    return admin


def test_old_posts_are_withdrawn_by_the_register_and_younger_ones_and_articles_stay():
    old, young = make_post("old", 40), make_post("young", 20)
    article = make_article("An old article.", dated_at=NOW - 400 * DAY)
    admin = let_go(WITHDRAWN_POSTS, 30)
    assert Withdrawal.objects.count() == 0  # the look took nothing

    work()

    out = Article.objects.filter(withdrawn_at__isnull=False)
    assert [row.pk for row in out] == [old.pk]
    entry = Withdrawal.objects.get()
    assert (entry.measure, entry.article_id) == (Measure.WITHDRAWN, old.pk)
    assert entry.reason == "Posts are kept for 30 days; it is older."
    assert entry.by == admin
    assert {young.pk, article.pk} == set(
        Article.objects.filter(in_corpus=True).values_list("pk", flat=True)
    )


def test_a_post_that_came_of_age_goes_at_the_next_days_pass():
    make_post("old", 40)
    make_post("young", 29)
    let_go(WITHDRAWN_POSTS, 30)
    work()
    assert policies.pending(1, NOW + DAY / 2) == 0
    assert policies.pending(1, NOW + 2 * DAY) == 1

    work(NOW + 2 * DAY)

    assert Withdrawal.objects.count() == 2
    counts = RetentionPass.objects.filter(is_dry=False).order_by("pk")
    assert [row.n_found for row in counts] == [1, 1]


def test_a_pass_goes_on_after_a_lost_worker_and_asks_once(monkeypatch):
    monkeypatch.setattr(old_rows, "RANGE_ROWS", 2)
    for number in range(5):
        make_post(f"old{number}", 40)
    let_go(WITHDRAWN_POSTS, 30)
    policies.run(1, Claim("one", NOW, timedelta(seconds=60)))
    row = RetentionPass.objects.get(is_dry=False)
    assert (row.n_looked, row.n_found) == (2, 2)
    RetentionPass.objects.filter(pk=row.pk).update(lease_owner="two", lease_until=NOW)

    work(NOW + timedelta(minutes=5))

    row.refresh_from_db()
    assert (row.n_looked, row.n_found, Withdrawal.objects.count()) == (5, 5, 5)


def test_erasing_wants_a_word_and_leaves_what_is_held():
    held, old = make_post("held", 40), make_post("old", 40)
    register.hold(
        register.of_article(Article.objects.select_related("page", "collected").get(pk=held.pk)),
        Order("a court", None, NOW),
    )
    with pytest.raises(policies.NotConfirmedError):
        let_go(ERASED_POSTS, 30)
    policies.begin(ERASED_POSTS, 30, None, NOW, "erase posts")

    work()

    assert [row.pk for row in Article.objects.filter(erased_at__isnull=False)] == [old.pk]
    assert Article.objects.get(pk=old.pk).text == ""
    assert Article.objects.get(pk=held.pk).text == "Post held."
    entries = Withdrawal.objects.filter(what=Subject.ARTICLE, measure=Measure.ERASED)
    assert [entry.done_at is not None for entry in entries] == [True]


@pytest.fixture
def server(settings):
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        yield Mastodon(web.routes)


def collect_a_post(server):
    """Let a timeline's post go the whole way, and make it old; gives the feed."""
    server.write(11, "<p>Good rain fell on the dam today.</p>")
    feed = add_feed(make_paper(NOW), LOCAL, NOW)
    for name in ("fetch", "extract", "detect", "index"):
        pipeline.BY_NAME[name].run(Claim("tester", NOW, timedelta(seconds=60)))
    assert IndexedArticle.objects.get().outcome == "indexed"
    Article.objects.update(dated_at=NOW - 40 * DAY)
    return feed


def test_a_withdrawn_post_leaves_the_index_and_keeps_its_text(server):
    collect_a_post(server)
    let_go(WITHDRAWN_POSTS, 30)
    work()

    assert Article.objects.get().text == "Good rain fell on the dam today."
    assert IndexedArticle.objects.get().outcome != "indexed"


def test_an_erased_post_leaves_index_and_archive_and_does_not_come_back(server):
    feed = collect_a_post(server)
    let_go(ERASED_POSTS, 30, "erase posts")
    work()

    article = Article.objects.get()
    assert (article.text, article.erased_at is not None) == ("", True)
    assert IndexedArticle.objects.get().outcome != "indexed"
    assert not Fetch.objects.filter(page=feed.page).exclude(archive_file="").exists()
    assert Tombstone.objects.exists()
    Page.objects.filter(pk=feed.page_id).reschedule(NOW + DAY)
    pipeline.BY_NAME["fetch"].run(Claim("tester", NOW + DAY, timedelta(seconds=60)))
    assert Article.objects.exclude(text="").count() == 0
