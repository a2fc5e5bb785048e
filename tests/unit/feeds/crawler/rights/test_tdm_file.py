"""tdmrep.json by the examples of the protocol, by laws, and by what nobody should send."""

import json

import pytest
from cpu_time import takes_less
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.rights.path_patterns import matches, normal, path_of
from feeds.crawler.rights.statements import RightsSource, Statement
from feeds.crawler.rights.tdm_file import MAX_BYTES, MAX_RULES, TdmFile, TdmRule, parse_tdm_file

SITE = "https://provider.com"
# The protocol's own: "opt-out" for every file, and three groups of files.
WHOLE = b'[{"location": "/", "tdm-reservation": 1}]'
GROUPS = b"""[
  {"location": "/directory-a/", "tdm-reservation": 1},
  {"location": "/directory-b/html/", "tdm-reservation": 1,
   "tdm-policy": "https://provider.com/policies/policy.json"},
  {"location": "/directory-b/images/*.jpg", "tdm-reservation": 0}
]"""


def said(body, path):
    return [one.words for one in parse_tdm_file(body).of(SITE + path)]


@pytest.mark.parametrize(
    ("body", "path", "words"),
    [
        (WHOLE, "/", ["tdm-reservation: 1 for /"]),
        (WHOLE, "/any/page.html?x=1", ["tdm-reservation: 1 for /"]),
        (GROUPS, "/directory-a/paper.pdf", ["tdm-reservation: 1 for /directory-a/"]),
        (
            GROUPS,
            "/directory-b/html/page.html",
            [f"tdm-reservation: 1 for /directory-b/html/, policy {SITE}/policies/policy.json"],
        ),
        (
            GROUPS,
            "/directory-b/images/a/b.jpg",
            ["tdm-reservation: 0 for /directory-b/images/*.jpg"],
        ),
        (GROUPS, "/directory-b/images/b.png", []),
        (GROUPS, "/Directory-A/paper.pdf", []),  # matching is case sensitive
    ],
)
def test_examples_of_the_protocol(body, path, words):
    assert said(body, path) == words


@pytest.mark.parametrize(
    ("pattern", "url", "is_match"),
    [
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/not", False),
        ("/this/*/then", "/this/and/that/then/more", True),
        ("/this/*/then", "/this/then", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-", False),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),  # RFC 9309, 2.2.2
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ", True),
        ("/fish", "/fish.html?id=1", True),
        ("/fish", "/Fish.asp", False),
        ("/fish*", "/fishheads", True),
        ("/*.php$", "/folder/filename.php", True),
        ("/*.php$", "/filename.php?parameters", False),
        ("/fish*.php", "/fishheads/catfish.php?parameters", True),
        ("/", "/", True),
        ("*", "/x", True),
        ("/**$", "/x", True),
        ("/a*a$", "/a", False),  # the star's pieces may not overlap
    ],
)
def test_patterns_match_as_those_of_robots_txt(pattern, url, is_match):
    assert matches(pattern, path_of(SITE + url)) is is_match


def test_the_first_match_in_sequence_decides():
    rules = [
        {"location": "/news/free/", "tdm-reservation": 0},
        {"location": "/news/", "tdm-reservation": 1},
        {"location": "/news/late/", "tdm-reservation": 0},
    ]
    body = json.dumps(rules).encode()

    assert said(body, "/news/free/1") == ["tdm-reservation: 0 for /news/free/"]
    assert said(body, "/news/late/1") == ["tdm-reservation: 1 for /news/"]


@pytest.mark.parametrize("value", [2, -1, "yes", None, True, 1.0, [1], {"a": 1}, "１"])
def test_other_values_count_as_not_said(value):
    body = json.dumps([{"location": "/", "tdm-reservation": value}]).encode()

    assert said(body, "/x") == []


def test_numbers_as_text_and_a_single_rule_are_read():
    assert said(b'\xef\xbb\xbf{"location": "/", "tdm-reservation": "1"}', "/x") == [
        "tdm-reservation: 1 for /"
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!doctype html><title>Not found</title>",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'[{"location": "/", "tdm-reservation": 1}',
        b"\xff\xfe\x00",
        b"null",
        b"17",
        b'"/"',
        b"[1, null, [], {}]",
        b'[{"location": 3, "tdm-reservation": 1}]',
        b'[{"location": "no/slash", "tdm-reservation": 1}]',
        b'[{"location": "/\\u0000", "tdm-reservation": 1}]',
        b'[{"location": "/' + b"a" * 5_000 + b'", "tdm-reservation": 1}]',
        b"9" * 10_000,
        WHOLE + b" " * MAX_BYTES,
    ],
)
def test_what_is_no_file_says_nothing_and_why(body):
    found = parse_tdm_file(body)

    assert (found.rules, bool(found.problem)) == ((), True)
    assert found.of(SITE + "/x") == []


def test_a_million_rules_and_stars_cost_little():
    stars = "/" + "*a" * 240 + "$"
    rules = [{"location": stars, "tdm-reservation": 1}] * 450
    found = parse_tdm_file(json.dumps(rules).encode())

    assert found.of(f"{SITE}/{'a' * 2_000}b") == []

    assert takes_less(1, lambda: found.of(f"{SITE}/{'a' * 2_000}b"))
    assert len(parse_tdm_file(json.dumps([{"location": "/"}] * 9_000).encode()).rules) == MAX_RULES


@pytest.mark.parametrize("url", ["http://[", "", "nowhere", "https://provider.com"])
def test_addresses_that_are_none_match_the_root(url):
    assert path_of(url) in ("/", "nowhere")
    assert TdmFile((TdmRule("/$", 1),)).of("https://provider.com") == [
        Statement(RightsSource.TDM_FILE, "tdm-reservation: 1 for /$")
    ]


@given(st.binary(max_size=300))
def test_any_bytes_are_read(body):
    assert isinstance(parse_tdm_file(body), TdmFile)


paths = st.text("ab/é%$*?", max_size=12).map("/".__add__)


@given(paths)
def test_an_address_matches_itself_its_beginnings_and_itself_with_an_end(path):
    own = path_of(SITE + path)

    assert all(matches(own[:cut], own) for cut in range(1, len(own)) if own[cut - 1] != "%")
    assert matches(f"{own}$", own)
    assert normal(own) == own


@given(paths, st.lists(st.integers(0, 12), max_size=4))
def test_stars_anywhere_match_what_stands_there(path, places):
    own = path_of(SITE + path)
    pattern = own
    for place in sorted(places, reverse=True):
        cut = min(place, len(pattern))
        if "%" not in pattern[max(0, cut - 2) : cut]:
            pattern = f"{pattern[:cut]}*{pattern[cut:]}"

    assert matches(pattern, own)
