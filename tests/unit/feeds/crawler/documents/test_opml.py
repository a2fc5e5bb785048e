from dataclasses import replace

import pytest
from cpu_time import takes_less
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.crawler.documents.opml import OpmlFeed, read_opml, write_opml
from feeds.crawler.documents.plain_text import plain_text


def opml(outlines, head="<title>Papers</title>"):
    return f'<opml version="2.0"><head>{head}</head><body>{outlines}</body></opml>'.encode()


def test_opml_gives_feeds_in_order_with_groups():
    document = read_opml(
        opml(
            '<outline text="Papers"><outline title="Courier" type="rss" '
            'xmlUrl="https://a.example/rss" htmlUrl="https://a.example/"/></outline>'
            '<outline text=" Lantern " xmlurl=" https://b.example/feed "/>'
        )
    )

    assert (document.title, document.problem) == ("Papers", "")
    assert document.feeds == (
        OpmlFeed("https://a.example/rss", "Courier", "https://a.example/", ("Papers",)),
        OpmlFeed("https://b.example/feed", "Lantern"),
    )


def test_an_outline_is_named_by_its_text():
    outline = '<outline text="Courier" title="courier-rss" xmlUrl="https://a.example/rss"/>'

    assert read_opml(opml(outline)).feeds[0].title == "Courier"


def test_a_name_space_may_be_any_text():
    outlines = '<outline text="Lantern" xmlUrl="https://b.example/feed"/>'
    odd = opml(outlines).replace(b"<opml ", b'<opml xmlns="a}b" ')

    assert read_opml(odd) == read_opml(opml(outlines))


def test_opml_feed_stands_once():
    feeds = read_opml(
        opml('<outline xmlUrl="https://a.example/rss"/><outline xmlUrl="http://a.example/rss/"/>')
    ).feeds

    assert [feed.url for feed in feeds] == ["https://a.example/rss"]


def test_a_word_is_no_address_of_a_feed():
    document = read_opml(
        opml('<outline xmlUrl="none"/><outline xmlUrl="http://none/"/><outline xmlUrl="a.za/rss"/>')
    )

    assert [feed.url for feed in document.feeds] == ["http://none/", "https://a.za/rss"]
    assert document.refused == (("none", "This is a word, no address."),)


def test_opml_refuses_bad_addresses_one_by_one():
    document = read_opml(
        opml(
            '<outline xmlUrl="javascript:alert(1)"/><outline xmlUrl="https://a.example/rss"/>'
            '<outline xmlUrl="file:///etc/passwd"/>'
        )
    )

    assert len(document.feeds) == 1
    assert [address for address, _ in document.refused] == [
        "javascript:alert(1)",
        "file:///etc/passwd",
    ]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "The list cannot be read as XML."),
        (b"hello", "The list cannot be read as XML."),
        (b"<rss/>", "This is a document of type “rss”, not OPML."),
        (b"<opml><body/></opml>", "The list holds no feed."),
        (
            b"<opml><body><outline type='include' url='https://a.example/'/></body></opml>",
            "The list holds no feed, only 1 other lists, which are not followed.",
        ),
    ],
)
def test_opml_that_is_none_says_so(body, problem):
    assert read_opml(body).problem == problem


def test_opml_is_capped():
    outlines = "".join(f'<outline xmlUrl="http://x{n}.example/f"/>' for n in range(5_010))

    document = read_opml(opml(outlines))

    assert (len(document.feeds), document.n_over) == (5_000, 10)


def test_opml_nested_deeply_ends_soon():
    nested = opml("<outline>" * 10_000 + "</outline>" * 10_000)

    assert takes_less(1, lambda: read_opml(nested))


def test_opml_entities_stay_off():
    body = (
        b'<!DOCTYPE o [<!ENTITY f SYSTEM "file:///etc/passwd">]><opml><head><title>&f;</title>'
        b'</head><body><outline text="x" xmlUrl="https://a.example/rss"/></body></opml>'
    )

    assert "root" not in read_opml(body).title


def test_opml_broken_in_the_middle_gives_what_stands_before():
    body = b'<opml><body><outline text="a & b" xmlUrl="https://a.example/rss"/><outline'

    assert [feed.url for feed in read_opml(body).feeds] == ["https://a.example/rss"]


FEEDS = st.lists(
    st.builds(
        OpmlFeed,
        url=st.integers(0, 10**6).map(lambda n: f"https://x{n}.example/feed"),
        title=st.text(st.characters(categories=["L", "N", "S", "P"]), min_size=1, max_size=9),
        home_url=st.just("https://a.example/"),
        group=st.sampled_from([(), ("Papers",), ("Papers", "Weekly")]),
    ),
    unique_by=lambda feed: feed.url,
    min_size=1,
    max_size=6,
)


@given(FEEDS)
@example([OpmlFeed("https://x0.example/feed", "&quot;", "https://a.example/")])
def test_opml_written_is_read_back(feeds):
    plain = {replace(feed, title=plain_text(feed.title, 300)) for feed in feeds}

    assert set(read_opml(write_opml("Papers", feeds)).feeds) == plain
