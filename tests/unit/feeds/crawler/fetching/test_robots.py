"""What robots.txt permits (RFC 9309), on the suites of others and on our own cases."""

import gzip
import json
import tarfile

import pytest
from cpu_time import takes_less
from shared_data import shared

from feeds.crawler.fetching.robots import RobotsDecision, RobotsPolicy, decode_robots, product_token

AGENT = "Broadsheet"
URL = "https://paper.example/news/story"


def policy(text: str) -> RobotsPolicy:
    return RobotsPolicy.parse(text.encode(), 200, AGENT)


def test_allows_names_the_line_that_forbids():
    decision = policy("User-agent: *\nDisallow: /news\nDisallow: /sport").allows(URL)

    assert decision == RobotsDecision(allowed=False, reason="robots.txt: “Disallow: /news”")


def test_allows_follows_the_longest_rule():
    rules = policy("User-agent: *\nDisallow: /news\nAllow: /news/story")

    assert rules.allows(URL) == RobotsDecision(allowed=True)
    assert not rules.allows("https://paper.example/news/other").allowed


def test_allows_reads_our_own_group_instead_of_everybodys():
    rules = policy("User-agent: *\nDisallow: /\n\nUser-agent: broadsheet\nDisallow: /private")

    assert rules.allows(URL).allowed
    assert rules.allows("https://paper.example/private/x").reason == (
        "robots.txt: “Disallow: /private”"
    )


def test_allows_of_an_empty_file_is_everything():
    assert policy("").allows(URL) == RobotsDecision(allowed=True)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_parse_of_a_4xx_allows_everything(status):
    assert RobotsPolicy.parse(b"User-agent: *\nDisallow: /", status, AGENT).allows(URL).allowed


@pytest.mark.parametrize("status", [429, 500, 503, None])
def test_parse_without_an_answer_forbids_for_now(status):
    rules = RobotsPolicy.parse(b"", status, AGENT)
    decision = rules.allows(URL)

    assert not rules.is_reachable
    assert (decision.allowed, decision.is_final) == (False, False)


def test_parse_reads_at_most_512_kilobytes():
    body = b"User-agent: *\n" + b"#" * 600_000 + b"\nDisallow: /"

    assert RobotsPolicy.parse(body, 200, AGENT).allows(URL).allowed


def test_parse_of_a_page_in_its_place_allows_everything():
    page = "<!DOCTYPE html><html><body>User-agent: *\nDisallow: /</body></html>"

    assert policy(page).allows(URL).allowed


def test_crawl_delay_and_sitemaps_are_read():
    rules = policy(
        "User-agent: *\nCrawl-delay: 7\nSitemap: https://paper.example/map.xml\nDisallow:"
    )

    assert rules.crawl_delay == 7
    assert rules.sitemaps == ("https://paper.example/map.xml",)


def test_crawl_delay_takes_a_request_rate_that_asks_for_more():
    assert policy("User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/10s").crawl_delay == 10


def test_crawl_delay_is_none_where_none_is_asked_for():
    assert policy("User-agent: *\nDisallow: /x").crawl_delay is None
    assert policy("User-agent: *\nCrawl-delay: soon").crawl_delay is None


def test_of_text_makes_the_same_policy_again():
    rules = policy("User-agent: *\nDisallow: /news")

    assert RobotsPolicy.of_text(rules.text, AGENT).allows(URL) == rules.allows(URL)


@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\nDisallow: /",
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /",
        "\ufeffUser-agent: *\nDisallow: /".encode("utf-16-le"),
        "\ufeffUser-agent: *\nDisallow: /".encode("utf-16-be"),
    ],
)
def test_decode_robots_understands_byte_order_marks(body):
    assert decode_robots(body) == "User-agent: *\nDisallow: /"


def test_product_token_is_the_first_word():
    assert product_token("Broadsheet/0.1 (newspaper corpus; mail@example.org)") == "Broadsheet"
    assert product_token("Broadsheet") == "Broadsheet"


@pytest.mark.data
@pytest.mark.parametrize(
    ("suite", "known_differences"),
    [
        # 19: an unknown line ends a group; 63, 65, 66: addresses come to us percent-encoded.
        ("robots-google", [19, 63, 65, 66]),
        ("robots-protego", []),
    ],
)
def test_allows_agrees_with_the_suites_of_others(suite, known_differences):
    rows = json.loads(gzip.decompress(shared(f"data/feeds/{suite}.json.gz").read_bytes()))

    wrong = [
        row["n"]
        for row in rows
        if RobotsPolicy.parse(row["robots"].encode(), 200, row["user_agent"])
        .allows(row["url"])
        .allowed
        != row["allowed"]
    ]

    assert wrong == known_differences


def read_and_ask(body: bytes) -> RobotsPolicy:
    rules = RobotsPolicy.parse(body, 200, AGENT)
    assert isinstance(rules.allows(URL).reason, str)
    return rules


@pytest.mark.data
@pytest.mark.parametrize("suite", ["robots-wild", "robots-fuzz", "crawlercommons-robots"])
def test_parse_reads_every_real_file_in_no_time(suite):
    with tarfile.open(shared(f"data/feeds/{suite}.tar.gz")) as archive:
        for member in archive:
            body = archive.extractfile(member).read()
            rules = read_and_ask(body)
            assert (rules.crawl_delay or 0) >= 0
            assert all(isinstance(url, str) for url in rules.sitemaps)
            # The slowest takes 0.06 s alone on a quiet machine.
            assert takes_less(0.5, lambda body=body: read_and_ask(body))


def test_a_refusal_by_a_file_of_many_names_and_rules_is_explained_soon():
    """The names of a group stood beside each of its rules: 1.1 GB for one file."""
    names = f"User-agent: {AGENT}\n" * 10_000
    rules = "".join(f"Disallow: /{number}\n" for number in range(14_000))
    policy = RobotsPolicy.parse(f"{names}{rules}Disallow: /\n".encode(), 200, AGENT)
    asked = []

    def ask() -> None:
        asked.append(policy.allows(URL))

    assert takes_less(0.6, ask)
    assert asked[0].reason == "robots.txt: “Disallow: /”"


@pytest.mark.parametrize("others", ["Disallow: /*%d*a*a*a*$\n", "Disallow: /a%d\n"])
def test_a_refusal_by_one_of_twenty_thousand_rules_is_explained_soon(others):
    rules = "".join(others.replace("%d", str(number)) for number in range(20_000, 40_000))
    text = f"User-agent: *\n{rules}Disallow: /*rain\n"
    policy = RobotsPolicy.parse(text.encode(), 200, AGENT)
    reasons = []

    def ask():
        urls = [f"https://paper.example/news/{number}-rain" for number in range(5)]
        reasons.extend(policy.allows(url).reason for url in urls)

    assert takes_less(0.5, ask)
    assert set(reasons) == {"robots.txt: “Disallow: /*rain”"}
