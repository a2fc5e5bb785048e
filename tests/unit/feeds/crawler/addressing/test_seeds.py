import pytest

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.seeds import BadSeedError, Seed, parse_seeds

HOME = "https://karoo.example/"


def test_lines_are_address_limit_and_restriction():
    text = f"karoo.example\n\n# old\n{HOME}sport/, 500\n{HOME} 9\t{HOME}news/\n{HOME} *.co.za\n"

    assert parse_seeds(text) == (
        Seed(HOME),
        Seed(f"{HOME}sport/", 500),
        Seed(HOME, 9, f"{HOME}news/"),
        Seed(HOME, 100, "*.co.za"),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Give at least one address."),
        ("karoo", "Line 1: “karoo” lacks its end, such as .co.za."),
        (f"{HOME} 0", "Line 1: the limit is a number of pages from 1 to 10000000."),
        (f"{HOME} {'9' * 5000}", "Line 1: the limit is a number of pages"),
        (f"{HOME}\n{HOME} 5 *co", "Line 2: “*co” is no end of a host’s name"),
        (f"{HOME} -5", "Line 1: “-5” is no number of pages"),
        (f"{HOME} 5,000", "Line 1: “5,000” is no number of pages: write it in digits"),
        (f"{HOME} 5 000 {HOME}news/", "Line 1: “5,000,https:"),
        (f"{HOME} 1.000", "Line 1: “1.000” is no number of pages"),
        (f"{HOME} 500pages", "Line 1: “500pages” is no number of pages"),
        (f"{HOME} all", "Line 1: “all” lacks its end, such as .co.za."),
        (f"{HOME} 5 news", "Line 1: “news” lacks its end, such as .co.za."),
        (f"{HOME} 5 {HOME} more", "Line 1: “more” is one word too many"),
        ("\n".join([HOME] * 1001), "These are 1\u202f001 addresses; at most 1\u202f000 are taken."),
    ],
)
def test_wrong_lines_are_named(text, sentence):
    with pytest.raises(BadSeedError) as caught:
        parse_seeds(text)

    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("host", ["24.co.za", "3fm.co.za", "7de-laan.example"])
def test_host_that_begins_with_a_digit_is_a_restriction(host):
    assert parse_seeds(f"{HOME} 5 {host}") == (Seed(HOME, 5, f"https://{host}/"),)


@pytest.mark.parametrize(
    ("restriction", "url", "is_admitted"),
    [
        ("", "https://www.karoo.example/a", True),
        ("", "https://else.example/a", False),
        (f"{HOME}news/", "http://www.karoo.example/news/a", True),
        (f"{HOME}news/", f"{HOME}newspaper", False),
        ("*.example", "https://else.example/a", True),
        ("*.co.za", "https://notco.za/a", False),
        ("*.co.za", "https://a.co.za:8080/a", True),
    ],
)
def test_restriction_admits_beginnings_and_domains(restriction, url, is_admitted):
    assert Seed(HOME, 5, restriction).admits(canonicalize(url)) is is_admitted
