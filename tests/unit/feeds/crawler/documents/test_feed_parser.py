from datetime import UTC, datetime

import pytest
from cpu_time import takes_less

from feeds.crawler.documents.feed_document import MAX_ENTRIES, of_articles
from feeds.crawler.documents.feed_parser import FeedEntry, FeedKind, parse_feed

URL = "https://www.example.co.za/feed"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
NAMESPACES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" '
    'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'
)


def rss(items, channel="<title>The Courier</title>"):
    text = f'{HEAD}<rss version="2.0" {NAMESPACES}><channel>{channel}{items}</channel></rss>'
    return parse_feed(text.encode(), "application/rss+xml", URL)


def atom(entries, head="<title>The Courier</title>"):
    text = f'{HEAD}<feed xmlns="http://www.w3.org/2005/Atom">{head}{entries}</feed>'
    return parse_feed(text.encode(), "application/atom+xml", URL)


def test_rss_entry_gives_all_fields():
    feed = rss(
        "<item><title>Fire &amp; water</title><link>https://www.example.co.za/a</link>"
        '<guid isPermaLink="false">za-17</guid><dc:creator>Ann B</dc:creator>'
        "<pubDate>Fri, 20 Nov 2026 10:00:00 +0200</pubDate>"
        "<description>&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;Two.&lt;/p&gt;</description>"
        "<comments>https://www.example.co.za/a#comments</comments></item>"
    )

    assert feed.entries == (
        FeedEntry(
            url="https://www.example.co.za/a",
            guid="za-17",
            headline="Fire & water",
            published_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
            author="Ann B",
            description="One. Two.",
            comments_url="https://www.example.co.za/a",
        ),
    )


def test_rss_channel_gives_title_home_language_and_ttl():
    feed = rss(
        "",
        "<title>The Courier</title><link>https://www.example.co.za/</link>"
        "<language>en-ZA</language><ttl>15</ttl>",
    )

    assert (feed.kind, feed.title, feed.home_url, feed.language, feed.ttl_minutes) == (
        FeedKind.RSS,
        "The Courier",
        "https://www.example.co.za/",
        "en-za",
        15.0,
    )


@pytest.mark.parametrize(
    ("channel", "minutes"),
    [
        ("<ttl>60</ttl>", 60.0),
        ("<ttl>0</ttl>", None),
        ("<ttl>often</ttl>", None),
        ("<ttl>99999999</ttl>", 525_600),
        ("<ttl>inf</ttl>", None),
        ("<sy:updatePeriod>hourly</sy:updatePeriod>", 60.0),
        (
            "<sy:updatePeriod>\ndayly\n</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>",
            720.0,
        ),
        (
            "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0.1</sy:updateFrequency>",
            600.0,
        ),
        ("<sy:updatePeriod>sometimes</sy:updatePeriod>", None),
    ],
)
def test_rss_ttl_is_read_in_minutes(channel, minutes):
    assert rss("", channel).ttl_minutes == minutes


@pytest.mark.parametrize(
    ("guid", "url"),
    [
        ("<guid>https://www.example.co.za/g</guid>", "https://www.example.co.za/g"),
        ('<guid isPermaLink="true">https://x.example/g</guid>', "https://x.example/g"),
        ('<guid isPermaLink="false">https://www.example.co.za/g</guid>', None),
        ("<guid>12345</guid>", None),
        ('<guid isPermaLink="true">za/12345</guid>', None),
    ],
)
def test_rss_guid_is_address_only_as_permalink_without_link(guid, url):
    feed = rss(f"<item><title>t</title>{guid}</item>")

    assert [entry.url for entry in feed.entries] == ([url] if url else [])
    assert feed.n_items == 1


def test_rss_guid_never_replaces_link():
    feed = rss("<item><link>https://x.example/a</link><guid>https://x.example/g</guid></item>")

    assert [(entry.url, entry.guid) for entry in feed.entries] == [
        ("https://x.example/a", "https://x.example/g")
    ]


def test_rss_guid_stays_as_written():
    feed = rss("<item><link>https://x.example/a</link><guid>12345</guid></item>")

    assert feed.entries[0].guid == "12345"


def test_rss_missing_and_duplicate_guids_and_dates_are_kept_apart_by_link():
    feed = rss(
        "<item><link>https://x.example/a</link><guid>1</guid></item>"
        "<item><link>https://x.example/b</link><guid>1</guid><pubDate>never</pubDate></item>"
        "<item><link>https://x.example/c</link></item>"
    )

    assert [(entry.url, entry.guid, entry.published_at) for entry in feed.entries] == [
        ("https://x.example/a", "1", None),
        ("https://x.example/b", "1", None),
        ("https://x.example/c", "", None),
    ]


def test_rss_relative_link_starts_from_home_page_of_feed():
    feed = rss(
        "<item><link>2026/a.html</link></item>",
        "<title>t</title><link>https://paper.example/news/</link>",
    )

    assert feed.entries[0].url == "https://paper.example/news/2026/a.html"


def test_rss_relative_link_starts_from_feed_without_home_page():
    assert rss("<item><link>/a</link></item>").entries[0].url == "https://www.example.co.za/a"


def test_rss_original_link_of_feedburner_is_preferred():
    feed = rss(
        "<item><link>http://feedproxy.google.com/~r/x/1</link>"
        "<feedburner:origLink>https://x.example/a</feedburner:origLink></item>"
    )

    assert feed.entries[0].url == "https://x.example/a"


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("<author>ann@example.co.za (Ann B)</author>", "Ann B"),
        ("<author>noreply@example.co.za</author>", ""),
        ("<dc:creator>Ann B</dc:creator><dc:creator>Ben C</dc:creator>", "Ann B, Ben C"),
        ("<dc:creator><![CDATA[<b>Ann</b> B]]></dc:creator>", "Ann B"),
        ("", ""),
    ],
)
def test_rss_author_is_names(author, name):
    feed = rss(f"<item><link>https://x.example/a</link>{author}</item>")

    assert feed.entries[0].author == name


def test_rss_without_items_is_a_feed():
    feed = rss("")

    assert (feed.is_feed, feed.problem, feed.n_items, feed.newest) == (True, "", 0, None)


def test_rss_entries_are_capped_and_counted():
    feed = rss("".join(f"<item><link>https://x.example/{n}</link></item>" for n in range(2_003)))

    assert (len(feed.entries), feed.n_items) == (2_000, 2_003)


def test_rss_address_above_limit_is_left_out():
    feed = rss(f"<item><link>https://x.example/{'a' * 2_048}</link></item>")

    assert (feed.entries, feed.n_items) == ((), 1)


def test_rss_newest_is_latest_date():
    feed = rss(
        "<item><link>https://x.example/a</link><pubDate>20 Nov 2026 10:00 GMT</pubDate></item>"
        "<item><link>https://x.example/b</link><pubDate>21 Nov 2026 10:00 GMT</pubDate></item>"
    )

    assert feed.newest == datetime(2026, 11, 21, 10, tzinfo=UTC)


def test_atom_entry_gives_all_fields():
    feed = atom(
        '<entry><title type="html">Fire &amp;amp; &lt;i&gt;water&lt;/i&gt;</title>'
        '<link rel="edit" href="/edit"/><link href="/a"/><id>tag:example.co.za,2026:17</id>'
        "<published>2026-11-20T10:00:00+02:00</published><updated>2026-11-21T10:00:00Z</updated>"
        "<author><name>Ann B</name></author><author><name>Ben C</name></author>"
        "<summary>One.</summary></entry>"
    )

    assert (feed.kind, feed.entries) == (
        FeedKind.ATOM,
        (
            FeedEntry(
                url="https://www.example.co.za/a",
                guid="tag:example.co.za,2026:17",
                headline="Fire & water",
                published_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
                author="Ann B, Ben C",
                description="One.",
            ),
        ),
    )


def test_atom_id_is_address_only_as_web_address_without_link():
    feed = atom("<entry><id>https://x.example/a</id></entry><entry><id>tag:x:1</id></entry>")

    assert [entry.url for entry in feed.entries] == ["https://x.example/a"]


def test_atom_updated_stands_in_for_published():
    feed = atom('<entry><link href="/a"/><updated>2026-11-21T10:00:00Z</updated></entry>')

    assert feed.entries[0].published_at == datetime(2026, 11, 21, 10, tzinfo=UTC)


def test_atom_base_of_document_is_obeyed():
    text = (
        f'{HEAD}<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/x/">'
        '<entry><link href="a"/></entry></feed>'
    )

    assert parse_feed(text.encode(), "", URL).entries[0].url == "https://b.example/x/a"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_feed_is_read_in_its_declared_encoding(encoding):
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?><rss version="2.0"><channel><title>Nuus'
        "</title><item><title>Môre, die oë</title><link>https://x.example/a</link></item>"
        "</channel></rss>"
    )

    assert parse_feed(text.encode(encoding), "text/xml", URL).entries[0].headline == "Môre, die oë"


def test_feed_charset_of_header_is_obeyed():
    body = "<rss version='2.0'><channel><title>Môre</title></channel></rss>".encode("iso-8859-1")

    assert parse_feed(body, "application/xml; charset=iso-8859-1", URL).title == "Môre"


ITEM = b"<item><title>x &nbsp; y</title><link>https://x.example/a</link></item>"


@pytest.mark.parametrize(
    "body",
    [
        b"\n\n <?xml version='1.0'?><rss version='2.0'><channel>" + ITEM + b"</channel></rss>",
        b"<br />\n<b>Warning</b>: mysql<br /><rss><channel>" + ITEM + b"</channel></rss>",
        b"<rss version='2.0'><channel><title>A & B</title>" + ITEM,
    ],
)
def test_broken_feed_gives_its_entries(body):
    feed = parse_feed(body, "application/rss+xml", URL)

    assert [entry.url for entry in feed.entries] == ["https://x.example/a"]


def test_broken_feed_keeps_reason():
    feed = parse_feed(b"<rss version='2.0'><channel><title>A & B</title></channel></rss>", "", URL)

    assert (feed.is_feed, feed.title, feed.warning) == (
        True,
        "A & B",
        "not well-formed (invalid token)",
    )


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "The answer is empty."),
        (b" \n\0", "The answer is empty."),
        (b"<!DOCTYPE html><html><body>x", "This is an HTML page, not a feed."),
        (b"<!-- <rss> --><html lang='en'>", "This is an HTML page, not a feed."),
        (b"<opml version='2.0'/>", "This is an OPML list of feeds, not a feed; import it instead."),
        (b"<sitemapindex/>", "This is a list of sitemaps, not a feed."),
        (
            b"<urlset><url><loc>https://x.example/a</loc></url></urlset>",
            "This is a sitemap without news tags: an archive of addresses, not a feed.",
        ),
        (b'{"a": 1}', "This is JSON, but not a JSON Feed: it has no list of items."),
    ],
)
def test_other_document_is_refused_with_sentence(body, problem):
    feed = parse_feed(body, "", URL)

    assert (feed.is_feed, feed.problem) == (False, problem)


@pytest.mark.parametrize("body", [b"hello", b"\x89PNG\r\n\x1a\n", b"%PDF-1.4", b"<svg/>"])
def test_anything_else_is_no_feed(body):
    feed = parse_feed(body, "", URL)

    assert feed.problem.startswith("This is no RSS, Atom or JSON feed")


def test_entities_of_feed_are_not_expanded():
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    body = (
        f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">{levels}'
        '<!ENTITY f SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel>'
        "<title>&l8;&f;</title></channel></rss>"
    )

    feed = parse_feed(body.encode(), "", URL)

    assert len(feed.title) < 100
    assert "root:" not in feed.title


def test_address_as_body_is_not_opened():
    assert not parse_feed(b"/etc/passwd", "", URL).is_feed
    assert not parse_feed(b"http://127.0.0.1:1/feed", "", URL).is_feed


@pytest.mark.parametrize("reference", ["&#xd800;", "&#xDFFF;", "&#55296;", "&#57343;"])
def test_reference_to_half_a_character_is_left_out(reference):
    feed = rss(f"<item><title>Ra{reference}in</title><link>https://x.example/a</link></item>")

    assert [entry.headline for entry in feed.entries] == ["Rain"]


def test_entries_beyond_those_kept_cost_nothing_where_a_feed_is_cut():
    items = "".join(f"<item><link>https://a.example/{n}</link></item>" for n in range(60_000))
    body = f'<rss version="2.0"><channel>{items}</channel></rss>'.encode()

    found = parse_feed(body)

    assert [entry.url for entry in found.entries] == [
        f"https://a.example/{n}" for n in range(MAX_ENTRIES)
    ]
    assert found.warning == "Only the first 100,000 tags are read."
    assert takes_less(1, lambda: parse_feed(body))


_ITEM = "<item><title>Rain</title><link>{}</link></item>"
_URL = "<url><loc>{}</loc><n:news><n:title>Rain</n:title></n:news></url>"
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
_URLS = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:n='{_NEWS}'>"


@pytest.mark.parametrize(
    ("head", "item", "foot"),
    [
        ("<rss version='2.0'><channel>", _ITEM, "</channel></rss>"),
        ('{"version": "https://jsonfeed.org/version/1.1", "items": [', '{{"url": "{}"}},', "{}]}"),
        (_URLS, _URL, "</urlset>"),
    ],
    ids=["rss", "json", "sitemap"],
)
def test_entry_that_leads_to_a_front_page_is_no_article(head, item, foot):
    addresses = ["https://a.example/", "https://b.example", "https://a.example/#rain"]
    kept = ["https://a.example/?p=7", "https://a.example/rain"]
    body = head + "".join(item.format(url) for url in (*addresses, *kept)) + foot

    feed = parse_feed(body.encode(), "", "https://a.example/feed")

    assert [entry.url for entry in of_articles(feed).entries] == kept
