"""Old rows go by policies, after a dry look, a range a turn; what anything stands on stays."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_article, make_user
from integration.feeds.newspapers import make_paper

from corpus_site.retention import policies
from corpus_site.retention.models import RetentionChange, RetentionPass
from corpus_site.retention.policies import PolicyRefusedError
from extraction.models import Article
from feeds.models import Feed, FeedItem, Fetch, Host, Page, PageKind
from feeds.removal import old_rows
from feeds.removal.old_rows import GONE_PAGES, OLD_FEED_ITEMS, OLD_FETCHES
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=400)
YEAR = 365
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


@pytest.fixture
def host():
    return Host.objects.create(name="karoo.example", next_at=NOW)


def add_page(paper, host, name, **columns):
    key = f"karoo.example/{name}"
    defaults = {"kind": PageKind.ARTICLE, "found_at": LONG_AGO, "visited_at": LONG_AGO}
    return Page.objects.create(
        url=f"http://{key}", key=key, host=host, publication=paper, **(defaults | columns)
    )


def add_fetch(host, page, at=LONG_AGO, **columns):
    url = page.url if page else f"http://{host.name}/robots.txt"
    defaults = {"outcome": "not_modified", "url": url}
    return Fetch.objects.create(host=host, page=page, started_at=at, **(defaults | columns))


def work(now=NOW):
    """Run turns until no pass is due."""
    for turn in range(100):
        at = now + turn * policies.PAUSE
        if not policies.run(1, Claim("one", at, timedelta(seconds=60))).n_claimed:
            return
    pytest.fail("the passes do not end")


def look_and_begin(kind, days=YEAR):
    user = make_user("admin")
    policies.look(kind, days, user.pk, NOW)
    work()
    policies.begin(kind, days, user.pk, NOW)


def test_requests_without_a_document_go_and_the_newest_of_each_page_stays(paper, host):
    page = add_page(paper, host, "one")
    old = [add_fetch(host, page), add_fetch(host, page), add_fetch(host, None)]
    newest = add_fetch(host, page)
    archived = add_fetch(host, page, outcome="ok", archive_file="a.warc.gz")
    young = add_fetch(host, page, at=NOW)
    Fetch.objects.filter(pk=newest.pk).update(started_at=LONG_AGO)
    look_and_begin(OLD_FETCHES)

    assert Fetch.objects.count() == 6  # nothing before the pass has had its turns
    work()

    kept = set(Fetch.objects.values_list("pk", flat=True))
    assert kept == {archived.pk, young.pk}
    assert not kept & {fetch.pk for fetch in old}


def test_a_request_that_an_article_stands_on_stays(paper, host):
    article = make_article(publication=paper)
    fetch = add_fetch(host, article.page)
    add_fetch(host, article.page)
    Article.objects.filter(pk=article.pk).update(fetch=fetch)
    look_and_begin(OLD_FETCHES)
    work()

    assert Article.objects.get(pk=article.pk).fetch == fetch


def test_items_go_once_their_feed_no_longer_lists_them(paper, host):
    polled = add_page(paper, host, "feed", kind=PageKind.FEED, visited_at=NOW)
    feed = Feed.objects.create(publication=paper, page=polled, created_at=LONG_AGO)
    gone, listed = add_page(paper, host, "gone"), add_page(paper, host, "listed")
    for page, seen in ((gone, LONG_AGO), (listed, NOW)):
        FeedItem.objects.create(feed=feed, page=page, first_seen_at=LONG_AGO, last_seen_at=seen)
    look_and_begin(OLD_FEED_ITEMS)
    work()

    assert [item.page for item in FeedItem.objects.all()] == [listed]
    assert Page.objects.filter(pk=gone.pk).exists()


def test_addresses_that_never_were_pages_go_with_their_requests(paper, host):
    never = add_page(paper, host, "never", outcome="not_found")
    add_fetch(host, never, outcome="not_found")
    once = add_page(paper, host, "once", outcome="gone")
    add_fetch(host, once, outcome="ok", archive_file="a.warc.gz")
    due = add_page(paper, host, "due", outcome="not_found", due_at=NOW)
    article = make_article(publication=paper)
    Page.objects.filter(pk=article.page_id).update(outcome="gone", visited_at=LONG_AGO)
    look_and_begin(GONE_PAGES)
    work()

    left = set(Page.objects.filter(pk__in=[never.pk, once.pk, due.pk, article.page_id]))
    assert left == {once, due, article.page}
    assert not Fetch.objects.filter(url=never.url).exists()


def test_a_dry_pass_counts_and_takes_nothing(paper, host):
    page = add_page(paper, host, "one")
    for _ in range(3):
        add_fetch(host, page)
    row = policies.look(OLD_FETCHES, YEAR, None, NOW)
    work()

    row.refresh_from_db()
    assert (row.n_looked, row.n_found, row.finished_at is not None) == (3, 2, True)
    assert Fetch.objects.count() == 3


def test_nothing_begins_without_a_dry_pass_of_the_same_days(paper):
    policies.look(OLD_FETCHES, YEAR, None, NOW)
    with pytest.raises(PolicyRefusedError):
        policies.begin(OLD_FETCHES, YEAR, None, NOW)  # it has not ended
    work()
    with pytest.raises(PolicyRefusedError):
        policies.begin(OLD_FETCHES, YEAR - 1, None, NOW)
    assert not RetentionChange.objects.exists()


@pytest.mark.parametrize("days", [0, OLD_FETCHES.least_days - 1, policies.MOST_DAYS + 1])
def test_ages_that_pages_still_read_are_refused(days):
    with pytest.raises(PolicyRefusedError, match="30 to 3650"):
        policies.look(OLD_FETCHES, days, None, NOW)


def test_a_pass_goes_over_a_range_a_turn_and_goes_on_after_a_lost_worker(paper, host, monkeypatch):
    monkeypatch.setattr(old_rows, "RANGE_ROWS", 2)
    page = add_page(paper, host, "one")
    for _ in range(7):
        add_fetch(host, page)
    look_and_begin(OLD_FETCHES)
    policies.run(1, Claim("one", NOW, timedelta(seconds=60)))
    row = RetentionPass.objects.get(is_dry=False)
    assert (row.n_looked, row.n_found, Fetch.objects.count()) == (2, 2, 5)
    # Somebody else claims it, and the first is too late to write what he did.
    RetentionPass.objects.filter(pk=row.pk).update(lease_owner="two", lease_until=NOW)

    work(NOW + timedelta(minutes=5))

    row.refresh_from_db()
    assert (row.n_looked, row.n_found, Fetch.objects.count()) == (7, 6, 1)


def test_a_policy_makes_a_pass_each_week_until_rows_are_kept_for_ever(paper):
    look_and_begin(OLD_FETCHES)
    work()
    assert policies.pending(1, NOW + timedelta(days=6)) == 0
    assert policies.pending(1, NOW + timedelta(days=8)) == 1
    assert policies.pending(1, NOW + timedelta(days=16)) == 0  # the last has not ended

    assert policies.keep_for_ever(OLD_FETCHES, None, NOW + timedelta(days=16))
    assert not policies.keep_for_ever(OLD_FETCHES, None, NOW + timedelta(days=16))
    assert policies.pending(1, NOW + timedelta(days=30)) == 0
    work(NOW + timedelta(days=30))
    assert RetentionPass.objects.filter(is_dry=False, finished_at=None).count() == 1
