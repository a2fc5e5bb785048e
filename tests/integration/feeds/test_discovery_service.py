"""What the wizard finds at an address, on a local server that answers like newspapers do."""

import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network

import pytest
from django.utils import timezone
from microblog_servers import Mastodon

from feeds.crawler.documents.feed_document import FeedKind
from feeds.frontier import ensure_hosts
from feeds.models import Host
from feeds.sources import publications
from feeds.sources.discovery import investigate, site_terms
from feeds.sources.host_rests import HostKeeper, HostWait
from feeds.sources.publications import NewFeed, NewPublication

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HTML = "text/html; charset=utf-8"
RSS = "application/rss+xml"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


class Newspaper:
    """A local server: answers by path, and what was asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], str]] = {}
        self.asked: list[str] = []
        self.agents: list[str] = []
        self.refused_agent = ""
        self.moments: list[float] = []
        self.slow: dict[str, float] = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def put(self, path, body="", kind=HTML, status=200, **headers) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (status, {"Content-Type": kind} | named, body)

    def put_feed(self, path, *articles, title="News", days=0) -> None:
        when = (NOW - timedelta(days=days)).strftime("%a, %d %b %Y %H:%M:%S +0000")
        items = "".join(
            f"<item><title>{name}</title><link>{self.url}/{name}</link><pubDate>{when}</pubDate>"
            "</item>"
            for name in articles
        )
        for name in articles:
            self.put(f"/{name}", f"<html><h1>{name}</h1></html>")
        channel = f"<title>{title}</title><link>{self.url}/</link><language>en-za</language>"
        self.put(path, f"<rss version='2.0'><channel>{channel}{items}</channel></rss>", RSS)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        paper = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paper.asked.append(self.path)
                paper.moments.append(time.monotonic())
                time.sleep(paper.slow.get(self.path, 0.0))
                agent = self.headers["User-Agent"]
                paper.agents.append(agent)
                status, headers, body = paper.answers.get(self.path, (404, {}, "none"))
                if paper.refused_agent and paper.refused_agent in agent:
                    status, headers, body = 403, {}, "no"
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *args) -> None:
                """Stay quiet."""

        return Handler


@pytest.fixture
def paper(settings) -> Iterator[Newspaper]:
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    paper = Newspaper()
    thread = threading.Thread(target=paper.server.serve_forever, args=(0.02,))
    thread.start()
    yield paper
    paper.server.shutdown()
    thread.join()
    paper.server.server_close()


def look(address):
    return investigate(address, site_terms(), NOW)


HOME = (
    '<html lang="en-ZA"><head><title>Karoo Courier</title>'
    '<link rel="alternate" type="application/rss+xml" title="News" href="/feed/news">'
    '<link rel="alternate" type="application/rss+xml" title="Sport" href="/feed/sport"></head>'
    '<body><a href="/rss/all">RSS</a></body></html>'
)


def test_home_page_gives_feeds_that_were_parsed_and_samples(paper):
    paper.put("/", HOME)
    paper.put_feed("/feed/news", "a", "b", "c", title="Courier: News")
    paper.put_feed("/feed/sport", "d", "e", title="Courier: Sport", days=90)
    paper.put_feed("/rss/all", "a", "b", title="Courier: All")

    found = look(paper.url)

    assert (found.problem, found.name, found.home_url, found.language) == (
        "",
        "Karoo Courier",
        paper.url + "/",
        "en-za",
    )
    assert [
        (feed.title, feed.how, feed.n_items, feed.verdict, feed.is_good) for feed in found.feeds
    ] == [
        ("Courier: News", "link", 3, "good", True),
        ("Courier: Sport", "link", 2, "stale since Aug 2026", False),
        ("Courier: All", "anchor", 2, "the same items as “Courier: News” (rss)", False),
    ]
    assert [sample.body for sample in found.samples] == [
        b"<html><h1>a</h1></html>",
        b"<html><h1>b</h1></html>",
        b"<html><h1>c</h1></html>",
    ]


def test_home_page_with_feeds_is_not_guessed_at(paper):
    paper.put("/", HOME)
    paper.put_feed("/feed/news", "a")

    look(paper.url)

    assert "/feed" not in paper.asked
    assert paper.asked.count("/robots.txt") == 1


def test_home_page_without_links_is_guessed_at(paper):
    paper.put("/", "<html><title>Karoo Courier</title></html>")
    paper.put_feed("/rss.xml", "a")

    found = look(paper.url)

    assert [(feed.url, feed.how) for feed in found.feeds] == [
        (f"{paper.url}/rss.xml", "known path")
    ]


def test_feed_itself_is_taken_with_name_of_home_page(paper):
    paper.put("/", HOME)
    paper.put_feed("/feed/news", "a", title="Courier: News")

    found = look(paper.url + "/feed/news")

    assert (found.name, found.home_url) == ("Karoo Courier", paper.url + "/")
    assert [(feed.url, feed.how) for feed in found.feeds] == [(f"{paper.url}/feed/news", "given")]


def test_feed_without_home_page_is_named_by_its_title(paper):
    paper.put_feed("/feed/news", "a", title="Courier: News")

    assert look(paper.url + "/feed/news").name == "Courier: News"


def test_name_is_the_part_that_page_and_feed_share(paper):
    paper.put("/", "<html><title>Isibani: Iphephandaba lomphakathi</title></html>")
    paper.put_feed("/rss.xml", "a", title="Isibani")

    assert look(paper.url).name == "Isibani"


def test_article_leads_to_feeds_of_its_home_page(paper):
    paper.put("/", HOME)
    paper.put("/2026/fire", "<html><p>Text</p></html>")
    paper.put_feed("/feed/news", "a")

    found = look(paper.url + "/2026/fire")

    assert (found.home_url, [feed.how for feed in found.feeds]) == (paper.url + "/", ["link"])


def test_news_sitemap_of_robots_is_a_candidate(paper):
    paper.put("/", "<html><title>Karoo Courier</title></html>")
    paper.put("/robots.txt", f"Sitemap: {paper.url}/maps/news.xml", "text/plain")
    urls = f"<url><loc>{paper.url}/a</loc><n:news><n:title>A</n:title></n:news></url>"
    paper.put("/maps/news.xml", f"<urlset xmlns:n='x'>{urls}</urlset>", "text/xml")

    assert [(feed.how, feed.kind) for feed in look(paper.url).feeds] == [("robots.txt", "sitemap")]


STORIES = "".join(f'<h2><a href="/story-of-the-karoo-{n}">A story told</a></h2>' for n in "abcd")


def test_site_without_a_feed_is_followed_by_the_stories_of_its_front_page(paper):
    paper.put("/", f"<html><title>Karoo Courier</title>{STORIES}</html>")

    found = look(paper.url)

    (feed,) = found.feeds
    assert (feed.url, feed.kind, feed.how, feed.n_items, feed.is_good) == (
        paper.url + "/",
        "index",
        "index page",
        4,
        True,
    )
    assert (found.name, len(found.samples)) == ("Karoo Courier", 3)


def test_feed_whose_entries_lead_to_the_front_page_gives_way_to_its_stories(paper):
    stories = "".join(
        f'<a href="/2026/11/20/story-number-{n}-of-today">Story</a>' for n in range(9)
    )
    paper.put("/", link("/a.xml") + stories)
    items = f"<item><title>Rain</title><link>{paper.url}/</link></item>" * 3
    paper.put("/a.xml", f"<rss version='2.0'><channel>{items}</channel></rss>", RSS)

    found = look(paper.url)

    assert [(feed.kind, feed.is_good, feed.verdict) for feed in found.feeds] == [
        (FeedKind.RSS, False, "none of its entries leads to an article"),
        (FeedKind.INDEX, True, "its story links are followed"),
    ]


def test_forgotten_feed_stands_behind_the_front_page(paper):
    paper.put("/", HOME.replace("<body>", f"<body>{STORIES}"))
    paper.put_feed("/feed/news", "a", title="Courier: News", days=90)

    assert [(feed.kind, feed.is_good) for feed in look(paper.url).feeds] == [
        ("rss", False),
        ("index", True),
    ]


def put_sitemap(paper, *paths):
    paper.put("/", "<html><title>Karoo Courier</title><script>show()</script></html>")
    paper.put("/robots.txt", f"Sitemap: {paper.url}/sm.xml", "text/plain")
    dated = "<lastmod>2026-11-20</lastmod>"
    urls = "".join(f"<url><loc>{paper.url}{path}</loc>{dated}</url>" for path in paths)
    paper.put("/sm.xml", f"<urlset>{urls}</urlset>", "text/xml")


def test_sitemap_of_numbered_addresses_is_followed(paper):
    put_sitemap(paper, *(f"/n/{number}/read" for number in range(1, 9)))
    paper.put("/n/1/read", "<html><h1>One</h1></html>")

    found = look(paper.url)

    assert [(feed.url, feed.kind, feed.n_items) for feed in found.feeds] == [
        (f"{paper.url}/sm.xml", "sitemap", 8)
    ]
    assert found.samples[0].body == b"<html><h1>One</h1></html>"


def test_sitemap_without_a_likely_story_is_named_with_the_pattern_that_takes_it(paper):
    put_sitemap(paper, "/nuus/brand", "/nuus/reën", "/sport/wen")

    problem = look(paper.url).problem

    assert f"The sitemap {paper.url}/sm.xml lists addresses (3), but none looks" in problem
    assert problem.endswith("with the pattern /[^/?]+/[^/?]+$.")


def test_page_of_a_script_is_followed_by_the_newest_file_of_its_sitemaps(paper):
    paper.put("/", "<html><title>Karoo Courier</title><script>show()</script></html>")
    rows = "".join(f"<sitemap><loc>{paper.url}/{n}.xml</loc></sitemap>" for n in ("old", "new"))
    paper.put("/sitemap.xml", f"<sitemapindex>{rows}</sitemapindex>", "text/xml")
    urls = f"<url><loc>{paper.url}/story-of-the-karoo-a</loc></url>"
    paper.put("/new.xml", f"<urlset>{urls}</urlset>", "text/xml")

    (feed,) = look(paper.url).feeds

    assert (feed.url, feed.kind, feed.how) == (f"{paper.url}/new.xml", "sitemap", "sitemap")


def test_site_without_https_is_found_by_its_bare_name(paper):
    paper.put("/", HOME)
    paper.put_feed("/feed/news", "a")

    assert [feed.how for feed in look(paper.url.removeprefix("http://")).feeds] == ["link"]


def test_file_leads_to_the_home_page_of_its_host(paper):
    paper.put("/budget", "%PDF-1.4 x", "application/pdf")

    found = look(paper.url + "/budget")

    assert found.problem.endswith("Paste the address of the newspaper's home page.")
    assert found.suggestion == paper.url + "/"


def test_redirect_is_followed_to_the_real_home_page(paper):
    paper.put("/", "", status=301, Location="/en/")
    paper.put("/en/", HOME)
    paper.put_feed("/feed/news", "a")

    assert len(look(paper.url).feeds) == 1


def test_crawl_delay_is_reported(paper):
    paper.put("/", HOME)
    paper.put("/robots.txt", "User-agent: *\nCrawl-delay: 2\n", "text/plain")
    paper.put_feed("/feed/news", "a")

    assert look(paper.url).crawl_delay_seconds == 2


def test_known_home_page_names_its_publication(paper):
    paper.put("/", HOME)
    paper.put_feed("/feed/news", "a")
    new = NewPublication("Courier", paper.url, (NewFeed(paper.url + "/feed/news"),))
    publications.create_publication(new, NOW)

    assert look(paper.url).known_publication == "courier"


def test_refusal_of_honest_agent_is_tried_once_like_a_browser(paper):
    paper.put("/", HOME)
    paper.put_feed("/feed/news", "a")
    paper.refused_agent = "Broadsheet"

    found = look(paper.url)

    assert (found.needs_browser_agent, len(found.feeds)) == (True, 1)


def test_refusal_of_all_agents_says_what_was_tried(paper):
    paper.put("/", "no", status=403)

    problem = look(paper.url).problem

    assert problem.startswith("The site forbids the visit (403).")
    assert "Asking once more like a browser did not help" in problem


@pytest.mark.parametrize(
    ("path", "answer", "sentence"),
    [
        ("/x", {"status": 404}, "There is no such page (404)."),
        ("/x", {"status": 500}, "The server reports an error of its own."),
        ("/x", {"status": 302, "Location": "/x"}, "The address redirects in a loop or too often."),
        (
            "/x",
            {"body": "%PDF-1.4 x", "kind": "application/pdf"},
            "The address answers with a file",
        ),
        ("/x", {"body": "words", "kind": "text/plain"}, "The address answers with text/plain: not"),
        ("/x", {"body": ""}, "The address answers with an empty page."),
        ("/", {"body": "<html>x</html>"}, "No feed was found at 127.0.0.1"),
        ("/", {"body": "<input type=password>"}, "http://127.0.0.1"),
        ("/", {"body": "<input" * 150_000}, "No feed was found at 127.0.0.1"),
        ("/x", {"status": 401}, "The page asks for a name and a password (401)."),
    ],
)
def test_problem_names_the_step(paper, path, answer, sentence):
    paper.put(path, **answer)

    assert look(paper.url + path).problem.startswith(sentence)


def test_robots_forbid_says_which_line(paper):
    paper.put("/robots.txt", "User-agent: *\nDisallow: /private/\n", "text/plain")

    problem = look(paper.url + "/private/x").problem

    assert problem.startswith("robots.txt forbids the visit, so this stops here.")
    assert "Disallow: /private/" in problem
    assert "/private/x" not in paper.asked


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("not a url", "“not a url” is a name, not a web address."),
        ("", "The address is empty."),
        ("ftp://karoo.example/", "The address starts with “ftp:”; only http and https are read."),
        ("http://10.0.0.1/", "The address is private and is not visited."),
        ("http://localhost:1/", "The address is private and is not visited."),
        ("http://[::1]/", "The address is private and is not visited."),
    ],
)
def test_address_that_is_not_visited_says_so(address, sentence, settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = []

    found = look(address)

    assert found.problem.startswith(sentence)
    assert (found.feeds, found.samples) == ((), ())


def test_refused_connection_says_so(settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.0/8")]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    problem = look(f"http://127.0.0.1:{port}/").problem

    assert problem.startswith("The host refuses the connection.")


def test_host_that_never_answers_is_given_up_in_time(settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.0/8")]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        terms = replace(site_terms(), total_seconds=0.4)
        began = time.monotonic()

        found = investigate(f"http://127.0.0.1:{silent.getsockname()[1]}/", terms, NOW)

    assert found.problem.startswith("The host did not answer in time.")
    assert time.monotonic() - began < settings.CRAWL_TOTAL_TIMEOUT_SECONDS


def test_hidden_feed_behind_private_redirect_is_refused(paper, settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.1/32")]
    paper.put("/", "", status=302, Location="http://127.0.0.2:1/secret")

    assert look(paper.url).problem.startswith("The address is private and is not visited.")


def link(path):
    return f'<link rel="alternate" type="application/rss+xml" href="{path}">'


def test_requests_of_the_wizard_stand_apart_and_one_at_a_time(paper):
    paper.put("/", link("/a.xml") + link("/b.xml"))
    paper.put_feed("/a.xml", "rain", "wind")
    paper.put_feed("/b.xml", "sport")

    found = investigate(paper.url, replace(site_terms(), pause_seconds=0.2), NOW)

    pages = [
        at for path, at in zip(paper.asked, paper.moments, strict=True) if "robots" not in path
    ]
    assert len(found.samples) == 3
    assert min(later - at for at, later in itertools.pairwise(pages)) >= 0.19


def test_crawl_delay_holds_in_the_wizard_and_what_finds_no_time_is_offered_unread(paper):
    paper.put("/robots.txt", "User-agent: *\nCrawl-delay: 60\n", "text/plain")
    paper.put("/", link("/a.xml"))
    paper.put_feed("/a.xml", "rain")

    found = investigate(paper.url, replace(site_terms(), total_seconds=1.0), NOW)

    assert paper.asked == ["/robots.txt", "/"]
    assert [(feed.url, feed.is_good) for feed in found.feeds] == [(f"{paper.url}/a.xml", True)]
    assert found.feeds[0].verdict.startswith("not read yet: ")


def test_slow_feed_that_a_page_links_is_offered_and_not_replaced_by_the_front_page(paper):
    stories = "".join(
        f'<a href="/2026/11/20/story-number-{n}-of-today">Story</a>' for n in range(9)
    )
    paper.put("/", link("/a.xml") + stories)
    paper.put_feed("/a.xml", "rain")
    paper.slow["/a.xml"] = 3.0

    found = investigate(paper.url, replace(site_terms(), total_seconds=1.5), NOW)

    assert [(feed.url, feed.is_good) for feed in found.feeds] == [(f"{paper.url}/a.xml", True)]


def test_host_of_the_wizard_rests_afterwards_for_the_crawler(paper, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    name = paper.url.removeprefix("http://")
    Host.objects.create(name=name, next_at=NOW)
    paper.put_feed("/", "rain")

    investigate(paper.url, replace(site_terms(), pause_seconds=0.0), NOW)

    host = Host.objects.get()
    assert host.next_at - host.last_request_at == timedelta(seconds=5)
    assert host.next_reason == "It was asked while a publication was added."


@pytest.mark.parametrize(
    ("answer", "seconds", "reason"),
    [
        ({"status": 429, "Retry_After": "600"}, 600, "The server asked for 10 min (Retry-After)."),
        ({"status": 503, "Retry_After": "600"}, 600, "The server asked for 10 min (Retry-After)."),
        ({"status": 429}, 60, "Pause after rate limited, 1 in a row."),
    ],
)
def test_host_that_asks_the_wizard_for_time_gets_it(paper, answer, seconds, reason):
    paper.put_feed("/", "rain", "wind", "sport")
    paper.put("/wind", "wait", **answer)

    found = investigate(paper.url, replace(site_terms(), pause_seconds=0.0), NOW)

    host = host_of(paper)
    name = paper.url.removeprefix("http://")
    rest = host.next_at - host.last_request_at
    assert paper.asked[-2:] == ["/rain", "/wind"]
    assert seconds - 2 < rest.total_seconds() <= seconds
    assert host.next_reason == reason
    assert found.samples[2].error.startswith(f"{name} is not asked before ")
    assert found.samples[2].error.endswith(f" have gone: {reason}")


def test_short_time_that_a_host_asks_for_is_waited_by_the_wizard(paper):
    paper.put_feed("/", "rain", "wind", "sport")
    paper.put("/wind", "wait", status=503, Retry_After="1")

    found = investigate(paper.url, replace(site_terms(), pause_seconds=0.0), NOW)

    assert [sample.status for sample in found.samples] == [200, 503, 200]
    assert paper.moments[-1] - paper.moments[-2] >= 1.0


def test_host_that_asked_for_time_is_not_asked_by_the_wizard(paper):
    name = paper.url.removeprefix("http://")
    wish = "The server asked for 30 min (Retry-After)."
    Host.objects.create(name=name, next_at=NOW + timedelta(minutes=28), next_reason=wish)

    found = investigate(paper.url, site_terms(), NOW)

    assert paper.asked == []
    assert found.problem.startswith(f"{name} is not asked before 28 min have gone: {wish}")


def host_of(paper) -> Host:
    return Host.objects.get(name=paper.url.removeprefix("http://"))


def test_a_host_is_held_while_it_is_asked_and_given_back(paper):
    paper.put_feed("/", "rain")
    owners = []

    def watch(progress):
        if progress.asking:
            owners.append(host_of(paper).lease_owner)

    investigate(paper.url, site_terms(), NOW, watch)

    assert len(set(owners)) == 1
    assert owners[0].startswith("look-up:")
    assert (host_of(paper).lease_owner, host_of(paper).lease_until) == ("", None)


def test_a_host_that_the_crawler_holds_is_waited_for(paper):
    paper.put_feed("/", "rain")
    lease = {"lease_owner": "worker", "lease_until": NOW + timedelta(seconds=1)}
    Host.objects.create(name=paper.url.removeprefix("http://"), next_at=NOW, **lease)
    before = time.monotonic()

    found = investigate(paper.url, site_terms(), NOW)

    assert found.problem == ""
    assert paper.moments[0] - before >= 1.0


def test_a_host_that_the_crawler_keeps_is_never_asked_beside_it(paper):
    paper.put_feed("/", "rain")
    lease = {"lease_owner": "worker", "lease_until": NOW + timedelta(hours=1)}
    Host.objects.create(name=paper.url.removeprefix("http://"), next_at=NOW, **lease)

    found = investigate(paper.url, replace(site_terms(), total_seconds=1.0), NOW)

    assert paper.asked == []
    assert "the crawler visits 127.0.0.1" in found.problem
    assert host_of(paper).lease_owner == "worker"


class StoppedError(Exception):
    """What a watch raises to end a search."""


def test_a_search_that_is_stopped_gives_its_hosts_back_and_asks_no_more(paper):
    paper.put("/", link("/a.xml"))
    paper.put_feed("/a.xml", "rain")

    def stop(progress):
        if progress.tried:
            raise StoppedError

    with pytest.raises(StoppedError):
        investigate(paper.url, site_terms(), NOW, stop)

    assert "/rain" not in paper.asked
    assert (host_of(paper).lease_owner, host_of(paper).lease_until) == ("", None)


@pytest.mark.parametrize("crawl_delay", [0, 120])
def test_a_search_that_was_killed_loses_its_hosts_after_its_time(paper, crawl_delay):
    name = paper.url.removeprefix("http://")
    ensure_hosts([name], NOW)
    Host.objects.update(crawl_delay_seconds=crawl_delay)
    dead = HostKeeper(most_seconds=10.0)
    dead.take(name, NOW)

    beside = HostKeeper(most_seconds=10.0)
    early, late = (beside.take(name, NOW + timedelta(seconds=crawl_delay + s)) for s in (29, 31))

    assert (early, late) == (None, HostWait(0.0))


def test_progress_names_the_step_what_is_asked_and_what_came_of_it(paper):
    paper.put("/", link("/a.xml"))
    paper.put_feed("/a.xml", "rain")
    seen = []

    investigate(paper.url, site_terms(), NOW, seen.append)

    assert list(dict.fromkeys(progress.step for progress in seen)) == [
        "The address",
        "Its feeds",
        "Some articles",
    ]
    assert any(progress.asking == (f"{paper.url}/a.xml",) for progress in seen)
    assert (seen[-1].n_all, len(seen[-1].tried)) == (3, 3)


def test_sitemap_that_is_stale_as_news_and_good_as_a_list_stands_once(paper):
    old = "".join(
        f"<url><loc>{paper.url}/2026/11/20/story-number-{n}-of-today</loc><n:news>"
        "<n:publication_date>2024-01-01</n:publication_date><n:title>T</n:title></n:news></url>"
        for n in range(9)
    )
    spaces = (
        'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"'
    )
    paper.put("/robots.txt", f"Sitemap: {paper.url}/news.xml", "text/plain")
    paper.put("/news.xml", f"<urlset {spaces}>{old}</urlset>", "application/xml")
    paper.put("/", "<p>No links here.</p>")

    found = investigate(paper.url, site_terms(), NOW)

    assert [feed.url for feed in found.feeds] == [f"{paper.url}/news.xml"]


def test_feed_of_a_section_is_ticked_where_the_section_was_pasted(paper):
    paper.put("/sport/", link("/feed/") + link("/sport/feed/"))
    paper.put("/", link("/feed/"))
    paper.put_feed("/feed/", "rain", "rugby")
    paper.put_feed("/sport/feed/", "rugby", title="Sport")

    found = investigate(f"{paper.url}/sport/", site_terms(), NOW)

    assert [(feed.title, feed.is_good) for feed in found.feeds] == [
        ("Sport", True),
        ("News", False),
    ]
    assert "whole paper" in found.feeds[1].verdict


def test_a_microblog_is_followed_by_its_interface(paper):
    server = Mastodon({}, host="")
    server.write(11, "<p>Rain.</p>")
    timeline = json.dumps([server.statuses[11]])
    account = json.dumps(server.statuses[11]["account"])
    api = "/api/v1"
    paper.put(f"{api}/accounts/lookup?acct=nomsa", account, "application/json")
    posts = f"{api}/accounts/7/statuses?exclude_reblogs=true&limit=40"
    paper.put(posts, timeline, "application/json")
    paper.put(f"{api}/timelines/tag/karoo?limit=40", timeline, "application/json")

    found = investigate(f"{paper.url}/@nomsa", site_terms(), NOW)

    assert (found.name, found.home_url) == ("Nomsa Dube", f"{paper.url}/@nomsa")
    (feed,) = found.good_feeds
    assert (feed.url, feed.kind) == (f"{paper.url}{posts}", FeedKind.TIMELINE)
    assert found.samples == ()
    later = timezone.now() + timedelta(days=1)
    tagged = investigate(f"{paper.url}/tags/karoo", site_terms(), later)
    assert not tagged.problem
    assert tagged.name == f"#karoo on {paper.url.removeprefix('http://')}"


def test_what_is_only_written_like_a_microblogs_address_is_looked_at_as_any(paper):
    paper.put_feed("/feed", "story-a")
    paper.put("/tags/karoo", '<html><link rel="alternate" type="application/rss+xml" href="/feed">')
    found = investigate(f"{paper.url}/tags/karoo", site_terms(), NOW)
    assert [feed.url for feed in found.feeds] == [f"{paper.url}/feed"]


def test_a_timeline_that_needs_a_log_in_says_so(paper):
    refusal = '{"error": "This method requires an authenticated user"}'
    path = "/api/v1/timelines/public?limit=40"
    paper.put(path, refusal, "application/json", 422)
    found = investigate(f"{paper.url}{path}", site_terms(), NOW)
    assert "not shown to strangers" in found.problem
