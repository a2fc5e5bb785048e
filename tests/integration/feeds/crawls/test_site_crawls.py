"""Crawls that editors ask for, over papers behind a proxy that is the test's own origin."""

import gzip
from datetime import date, timedelta
from functools import partial

import pytest
from integration.feeds.crawls.crawling import HOME, NOW, begin, go_on, links, pool
from integration.feeds.newspapers import LEASE, add_page, crawl, make_paper
from integration.feeds.origin import answer, page
from killed_work import is_killed_at

from corpus_site.pages.why_not import tell
from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.seeds import Seed
from feeds.crawls import crawl_slices, releasing, site_crawls
from feeds.crawls.site_crawls import CrawlProblem, NewCrawl
from feeds.models import Crawl, CrawlAddress, CrawlKind, CrawlState, Page, PageKind, UrlPolicy
from feeds.sources.publications import NewFeed, add_feeds
from feeds.work import leases
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.usefixtures("through_our_web")]


@pytest.fixture
def paper():
    return make_paper(NOW)


def test_single_addresses_are_fetched_once_and_not_followed(web, paper):
    web.routes["/a-story-of-the-karoo"] = links("another-story-of-the-karoo")
    row = begin(paper, f"{HOME}a-story-of-the-karoo", kind=CrawlKind.ADDRESSES)

    go_on(3)

    row.refresh_from_db()
    assert (row.state, row.end_reason) == ("done", "all that was found is visited")
    assert pool(row) == {"a-story-of-the-karoo": "story"}
    stored = Page.objects.get()
    assert (stored.kind, stored.outcome, stored.purpose) == (PageKind.ARTICLE, "ok", "planned")
    assert web.paths.count("/a-story-of-the-karoo") == 1


def test_stories_of_a_section_are_followed_one_level_deep(web, paper):
    web.routes["/"] = links(
        "a-story-of-the-karoo", "news/", "http://else.example/a-far-off-story-x"
    )
    web.routes["/a-story-of-the-karoo"] = links("another-story-of-the-karoo")
    row = begin(paper)

    go_on(4)

    assert pool(row) == {"": "page", "a-story-of-the-karoo": "story"}
    seed, story = row.addresses.order_by("pk")
    assert (seed.n_links, seed.n_new, story.found_on, story.depth) == (3, 1, HOME, 1)
    assert {item.kind for item in Page.objects.all()} == {PageKind.INDEX, PageKind.ARTICLE}


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        (UrlPolicy.NEEDED, {"", "story-a-of-the-karoo"}),
        (UrlPolicy.PART, {"", "story-a-of-the-karoo", "news/", "story-b-of-the-karoo"}),
        (
            UrlPolicy.ALL,
            {"", "story-a-of-the-karoo", "news/", "story-b-of-the-karoo", "in-a/"},
        ),
    ],
)
def test_policies_take_stories_sections_or_all(web, paper, policy, found):
    web.routes["/"] = links("story-a-of-the-karoo", "news/", "private/")
    web.routes["/news/"] = links("story-b-of-the-karoo")
    web.routes["/story-a-of-the-karoo"] = links("in-a/")
    row = begin(paper, policy=policy, max_depth=2, exclude_pattern="/private/")

    go_on(6)

    assert set(pool(row)) == found


def test_link_that_was_seen_and_not_taken_is_explained(web, paper):
    web.routes["/"] = links("brand", "story-a-of-the-karoo")
    begin(paper)
    go_on(3)

    told = tell(canonicalize(f"{HOME}brand"))

    assert told.sentence == (
        f"Not collected: seen on {HOME}, but not taken: its address does not look like a story."
    )
    assert [mend.label for mend in told.mends] == [f"Change the patterns of {paper.name}"]
    assert tell(canonicalize(f"{HOME}else")).sentence.startswith("Not known: ")


def test_limit_of_a_seed_ends_its_crawl_and_keeps_what_is_known(web, paper):
    web.routes["/"] = links(*(f"story-{letter}-of-the-karoo" for letter in "abcdef"))
    row = begin(paper, f"{HOME} 3")

    go_on(5)

    row.refresh_from_db()
    assert row.end_reason == "the page limit was reached; 4 further addresses are known"
    assert Page.objects.filter(visited_at__isnull=False).count() == 3


def test_restriction_keeps_a_crawl_within_a_path_or_lets_it_cross_a_domain(web, paper):
    web.routes["/"] = links("news/story-a-of-the-karoo", "sport/story-b-of-the-karoo")
    web.routes["far.example/"] = links("story-c-of-the-karoo")
    within = begin(paper, f"{HOME} 10 {HOME}news/")
    across = begin(paper, "http://far.example/ 10 *.example")

    go_on(4)

    assert set(pool(within)) == {"", "news/story-a-of-the-karoo"}
    assert across.addresses.count() == 2


def test_sitemaps_are_walked_through_their_index(web, paper):
    children = "".join(f"<sitemap><loc>{HOME}{n}.xml</loc></sitemap>" for n in (1, 2))
    web.routes["/sitemap.xml"] = answer(f"<sitemapindex>{children}</sitemapindex>".encode())
    for number in (1, 2):
        names = (f"story-{number}-of-the-karoo", "about/")
        urls = "".join(f"<url><loc>{HOME}{name}</loc></url>" for name in names)
        web.routes[f"/{number}.xml"] = answer(f"<urlset>{urls}</urlset>".encode())
    row = begin(paper, kind=CrawlKind.SITEMAP)

    go_on(6)

    assert sorted(item.url for item in row.addresses.filter(role="story")) == [
        f"{HOME}story-1-of-the-karoo",
        f"{HOME}story-2-of-the-karoo",
    ]


def test_sitemaps_of_a_host_never_asked_before_are_those_of_its_robots(web, paper):
    lines = f"User-agent: *\nSitemap: http://[bad\nSitemap: {HOME}sm.xml\n"
    web.routes["/robots.txt"] = answer(lines.encode(), 200, (("Content-Type", "text/plain"),))
    urls = f"<url><loc>{HOME}story-1-of-the-karoo</loc></url>"
    web.routes["/sm.xml"] = answer(f"<urlset>{urls}</urlset>".encode())
    web.routes["/story-1-of-the-karoo"] = page()
    row = begin(paper, kind=CrawlKind.SITEMAP)

    go_on(5)

    roles = {"sitemap.xml": "sitemap", "sm.xml": "sitemap", "story-1-of-the-karoo": "story"}
    assert pool(row) == roles


def put_sitemap(web, *paths):
    urls = "".join(f"<url><loc>{HOME}{path}</loc></url>" for path in paths)
    web.routes["/sm.xml"] = answer(f"<urlset>{urls}</urlset>".encode())


def test_numbered_addresses_of_a_sitemap_are_stories(web, paper):
    stories = {f"n/{number}/read" for number in range(6)}
    put_sitemap(web, "about", *stories)
    row = begin(paper, f"{HOME}sm.xml", kind=CrawlKind.SITEMAP)

    go_on(2)

    assert {url for url, role in pool(row).items() if role == "story"} == stories


def test_sitemap_without_a_likely_story_ends_with_the_pattern_to_give(web, paper):
    put_sitemap(web, "nuus/brand", "nuus/wen")
    row = begin(paper, f"{HOME}sm.xml", kind=CrawlKind.SITEMAP)

    go_on(3)

    row.refresh_from_db()
    assert row.end_reason == (
        "2 addresses, none looks like a story: give a pattern that says which are, "
        "such as /[^/?]+/[^/?]+$"
    )


def test_crawl_of_which_nothing_came_says_why(web, paper):
    row = begin(paper, f"{HOME}no/sm.xml", kind=CrawlKind.SITEMAP)

    go_on(3)

    row.refresh_from_db()
    assert (row.state, row.end_reason[:24]) == ("done", "nothing could be fetched")


def test_packed_sitemap_is_read(web, paper):
    urls = f"<url><loc>{HOME}story-1-of-the-karoo</loc></url>"
    packed = gzip.compress(f"<urlset>{urls}</urlset>".encode())
    web.routes["/map.xml.gz"] = answer(packed, 200, (("Content-Type", "application/x-gzip"),))
    row = begin(paper, f"{HOME}map.xml.gz", kind=CrawlKind.SITEMAP)

    go_on(3)

    assert pool(row) == {"map.xml.gz": "sitemap", "story-1-of-the-karoo": "story"}


def test_sitemap_may_be_larger_than_a_page(web, paper, settings):
    settings.CRAWL_MAX_PAGE_BYTES = 100_000
    urls = f"<url><loc>{HOME}story-1-of-the-karoo</loc></url><!--{'x' * 200_000}-->"
    web.routes["/map.xml"] = answer(f"<urlset>{urls}</urlset>".encode())
    web.routes["/story-1-of-the-karoo"] = page("x" * 200_000)
    row = begin(paper, f"{HOME}map.xml", kind=CrawlKind.SITEMAP)

    go_on(3)

    assert pool(row) == {"map.xml": "sitemap", "story-1-of-the-karoo": "story"}
    assert Page.objects.get(kind=PageKind.ARTICLE).outcome == "too_large"


def test_a_few_pages_at_a_time_stand_in_the_frontier(web, paper, monkeypatch):
    monkeypatch.setattr(releasing, "UNDER_WAY", 2)
    web.routes["/"] = links(*(f"story-{letter}-of-the-karoo" for letter in "abcde"))
    row = begin(paper)
    go_on()

    crawl_slices.run(1, Claim("tester", NOW + timedelta(seconds=20), LEASE))

    assert Page.objects.filter(due_at__isnull=False).count() == 2
    assert row.addresses.filter(released_at=None).count() == 3


def test_paused_crawl_rests_and_goes_on_where_it_stood(web, paper):
    web.routes["/"] = links("story-a-of-the-karoo")
    row = begin(paper)
    now = go_on()
    crawl_slices.run(1, Claim("tester", now + timedelta(seconds=5), LEASE))

    site_crawls.pause(row)
    go_on(2, now + timedelta(seconds=9))
    while_paused = Page.objects.filter(visited_at__isnull=False).count()
    site_crawls.resume(row, now + timedelta(minutes=1))
    go_on(3, now + timedelta(minutes=1))

    row.refresh_from_db()
    assert (while_paused, row.state) == (1, CrawlState.DONE)
    assert Page.objects.filter(visited_at__isnull=False).count() == 2


def test_stopped_crawl_keeps_what_came_and_cannot_go_on(web, paper):
    row = begin(paper)
    site_crawls.stop(row, NOW)

    go_on()

    row.refresh_from_db()
    assert (row.state, row.end_reason, web.requests) == ("stopped", "stopped by an editor", [])
    with pytest.raises(CrawlProblem, match="Only a paused crawl can be resumed"):
        site_crawls.resume(row, NOW)


def slice_while(row, act):
    """Work on a slice of a crawl; an editor acts after its claim."""
    terms = Claim("tester", NOW, LEASE)
    leases.claim(Crawl.objects.all(), 1, terms)
    held = Crawl.objects.select_related("publication").get(pk=row.pk)
    act()
    crawl_slices._slice(held, terms)
    row.refresh_from_db()


def test_crawl_that_is_paused_during_a_slice_stays_paused(paper):
    row = begin(paper)

    slice_while(row, lambda: site_crawls.pause(row))

    assert (row.state, row.due_at, row.lease_owner) == (CrawlState.PAUSED, None, "")


def test_crawl_that_is_stopped_during_its_last_slice_was_stopped_by_an_editor(paper):
    row = begin(paper)
    CrawlAddress.objects.all().delete()

    slice_while(row, lambda: site_crawls.stop(row, NOW))

    assert (row.state, row.end_reason, row.due_at) == ("stopped", "stopped by an editor", None)


def test_crawl_that_is_resumed_during_its_last_slice_goes_on(paper):
    row = begin(paper)
    CrawlAddress.objects.all().delete()

    def pause_and_resume():
        site_crawls.pause(row)
        site_crawls.resume(row, NOW)

    slice_while(row, pause_and_resume)

    assert (row.state, row.due_at) == (CrawlState.RUNNING, NOW)
    crawl_slices.run(1, Claim("tester", NOW, LEASE))
    row.refresh_from_db()
    assert (row.state, row.due_at) == (CrawlState.DONE, None)


def test_known_story_is_not_fetched_again(web, paper):
    web.routes["/"] = links("story-a-of-the-karoo")
    web.routes["/story-a-of-the-karoo"] = page()
    add_page(paper, f"{HOME}story-a-of-the-karoo", NOW)
    crawl(NOW)
    row = begin(paper)

    go_on(4)

    row.refresh_from_db()
    assert (row.state, web.paths.count("/story-a-of-the-karoo")) == ("done", 1)


def test_page_with_links_is_read_as_a_story_where_a_later_crawl_takes_it_for_one(web, paper):
    web.routes["/"] = links("news/storm")
    web.routes["/news/storm"] = page()
    begin(paper, policy=UrlPolicy.ALL)
    now = go_on(4)
    before = Page.objects.get(url=f"{HOME}news/storm")

    begin(paper, include_pattern="/news/[a-z]+$")
    go_on(4, now)

    after = Page.objects.get(pk=before.pk)
    assert (before.kind, after.kind) == (PageKind.INDEX, PageKind.ARTICLE)
    assert after.content_fetch_id > before.content_fetch_id
    assert web.paths.count("/news/storm") == 2


def test_front_page_that_is_followed_as_a_feed_is_read_from_its_last_visit(web, paper):
    web.routes["/"] = links("story-a-of-the-karoo")
    add_feeds(paper, [NewFeed(HOME, kind="index")], NOW)
    crawl(NOW)
    row = begin(paper)

    go_on(3)

    row.refresh_from_db()
    assert (row.state, pool(row)) == ("done", {"": "page", "story-a-of-the-karoo": "story"})
    assert Page.objects.get(kind=PageKind.FEED).due_at > NOW


def test_lost_lease_leaves_a_slice_undone(web, paper):
    row = begin(paper)
    crawl_slices.run(1, Claim("dead", NOW, LEASE))
    Crawl.objects.update(lease_owner="other", lease_until=NOW + LEASE, due_at=NOW)
    before = CrawlAddress.objects.count()

    report = crawl_slices.run(1, Claim("late", NOW + timedelta(seconds=5), LEASE))

    assert (report.n_claimed, CrawlAddress.objects.count()) == (0, before)
    assert row.addresses.count() == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"days": None}, "Give the first and the last day"),
        ({"days": (date(2014, 1, 2), date(2014, 1, 1))}, "Give the first and the last day"),
        ({"seeds": (Seed(HOME), Seed(f"{HOME}af/"))}, "one front page at a time"),
        ({"include_pattern": "("}, "is not a pattern"),
    ],
)
def test_wrong_wishes_are_refused_in_words(paper, changes, sentence):
    values = {"days": (date(2013, 1, 1), date(2013, 1, 2)), "seeds": (Seed(HOME),)} | changes

    with pytest.raises(CrawlProblem, match=sentence):
        site_crawls.begin(NewCrawl(paper, CrawlKind.ARCHIVE, **values), None, NOW, "Broadsheet")

    assert Crawl.objects.count() == 0


# --- Killed at any statement ----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_slice_that_is_killed_anywhere_is_done_whole_by_the_next(web, paper):
    web.routes["/"] = links("story-a-of-the-karoo", "story-b-of-the-karoo")
    row = begin(paper)
    now = go_on()  # the front page has come

    n_statements = 0
    while is_killed_at(n_statements, partial(slice_at, now, n_statements)):
        assert (row.addresses.count(), Page.objects.count()) == (1, 1)
        n_statements += 1

    assert n_statements > 10
    assert row.addresses.count() == 3
    assert Page.objects.filter(kind=PageKind.ARTICLE, due_at__isnull=False).count() == 2


def slice_at(now, n):
    """Work on a slice a minute after the one before, whose lease has run out by then."""
    Crawl.objects.update(attempts=0)
    crawl_slices.run(1, Claim("tester", now + timedelta(minutes=2 * n + 1), LEASE))
