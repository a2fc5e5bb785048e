"""Cookies of one site: what is kept, where it goes back to, what the archive holds of it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.fetching.cookies import MOST_COOKIES, CookieJar, read_cookie, without_values

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOME = "https://www.karoo.example/in/form"
NAMES = st.text(st.sampled_from("abcXYZ-_"), min_size=1, max_size=8)
HOSTS = st.sampled_from(
    ["karoo.example", "www.karoo.example", "a.b.karoo.example", "else.example", "xkaroo.example"]
)


def jar_of(*lines, url=HOME):
    jar = CookieJar("www.karoo.example")
    jar.take(url, tuple(("Set-Cookie", line) for line in lines), NOW)
    return jar


@pytest.mark.parametrize(
    ("line", "url", "sent"),
    [
        ("a=1", "https://www.karoo.example/in/else", "a=1"),
        ("a=1", "https://www.karoo.example/out", ""),  # the folder of what set it
        ("a=1; Path=/", "https://premium.karoo.example/", ""),  # its host alone
        ("a=1; Path=/; Domain=.Karoo.example", "https://premium.karoo.example/x", "a=1"),
        ("a=1; Path=/; Domain=else.example", "https://www.karoo.example/", ""),
        ("a=1; Path=/", "http://www.karoo.example/", ""),  # another scheme
        ("a=1; Path=/sub", "https://www.karoo.example/sub/x", "a=1"),
        ("a=1; Path=/sub", "https://www.karoo.example/subway", ""),
        ("a=1; Path=/; Max-Age=0", "https://www.karoo.example/", ""),
        ("a=1; Path=/; Expires=Thu, 19-Nov-2026 12:00:00 GMT", "https://www.karoo.example/", ""),
        ("a=1; Path=/; Expires=Sat, 21 Nov 2026 12:00:00 GMT", "https://www.karoo.example/", "a=1"),
        ("a=1; Path=/; Expires=soon", "https://www.karoo.example/", "a=1"),
        ("a=x=y; Path=/", "https://www.karoo.example/", "a=x=y"),
        ("=1; Path=/", "https://www.karoo.example/", ""),
        ("a=\x07; Path=/", "https://www.karoo.example/", ""),
    ],
)
def test_a_cookie_goes_back_to_where_it_belongs(line, url, sent):
    assert jar_of(line).header(url, NOW) == sent


def test_a_cookie_ends_and_can_be_taken_back():
    jar = jar_of("a=1; Path=/; Max-Age=60", "b=2; Path=/")
    jar.take(HOME, (("set-cookie", "b=; Path=/; Max-Age=0"),), NOW)

    assert jar.header(HOME, NOW) == "a=1"
    assert jar.header(HOME, NOW + timedelta(seconds=60)) == ""


def test_longer_paths_come_first():
    assert jar_of("a=1; Path=/", "b=2; Path=/in").header(HOME, NOW) == "b=2; a=1"


def test_a_site_fills_no_memory():
    jar = jar_of(*(f"a{n}=1; Path=/" for n in range(500)))

    assert len(jar) == MOST_COOKIES


@given(HOSTS, HOSTS, HOSTS, NAMES)
def test_nothing_leaves_the_site(host, domain, target, name):
    jar = CookieJar("www.karoo.example")
    jar.take(f"https://{host}/", (("Set-Cookie", f"{name}=1; Path=/; Domain={domain}"),), NOW)

    sent = jar.header(f"https://{target}/", NOW)

    belongs = target == domain or target.endswith("." + domain)
    is_ours = all(
        one.endswith(".karoo.example") or one == "karoo.example" for one in (host, target)
    )
    assert not sent or (belongs and is_ours)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=20))
def test_a_jar_is_read_as_it_was_written_and_never_printed(pairs):
    jar = jar_of(*(f"{name}={value}canary; Path=/" for name, value in pairs))

    again = CookieJar.of_text(jar.to_text())

    assert again.header(HOME, NOW) == jar.header(HOME, NOW)
    assert "canary" not in repr(jar)


def test_the_archive_holds_names_alone():
    headers = (("Set-Cookie", "sid=canary; Path=/"), ("X", "kept"), ("set-cookie", "canary"))

    assert without_values(headers) == (
        ("Set-Cookie", "sid=(not archived); Path=/"),
        ("X", "kept"),
        ("set-cookie", "canary=(not archived)"),
    )


def test_what_is_too_long_is_no_cookie():
    assert read_cookie("a=" + "x" * 5000, HOME, NOW) is None
