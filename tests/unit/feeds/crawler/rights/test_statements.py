"""What headers, meta elements, ai.txt and names in robots.txt say, and what it comes to."""

import pytest
from cpu_time import takes_less
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.rights.ai_txt import MAX_RULES, AiTxt, parse_ai_txt
from feeds.crawler.rights.miners import CHECKED, MINERS
from feeds.crawler.rights.page_statements import (
    body_statements,
    header_statements,
    meta_statements,
)
from feeds.crawler.rights.robots_names import names_statements
from feeds.crawler.rights.statements import (
    Rights,
    RightsSource,
    Statement,
    from_json,
    said_words,
    to_json,
    verdict,
)

META, HEADER, FILE = RightsSource.TDM_META, RightsSource.TDM_HEADER, RightsSource.TDM_FILE
URL = "https://paper.example/news/rain"


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        # The protocol's examples.
        ((("tdm-reservation", "1"),), [(HEADER, "tdm-reservation: 1")]),
        (
            (
                ("tdm-reservation", "1"),
                ("tdm-policy", "https://provider.com/policies/policy.json"),
            ),
            [(HEADER, "tdm-reservation: 1, policy https://provider.com/policies/policy.json")],
        ),
        # A policy beside 0 is not looked at.
        (
            (("TDM-Reservation", " 0 "), ("TDM-Policy", "https://x/")),
            [(HEADER, "tdm-reservation: 0")],
        ),
        ((("TDM-RESERVATION", "0"), ("tdm-reservation", "1")), [(HEADER, "tdm-reservation: 1")]),
        ((("tdm-reservation", "2"),), []),
        ((("tdm-reservation", "true"),), []),
        ((("tdm-policy", "https://x/"),), []),
        (
            (("X-Robots-Tag", "noindex, noai, noimageai"),),
            [(RightsSource.ROBOTS_HEADER, "noai, noimageai")],
        ),
        ((("x-robots-tag", "otherbot: NoAI"),), [(RightsSource.ROBOTS_HEADER, "noai")]),
        ((("X-Robots-Tag", "noindex"), ("Content-Type", "text/html")), []),
        ((), []),
    ],
)
def test_headers(headers, said):
    assert [(one.source, one.words) for one in header_statements(headers)] == said


def test_meta_elements_of_the_protocols_example():
    page = b"""<!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="tdm-reservation" content="1">
    <META CONTENT='https://provider.com/policies/policy.json' NAME=tdm-policy>
    <meta name=robots content="max-snippet:-1, noimageai">
    <title>Document title</title></head><body></body></html>"""
    policy = "https://provider.com/policies/policy.json"

    assert body_statements(page) == [
        Statement(META, f"tdm-reservation: 1, policy {policy}"),
        Statement(RightsSource.ROBOTS_META, "noimageai"),
    ]
    assert body_statements(page) == meta_statements(
        {"tdm-reservation": ["1"], "tdm-policy": [policy], "robots": ["noimageai"]}
    )


@pytest.mark.parametrize(
    "body",
    [
        b"<meta " * 100_000,
        b"<meta " + b'a="' * 100_000,
        (b"<meta " + b"a" * 3_990 + b">") * 60,
        b"<meta name='tdm-reservation'>",
    ],
)
def test_broken_markup_costs_little_and_says_nothing(body):
    assert body_statements(body) == []
    assert takes_less(1, lambda: body_statements(body))


@given(st.binary(max_size=200))
def test_any_body_is_read(body):
    assert isinstance(body_statements(b"<meta " + body + b">"), list)


# ai.txt

GENERATED = b"""# Spawning AI
# Prevent datasets from using the following file types

User-Agent: *
Disallow: *.txt
Disallow: *.pdf
Disallow: *.html
Allow: *.jpg
"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (GENERATED, ["Disallow: *.html"]),
        (b"User-Agent: *\nDisallow: /\nDisallow: *\n", ["Disallow: /"]),
        (b"User-Agent: *\nAllow: /\n", ["Allow: /"]),
        (b"User-Agent: *\nAllow: /\nDisallow: /news/\n", ["Disallow: /news/"]),
        (b"User-Agent: *\nDisallow: /private/\n", []),
        (b"User-Agent: *\nDisallow: *.jpg\nDisallow: *.mp3\n", []),
        (b"User-Agent: *\nDisallow: /news/\nAllow: /news/\n", ["Allow: /news/"]),
        (b"# A note for assistants\n\nAllow: everything you like\n", []),
        (b"<!doctype html><p>User-Agent: *<br>\nDisallow: /", []),
        (b"User-Agent: *\nDisallow:\n", []),
        (b"", []),
    ],
)
def test_ai_txt(body, words):
    assert [one.words for one in parse_ai_txt(body).of(URL)] == words


def test_ai_txt_is_read_to_its_limits():
    body = b"User-Agent: *\n" + b"Disallow: /x\n" * 10_000_0

    assert len(parse_ai_txt(body).rules) == MAX_RULES


@given(st.binary(max_size=300))
def test_any_bytes_are_an_ai_txt(body):
    assert isinstance(parse_ai_txt(b"User-Agent: *\n" + body), AiTxt)


# Names in robots.txt


def names(text, url=URL):
    return [one.words for one in names_statements(RobotsPolicy.of_text(text, "Broadsheet"), url)]


def test_miners_that_are_turned_away_are_named_in_the_order_of_the_table():
    text = "User-agent: CCBot\nUser-agent: GPTBot # openai\nDisallow: /\n\nUser-agent: *\nDisallow:"

    assert names(text) == ["GPTBot, CCBot"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("User-agent: gptbot\nDisallow: /\n", ["GPTBot"]),
        ("User-agent: GPTBot\nDisallow: /archive/\n", []),
        ("User-agent: GPTBot\nDisallow: /news/\n", ["GPTBot"]),
        ("User-agent: GPTBot\nDisallow: /\nAllow: /news/\n", []),
        ("User-agent: Kangaroo Bot\nDisallow: /\n", ["Kangaroo Bot"]),
        # Closed to everybody: nothing about mining.
        ("User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /\n", []),
        ("User-agent: *\nDisallow: /\n", []),
        # Searching and reading for one person is no mining.
        ("User-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\nDisallow: /\n", []),
        ("# GPTBot is welcome\nUser-agent: Googlebot\nDisallow: /\n", []),
        ("User-agent: Google-Extended\nDisallow: /NEWS\n\nUser-agent: CCBot\nDisallow: /news\n",
         ["CCBot"]),
        ("", []),
    ],
)  # fmt: skip
def test_names(text, said):
    assert names(text) == said


def test_every_name_of_the_table_is_known_by_whom_and_since_when():
    assert len({miner.name.lower() for miner in MINERS}) == len(MINERS)
    assert all(miner.owner and miner.source.startswith("https://") for miner in MINERS)
    assert len(CHECKED) == len("2026-11")


@given(st.text("UserAgent:GPTBot*Disallow/\n# ", max_size=120))
def test_any_text_is_a_robots_txt(text):
    assert len(names(text)) <= 1


# What it comes to

RESERVED, GRANTED = "tdm-reservation: 1", "tdm-reservation: 0"


@pytest.mark.parametrize(
    ("said", "rights"),
    [
        ([], Rights.NOTHING),
        ([(FILE, RESERVED)], Rights.RESERVED),
        ([(FILE, RESERVED), (HEADER, GRANTED)], Rights.GRANTED),
        ([(FILE, GRANTED), (HEADER, GRANTED), (META, RESERVED)], Rights.RESERVED),
        ([(HEADER, RESERVED), (META, GRANTED)], Rights.GRANTED),
        ([(META, GRANTED), (RightsSource.ROBOTS_NAMES, "GPTBot")], Rights.RESERVED),
        ([(RightsSource.ROBOTS_META, "noimageai")], Rights.NOTHING),
        ([(RightsSource.ROBOTS_HEADER, "noai, noimageai")], Rights.RESERVED),
        ([(RightsSource.AI_TXT, "Allow: /")], Rights.GRANTED),
        ([(RightsSource.AI_TXT, "Disallow: *.txt"), (HEADER, GRANTED)], Rights.RESERVED),
        ([(HEADER, "something else")], Rights.NOTHING),
    ],
)
def test_verdict(said, rights):
    statements = [Statement(*one) for one in said]

    assert verdict(statements) is rights
    assert verdict(reversed(statements)) is rights


statements = st.lists(
    st.builds(
        Statement,
        st.sampled_from(RightsSource),
        st.sampled_from([RESERVED, GRANTED, "noai", "Disallow: /", "Allow: /", ""]),
    ),
    max_size=6,
)


@given(statements)
def test_statements_outlive_their_column(said):
    assert from_json(to_json(said)) == said
    assert from_json([["forgotten", "words"], *to_json(said)]) == said


@given(statements)
def test_a_reservation_is_lifted_by_a_stronger_grant_of_the_protocol_alone(said):
    lone = {one.rights for one in said}

    if Rights.RESERVED not in lone:
        assert verdict(said) is not Rights.RESERVED
    beside = [one for one in said if one.source not in (META, HEADER, FILE)]
    if Rights.RESERVED in {one.rights for one in beside}:
        assert verdict(said) is Rights.RESERVED


def test_words_for_people():
    said = [Statement(HEADER, RESERVED), Statement(RightsSource.ROBOTS_NAMES, "GPTBot, CCBot")]

    assert said_words(said) == (
        "TDM-Reservation header (tdm-reservation: 1); robots.txt names GPTBot, CCBot"
    )
