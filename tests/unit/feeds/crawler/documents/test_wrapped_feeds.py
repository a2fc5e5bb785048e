import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.wrapped_feeds import unwrapped, with_entries_apart

RSS = """<rss version="2.0"><channel><title>Courier</title><item><title>Fire</title>
<link>https://a.example/fire</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Courier</title><entry><title>Fire</title>
<id>x</id><link href="https://a.example/fire"/></entry></feed>"""
STRICT = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"
"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">"""
PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>News</title></head><body>{}</body></html>'


@pytest.mark.parametrize("feed", [RSS, ATOM])
@pytest.mark.parametrize(
    "document",
    [
        f"{STRICT}{{}}",
        "<!doctype html>\n{}",
        PAGE,
        f'<?xml version="1.0"?>{STRICT}{PAGE.format("<div>{}</div>")}',
        PAGE.format("<script>var a = '<rss version=\"2.0\"></rss>'</script><p>Feed:</p>{}"),
    ],
)
def test_a_feed_in_a_page_is_read(document, feed):
    found = parse_feed(document.replace("{}", feed).encode(), "text/html")

    assert found == parse_feed(feed.encode())
    assert [entry.url for entry in found.entries] == ["https://a.example/fire"]


@pytest.mark.parametrize(
    "page",
    [
        PAGE.format("<p>Our <feed> is new</p>"),
        PAGE.format("<script>make('<rss version=\"2.0\"><channel/></rss>')</script>"),
        PAGE.format("<!--" + RSS + "-->"),
        PAGE.format(RSS.replace("item", "thing")),
        PAGE.format(RSS.replace("</rss>", "")),
    ],
)
def test_a_page_that_speaks_of_feeds_is_none(page):
    found = parse_feed(page.encode(), "text/html")

    assert (found.kind, found.problem) == (FeedKind.NONE, "This is an HTML page, not a feed.")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0"?>', "\n "])
def test_wide_characters_need_neither_mark_nor_declaration(encoding, declaration):
    feed = RSS.replace("Fire", "Vuur in Wôrdlesê")

    found = parse_feed((declaration + feed).encode(encoding), "text/xml; charset=iso-8859-1")

    assert found == parse_feed(feed.encode())


def test_an_entry_in_an_entry_is_one_of_its_own():
    inner = '<entry><title>Flood</title><id>y</id><link href="https://a.example/flood"/></entry>'

    found = parse_feed(ATOM.replace("<title>Fire", f"{inner}<title>Fire").encode())

    assert [(entry.url, entry.headline) for entry in found.entries] == [
        ("https://a.example/fire", "Fire"),
        ("https://a.example/flood", "Flood"),
    ]


@pytest.mark.parametrize(
    "feed",
    [
        b"<item>a<item>b</item>",
        b"<item>a<![CDATA[<item>b</item>]]></item>",
        b"<item>a</item></item><item/><item>",
        b"<items>a</items><!--<item>--><item>b</item>",
    ],
)
def test_what_is_not_closed_twice_stays_as_it_is(feed):
    assert with_entries_apart(feed) == feed


@given(st.lists(st.sampled_from([b"<item>", b"</item>", b"a", b"<entry/>", b"<x:item a='1'>"])))
def test_no_byte_is_lost_and_a_second_pass_changes_nothing(pieces):
    feed = b"".join(pieces)

    apart = with_entries_apart(feed)

    assert sorted(apart) == sorted(feed)
    assert with_entries_apart(apart) == apart


@given(st.binary(max_size=60))
def test_of_any_bytes_a_part_is_given(body):
    assert unwrapped(body) in body
