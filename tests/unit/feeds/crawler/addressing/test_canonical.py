import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.crawler.addressing.canonical import BadUrl, canonicalize, is_same_site


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("HTTPS://Www.Example.co.za/", "www.example.co.za/"),
        ("http://example.co.za:80/a", "example.co.za/a"),
        ("https://example.co.za:443/a", "example.co.za/a"),
        ("http://example.co.za:8080/a", "example.co.za:8080/a"),
        ("http://example.co.za./a", "example.co.za/a"),
        ("http://example.co.za/a#top", "example.co.za/a"),
        ("http://example.co.za/a/", "example.co.za/a"),
        ("http://example.co.za//a///b", "example.co.za/a/b"),
        ("http://example.co.za/x/../a/./b", "example.co.za/a/b"),
        ("http://example.co.za/%7Euser/%c3%a9", "example.co.za/~user/%C3%A9"),
        ("http://example.co.za/é", "example.co.za/%C3%A9"),
        ("http://example.co.za/100%", "example.co.za/100%25"),
        ("http://bücher.example/", "xn--bcher-kva.example/"),
        ("http://example.co.za/a?utm_source=rss&utm_medium=feed", "example.co.za/a"),
        ("http://example.co.za/a?fbclid=x&id=3", "example.co.za/a?id=3"),
        ("http://example.co.za/a?b=2&a=1", "example.co.za/a?a=1&b=2"),
        ("http://example.co.za/a?a=2&a=1", "example.co.za/a?a=2&a=1"),
        ("http://example.co.za/a?", "example.co.za/a"),
        ("http://example.co.za/a?b=", "example.co.za/a?b"),
        ("http://example.co.za/a?q=x%20y", "example.co.za/a?q=x+y"),
        ("http://example.co.za/a?ref=rss", "example.co.za/a"),
        ("http://example.co.za/a?ref=chapter", "example.co.za/a?ref=chapter"),
        ("http://example.co.za/a?cid=1", "example.co.za/a?cid=1"),
        ("http://example.co.za/a;jsessionid=1F?b=1", "example.co.za/a?b=1"),
        ("http://example.co.za/Case/Counts", "example.co.za/Case/Counts"),
        ("http://[2001:DB8::1]:80/a", "[2001:db8::1]/a"),
    ],
)
def test_canonicalize_gives_key(url, key):
    assert canonicalize(url).key == key


@pytest.mark.parametrize(
    ("url", "fetched"),
    [
        ("http://http://example.co.za/a", "http://example.co.za/a"),
        ("https://http//example.co.za/a", "http://example.co.za/a"),
        ("http:https://example.co.za/a", "https://example.co.za/a"),
        ("https//example.co.za/a", "https://example.co.za/a"),
        ("http:/example.co.za/a", "http://example.co.za/a"),
        ("http:\\\\example.co.za\\a", "http://example.co.za/a"),
        ("htttp://example.co.za/a", "http://example.co.za/a"),
        ("ttps://example.co.za/a", "https://example.co.za/a"),
        ("feed://example.co.za/rss", "http://example.co.za/rss"),
        ("feed:https://example.co.za/rss", "https://example.co.za/rss"),
        ("view-source:https://example.co.za/", "https://example.co.za/"),
        ("http://example.co.za:/a", "http://example.co.za/a"),
        ("http://example.co.za?a=1", "http://example.co.za/?a=1"),
        ("  \ufeffhttp://example.co.za/a\u200b\n", "http://example.co.za/a"),
        ("<![CDATA[ http://example.co.za/a ]]>", "http://example.co.za/a"),
        ("<http://example.co.za/a>", "http://example.co.za/a"),
        ("http://example.co.za/a?b=1&amp;c=2", "http://example.co.za/a?b=1&c=2"),
        ("http://example.co.za/a b", "http://example.co.za/a%20b"),
        ("www.example.co.za/news", "https://www.example.co.za/news"),
        ("example.co.za:8080/news", "https://example.co.za:8080/news"),
        ("localhost:8000", "https://localhost:8000/"),
        ("//example.co.za/a", "https://example.co.za/a"),
        ("http://example.co.za/a?utm_source=rss#x", "http://example.co.za/a?utm_source=rss"),
        (
            "http://example.co.za/http://other.example/",
            "http://example.co.za/http://other.example/",
        ),
    ],
)
def test_canonicalize_repairs_url_and_keeps_what_was_listed(url, fetched):
    assert canonicalize(url).url == fetched


@pytest.mark.parametrize(
    ("url", "base", "fetched"),
    [
        ("/a", "https://example.co.za/b/c", "https://example.co.za/a"),
        ("d", "https://example.co.za/b/c", "https://example.co.za/b/d"),
        ("//other.example/a", "http://example.co.za/", "http://other.example/a"),
        ("?p=3", "https://example.co.za/b/c?p=2", "https://example.co.za/b/c?p=3"),
        ("http:/other.example/a", "http://example.co.za/", "http://other.example/a"),
    ],
)
def test_canonicalize_joins_relative_address_to_base(url, base, fetched):
    assert canonicalize(url, base).url == fetched


def test_canonicalize_gives_host_with_port():
    assert canonicalize("http://Example.co.za:8080/a").host == "example.co.za:8080"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "The address is empty."),
        ("\n\t ", "The address is empty."),
        ("mailto:x@example.co.za", "The address starts with “mailto:”; only http and https"),
        ("javascript:alert(1)", "The address starts with “javascript:”; only http and https"),
        ("file:///etc/passwd", "The address starts with “file:”; only http and https"),
        ("http://", "“http://” is not a web address."),
        ("http://a b/", "“http://a b/” is not a web address."),
        ("http://exa..mple/", "“exa..mple” is not a host name."),
        ("http://user:pass@example.co.za/", "The address carries a user name or a password."),
        ("http://example.co.za/" + "a" * 2_048, "The address is longer than 2048 characters."),
        ("http://" + "a." * 150 + "za/", "is not a host name."),
        ("http://example.co.za:99999/", "is not a web address."),
        ("http://\ud800.example/", "is not a web address."),
    ],
)
def test_canonicalize_refuses_with_sentence(url, sentence):
    with pytest.raises(BadUrl, match=re.escape(sentence)):
        canonicalize(url)


@given(st.text(max_size=80))
def test_canonicalize_is_idempotent_or_refuses(text):
    try:
        once = canonicalize("http://example.co.za/" + text)
    except BadUrl:
        return

    assert canonicalize(once.url) == once
    assert canonicalize("http://" + once.key).key == once.key


@given(st.text(max_size=60))
@example(".")
def test_canonicalize_of_anything_gives_web_address_or_refuses(text):
    try:
        address = canonicalize(text).url
    except BadUrl:
        return

    assert address.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("host", "home", "is_same"),
    [
        ("karoo.example", "www.karoo.example", True),
        ("m.karoo.example", "karoo.example", True),
        ("sport.karoo.example", "karoo.example", True),
        ("notkaroo.example", "karoo.example", False),
        ("karoo.example.evil", "karoo.example", False),
        ("127.0.0.1:81", "127.0.0.1:82", False),
    ],
)
def test_same_site(host, home, is_same):
    assert is_same_site(host, home) is is_same
