"""What a site says of text mining: kept with each capture, its files read politely, the policy."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_article
from integration.feeds.newspapers import add_page, crawl, fetched, make_paper
from integration.feeds.origin import answer, page, redirect

from feeds import rights
from feeds.archive.fetches import read_exchange
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, Host, Page, PageKind, RightsFile, RightsPolicy, RightsSetting

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
STORY = "http://karoo.example/news/rain-falls-on-the-karoo-at-last"
PATH = "/news/rain-falls-on-the-karoo-at-last"
TDM_PATH, AI_PATH = "/.well-known/tdmrep.json", "/ai.txt"
RESERVED = b'[{"location": "/news/", "tdm-reservation": 1}]'
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    settings.MAX_ATTEMPTS = 3


@pytest.fixture
def paper():
    return make_paper(NOW)


def plain(body, status=200):
    return answer(body, status, (("Content-Type", "text/plain"),))


def known_host(paper, web, now=NOW):
    """A host that has given an article; its files are planned."""
    web.routes[PATH] = page()
    story = add_page(paper, STORY, now)
    crawl(now)
    story.refresh_from_db()
    article = make_article(page=story, url=STORY)
    rights.ask_sites([article.pk], now)
    return article


def said(url=STORY):
    return Fetch.objects.filter(url=url).latest("pk").rights_said


def test_headers_and_names_are_kept_with_the_capture(web, paper):
    web.routes["/robots.txt"] = plain(b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n")
    web.routes[PATH] = page(TDM_Reservation="1", X_Robots_Tag="noai")
    add_page(paper, STORY, NOW)

    crawl(NOW)

    assert said() == [
        ["tdm_header", "tdm-reservation: 1"],
        ["robots_header", "noai"],
        ["robots_names", "GPTBot, CCBot"],
    ]


def test_a_redirect_is_under_the_word_of_the_host_that_answers(web, paper):
    web.routes["www.karoo.example/robots.txt"] = plain(b"User-agent: CCBot\nDisallow: /\n")
    web.routes["www.karoo.example" + PATH] = page()
    web.routes["karoo.example" + PATH] = redirect(f"http://www.karoo.example{PATH}")
    add_page(paper, STORY, NOW)

    crawl(NOW)

    assert said() == [["robots_names", "CCBot"]]


def test_feeds_and_silent_pages_bear_nothing(web, paper):
    web.routes |= {PATH: page(), "/front": page(TDM_Reservation="1")}
    add_page(paper, STORY, NOW)
    add_page(paper, "http://karoo.example/front", NOW, PageKind.INDEX)

    crawl(NOW)

    assert list(Fetch.objects.exclude(rights_said=[])) == []


def test_files_are_asked_for_once_a_week_some_minutes_after_the_first_article(web, paper):
    web.routes |= {TDM_PATH: plain(RESERVED), AI_PATH: plain(b"User-Agent: *\nDisallow: /\n")}
    article = known_host(paper, web)
    rights.ask_sites([article.pk], NOW)
    crawl(NOW + timedelta(minutes=9))
    assert TDM_PATH not in web.paths

    for hours in (1, 2, 24, 100, 167):
        crawl(NOW + timedelta(hours=hours))
    assert (web.paths.count(TDM_PATH), web.paths.count(AI_PATH)) == (1, 1)
    crawl(NOW + timedelta(days=7, hours=2))

    assert (web.paths.count(TDM_PATH), web.paths.count(AI_PATH)) == (2, 2)
    files = {row.source: row for row in RightsFile.objects.all()}
    assert files["tdm_file"].rules == [["/news/", 1, ""]]
    assert files["ai_txt"].rules == [["/", False]]
    assert files["tdm_file"].page.due_at == files["tdm_file"].read_at + timedelta(days=7)
    assert read_exchange(files["tdm_file"].page.content_fetch).body == RESERVED


def test_a_later_capture_bears_what_the_files_say(web, paper):
    web.routes |= {TDM_PATH: plain(RESERVED), "/news/later": page(), "/sport/later": page()}
    known_host(paper, web)
    crawl(NOW + timedelta(hours=1))
    add_page(paper, "http://karoo.example/news/later", NOW)
    add_page(paper, "http://karoo.example/sport/later", NOW)

    crawl(NOW + timedelta(hours=2))

    assert said("http://karoo.example/news/later") == [
        ["tdm_file", "tdm-reservation: 1 for /news/"]
    ]
    assert said("http://karoo.example/sport/later") == []


@pytest.mark.parametrize("status", [403, 500, 503])
def test_a_file_that_cannot_be_had_is_tried_again_after_three_days(web, paper, status):
    web.routes[TDM_PATH] = plain(RESERVED)
    known_host(paper, web)
    crawl(NOW + timedelta(hours=1))
    web.routes |= {TDM_PATH: plain(b"", status), AI_PATH: plain(b"", status)}

    for day in range(7, 14):
        for hour in range(0, 24, 6):
            crawl(NOW + timedelta(days=day, hours=hour + 2))

    asked = web.paths.count(TDM_PATH) - 1 + web.paths.count(AI_PATH) - 1
    assert asked <= 6  # a week
    row = RightsFile.objects.get(source="tdm_file")
    assert (row.rules, bool(row.problem)) == ([["/news/", 1, ""]], True)
    assert row.page.quarantined_at is None


def test_a_file_that_is_gone_says_nothing_any_more(web, paper):
    web.routes[TDM_PATH] = plain(RESERVED)
    known_host(paper, web)
    crawl(NOW + timedelta(hours=1))
    rights.mark_applied(RightsFile.objects.values_list("pk", flat=True))
    web.routes[TDM_PATH] = plain(b"", 404)

    crawl(NOW + timedelta(days=8))

    row = RightsFile.objects.get(source="tdm_file")
    assert (row.rules, row.is_applied) == ([], False)


@pytest.mark.parametrize(
    "body", [b"<!doctype html><p>Not found</p>", b"[" * 50_000, b'{"a": 1', b"\xff\x00"]
)
def test_what_is_no_file_says_nothing_and_changes_nothing(web, paper, body):
    web.routes |= {TDM_PATH: plain(body), AI_PATH: plain(body)}
    known_host(paper, web)

    crawl(NOW + timedelta(hours=1))

    rows = {row.source: row for row in RightsFile.objects.all()}
    assert (rows["tdm_file"].rules, rows["ai_txt"].rules) == ([], [])
    assert all(row.is_applied for row in rows.values())
    assert rows["tdm_file"].problem


def test_a_file_too_large_is_not_read(web, paper):
    web.routes[TDM_PATH] = plain(b" " * (rights.MAX_FILE_BYTES + 1) + RESERVED)
    known_host(paper, web)

    crawl(NOW + timedelta(hours=1))

    row = RightsFile.objects.get(source="tdm_file")
    assert (row.rules, bool(row.problem)) == ([], True)
    assert Fetch.objects.get(page=row.page).outcome == Outcome.TOO_LARGE


def test_robots_txt_closes_the_files_too(web, paper):
    web.routes["/robots.txt"] = plain(b"User-agent: *\nDisallow: /.well-known/\n")
    known_host(paper, web)

    crawl(NOW + timedelta(hours=1))

    assert TDM_PATH not in web.paths
    assert AI_PATH in web.paths


def test_hosts_without_articles_are_never_asked(web, paper):
    web.routes["/front"] = page()
    add_page(paper, "http://karoo.example/front", NOW, PageKind.INDEX)
    crawl(NOW)

    rights.ask_sites([], NOW)

    assert not Page.objects.filter(kind=PageKind.RIGHTS).exists()


def test_other_names_in_robots_txt_make_the_host_due(web, paper):
    web.routes["/robots.txt"] = plain(b"User-agent: *\nDisallow: /x\n")
    known_host(paper, web)
    row = RightsFile.objects.filter(source="robots_names", is_applied=False)
    again = ["http://karoo.example/a", "http://karoo.example/b"]
    web.routes |= {"/a": page(), "/b": page()}
    add_page(paper, again[0], NOW)

    crawl(NOW + timedelta(hours=25))
    assert not row.exists()
    web.routes["/robots.txt"] = plain(b"User-agent: GPTBot\nDisallow: /\n")
    add_page(paper, again[1], NOW)
    crawl(NOW + timedelta(hours=50))

    assert row.exists()
    assert rights.publications_of_changed_files(10)[1] == {paper.pk}


# No copy is kept


@pytest.mark.parametrize("way", ["header", "meta", "file", "own policy"])
def test_no_copy_is_kept_of_a_reserved_page(web, paper, way):
    if way == "own policy":
        paper.rights_policy = RightsPolicy.NO_ARCHIVE
        paper.save()
    else:
        rights.set_general_policy(RightsPolicy.NO_ARCHIVE, None, NOW)
    headers = {"TDM_Reservation": "1"} if way in ("header", "own policy") else {}
    head = "<meta name='tdm-reservation' content='1'>" if way == "meta" else ""
    web.routes[PATH] = page(f"{head}<p>Secret maas.</p>", ETag='"1"', **headers)
    story = add_page(paper, STORY, NOW)
    if way == "file":
        host = Host.objects.get(name="karoo.example")
        RightsFile.objects.create(host=host, source="tdm_file", rules=[["/", 1, ""]])

    report = crawl(NOW)

    story.refresh_from_db()
    fetch = Fetch.objects.get(page=story)
    assert fetched(report) == {"rights_reserved": 1}
    assert (fetch.archive_file, fetch.digest, fetch.body_bytes) == ("", "", 0)
    assert fetch.rights_said
    assert "no copy is kept" in story.last_error
    assert (story.content_digest, story.etag) == ("", "")
    assert story.quarantined_at is not None
    assert report.next_ids["pages"] == ()


def test_other_pages_are_kept_under_that_policy_and_reserved_ones_under_others(web, paper):
    web.routes |= {PATH: page(TDM_Reservation="1"), "/free": page()}
    rights.set_general_policy(RightsPolicy.NO_ARCHIVE, None, NOW)
    add_page(paper, "http://karoo.example/free", NOW)
    assert fetched(crawl(NOW)) == {"ok": 1}

    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    add_page(paper, STORY, NOW)
    assert fetched(crawl(NOW + timedelta(minutes=1))) == {"ok": 1}
    assert RightsSetting.objects.count() == 1


def test_pages_that_were_not_kept_are_fetched_again_when_they_may_be(web, paper):
    rights.set_general_policy(RightsPolicy.NO_ARCHIVE, None, NOW)
    web.routes[PATH] = page(TDM_Reservation="1")
    story = add_page(paper, STORY, NOW)
    crawl(NOW)
    rights.set_general_policy(RightsPolicy.RECORD, None, NOW)

    assert rights.visit_refused_again(paper.pk, NOW) == 1

    assert fetched(crawl(NOW + timedelta(minutes=1))) == {"ok": 1}
    story.refresh_from_db()
    assert (story.outcome, story.quarantined_at) == ("ok", None)
